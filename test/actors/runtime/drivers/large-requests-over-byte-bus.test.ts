/**
 * Tests requests that are sent as bytes: they may have any size, only a limited number is in progress, and
 * none is sent twice.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bytesLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import {
  type ByteBus,
  type ByteListener,
  MemoryByteBus,
} from "../../../../actors/runtime/drivers/byte-bus.ts";
import {
  ByteClient,
  type ByteServerOptions,
  serveBytes,
} from "../../../../actors/runtime/drivers/large-requests-over-byte-bus.ts";
import { framesOf, readFrame } from "../../../../actors/runtime/drivers/split-byte-messages-into-pieces.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";

const SUBJECT = "cairn.test";

/** A bus for tests that loses each message for which `loses` returns true. */
class LossyBus implements ByteBus {
  readonly inner = new MemoryByteBus();
  /** Whether the bus loses this message. By default, it loses no message. */
  loses: (subject: string, bytes: Uint8Array) => boolean = () => false;
  readonly lost = new Set<() => void>();
  closed = false;
  published = 0;

  publish(subject: string, bytes: Uint8Array, answerTo?: string): void {
    if (this.closed) throw new Error("no way out");
    this.published += 1;
    if (!this.loses(subject, bytes)) this.inner.publish(subject, bytes, answerTo);
  }

  listen(subject: string, listener: ByteListener): () => void {
    return this.inner.listen(subject, listener);
  }

  onLost(tell: () => void): () => void {
    this.lost.add(tell);
    return () => {
      this.lost.delete(tell);
    };
  }
}

let bus: LossyBus;
let client: ByteClient;
let stops: (() => void)[];
let served: number;

beforeEach(() => {
  bus = new LossyBus();
  client = new ByteClient(bus, SUBJECT, 1);
  stops = [];
  served = 0;
});
afterEach(() => {
  client.close();
  for (const stop of stops) stop();
});

function serve(options: Partial<ByteServerOptions> = {}): () => void {
  const stop = serveBytes(bus, SUBJECT, {
    version: 1,
    realm: 7n,
    mayServe: () => "yes",
    answer: async (request) => {
      served += 1;
      return request.toReversed();
    },
    ...options,
  });
  stops.push(stop);
  return stop;
}

function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 7) % 251);
}

const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test("a frame of the byte bus is parsed to the fields from which it was built, and an invalid frame to nothing", () => {
  const about = {
    kind: "answer",
    version: 65_535,
    realm: 2n ** 64n - 1n,
    client: 3n,
    call: 2 ** 32 - 1,
  } as const;
  const [frame] = framesOf(about, bytes(5));
  expect(readFrame(frame ?? new Uint8Array())).toEqual({ ...about, piece: 0, pieces: 1, bytes: bytes(5) });
  expect(readFrame(new Uint8Array(3))).toBeUndefined();
  expect(readFrame(new Uint8Array(100).fill(255))).toBeUndefined();
});

test.if(isFull)(
  "requests that are sent as bytes, and their answers, arrive unchanged, whatever their size",
  async () => {
    serve();
    const { pieceBytes } = bytesLimits;
    for (const length of [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 5 * pieceBytes + 3]) {
      expect(await client.call(bytes(length))).toEqual(bytes(length).toReversed());
    }
  },
);

test("concurrent requests that are sent as bytes get their own answers, and only a limited number runs at once", async () => {
  let now = 0;
  let most = 0;
  serve({
    answer: async (request) => {
      now += 1;
      most = Math.max(most, now);
      await sleep(1);
      now -= 1;
      return request;
    },
  });
  const calls = Array.from({ length: 500 }, (_, at) => client.call(new Uint8Array([at % 256, at >> 8])));
  const answers = await Promise.all(calls);
  expect(answers.map(([low = 0, high = 0]) => low + 256 * high)).toEqual(answers.map((_, at) => at));
  expect(most).toBe(bytesLimits.concurrentCalls);
});

test("a request that is sent as bytes fails immediately without a server, without a connection, and when the connection is lost", async () => {
  expect(await failure(client.call(bytes(1)))).toMatchObject({ code: "bytes.away", status: 503 });
  serve({ answer: () => new Promise(() => {}) });
  const waiting = Array.from({ length: bytesLimits.concurrentCalls + 5 }, () =>
    failure(client.call(bytes(1))),
  );
  await sleep(1);
  for (const tell of bus.lost) tell();
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: "bytes.away" });
  bus.closed = true;
  expect(await failure(client.call(bytes(1)))).toMatchObject({ message: "no way out" });
});

test("a request that is sent as bytes and finds no server fails and is not sent again, and the next request finds a new server", async () => {
  const stop = serve();
  await client.call(bytes(1));
  stop();
  expect(await failure(client.call(bytes(1)))).toMatchObject({ code: "bytes.away" });
  serve();
  await client.call(bytes(1));
  expect(served).toBe(2);
});

test("a request that is sent as bytes fails if a piece of it or of its answer was lost, and is executed only if it is complete", async () => {
  const three = bytes(2.5 * bytesLimits.pieceBytes);
  serve();
  bus.loses = (subject, frame) => subject !== SUBJECT && readFrame(frame)?.piece === 1;
  expect(await failure(client.call(three))).toMatchObject({ message: "A part of its answer was lost." });
  expect(served).toBe(1);
  bus.loses = (subject, frame) => subject === SUBJECT && readFrame(frame)?.piece === 1;
  const never = failure(client.call(three));
  bus.loses = () => false;
  await client.call(three);
  expect(served).toBe(2);
  client.close();
  expect(await never).toMatchObject({ code: "bytes.away" });
});

test("a server refuses requests that are sent as bytes while its lease is uncertain, and ignores those for another server", async () => {
  let may: "yes" | "unsure" | "no" = "unsure";
  serve({ mayServe: () => may });
  expect(await failure(client.call(bytes(1)))).toMatchObject({ code: "bytes.refused", status: 503 });
  may = "no";
  const left = failure(client.call(bytes(1)));
  await sleep(5);
  client.close();
  expect(await left).toMatchObject({ message: "This node stops." });
  expect(served).toBe(0);
});

test("a server of requests that are sent as bytes refuses callers of another version, and callers that have already used another server", async () => {
  const stop = serve({ version: 2 });
  expect(await failure(client.call(bytes(1)))).toMatchObject({
    message: expect.stringContaining("version 2"),
  });
  stop();
  const first = serve();
  await client.call(bytes(1));
  first();
  serve({ realm: 8n });
  expect(await failure(client.call(bytes(1)))).toMatchObject({
    message: expect.stringContaining("another server"),
  });
  const fresh = new ByteClient(bus, SUBJECT, 1);
  await fresh.call(bytes(1));
  fresh.close();
});

test.if(isFull)(
  "a server of requests that are sent as bytes holds a limited number of bytes of waiting requests, and refuses more until some are answered",
  async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    serve({
      answer: async () => {
        await gate;
        return new Uint8Array(1);
      },
    });
    const big = new Uint8Array(bytesLimits.heldBytes / 8);
    const calls = Array.from({ length: 9 }, () => failure(client.call(big)));
    expect(await calls[8]).toMatchObject({ message: expect.stringContaining("too much to do") });
    go();
    for (const answer of await Promise.all(calls.slice(0, 8))) expect(answer).toEqual(new Uint8Array(1));
    expect(await client.call(big)).toEqual(new Uint8Array(1));
  },
);

test("a client refuses a request that is sent as bytes if too many of its requests wait already", async () => {
  serve({ answer: () => new Promise(() => {}) });
  const { concurrentCalls, waitingCalls } = bytesLimits;
  const calls = Array.from({ length: concurrentCalls + waitingCalls + 1 }, () =>
    failure(client.call(bytes(1))),
  );
  expect(await calls.at(-1)).toMatchObject({ message: "Too many calls wait for it already." });
});
