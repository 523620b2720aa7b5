/** Tests `/ws/inspect` over real sockets: its messages, how a reader resumes, and why a socket is closed. */
import { afterEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { socketLimits } from "../../../gateway/socket/websocket-limits.ts";
import { inspectTopic } from "../../../machines/inspection/actor-inspection-topics.ts";
import { type TestGateway, testGateway } from "../test-gateway.ts";

interface Reader {
  readonly socket: WebSocket;
  /** Resolves with the next message on the socket, which may already have arrived. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever is sent; tests look into it and fail on a wrong shape
  next(): Promise<any>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

const open: { readonly gateway: TestGateway; readonly readers: Reader[] }[] = [];
afterEach(async () => {
  for (const { gateway, readers } of open.splice(0)) {
    for (const { socket } of readers) socket.close();
    gateway.sockets.closeAll();
    await gateway.app.server?.stop(true);
  }
});

function listening(
  env: Readonly<Record<string, string>> = {},
): TestGateway & { read(query?: string, headers?: Record<string, string>): Reader; readonly port: number } {
  const gateway = testGateway({ env });
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  const port = gateway.app.server?.port ?? 0;
  const readers: Reader[] = [];
  open.push({ gateway, readers });
  return {
    ...gateway,
    port,
    read(query = "", headers = {}) {
      // The cast is needed: Bun's WebSocket accepts headers, but the standard type of the constructor does
      // not.
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/inspect${query}`, {
        headers,
      } as unknown as string[]);
      const come: unknown[] = [];
      const waiting: ((message: unknown) => void)[] = [];
      socket.onmessage = ({ data }) => {
        const message: unknown = JSON.parse(data);
        const waits = waiting.shift();
        if (waits) waits(message);
        else come.push(message);
      };
      const closed = new Promise<{ code: number; reason: string }>((resolve) => {
        socket.onclose = ({ code, reason }) => resolve({ code, reason });
      });
      const reader: Reader = {
        socket,
        closed,
        next: () =>
          new Promise((resolve) => {
            if (come.length > 0) resolve(come.shift());
            else waiting.push(resolve);
          }),
      };
      readers.push(reader);
      return reader;
    },
  };
}

const job = inspectTopic(undefined, "exploration", "first");
const event = (n: number) => ({ type: "@xstate.event", n });

describe("a client that reads inspection events", () => {
  test("gets a greeting, and then only the events to which it subscribed", async () => {
    const { cairn, read } = listening();
    const reader = read("?kind=exploration&id=first");
    expect(await reader.next()).toMatchObject({ type: "hello", seq: 0, resumed: false });
    expect([...cairn.watchers.keys()]).toEqual([job]);
    cairn.tell(job, event(1));
    expect(await reader.next()).toEqual({ type: "event", seq: 1, event: event(1) });
  });

  test("may select the events of single actors", async () => {
    const { cairn, read } = listening();
    await read("?what=state,mailbox").next();
    expect([...cairn.watchers.keys()].sort()).toEqual([inspectTopic("mailbox"), inspectTopic("state")]);
  });

  test("receives missed events once after it reconnects, and then new ones", async () => {
    const { cairn, read } = listening();
    const first = read("?kind=exploration&id=first");
    const { epoch } = await first.next();
    cairn.tell(job, event(1));
    await first.next();
    first.socket.close();
    await first.closed;
    cairn.tell(job, event(2));
    cairn.tell(job, event(3));
    const again = read(`?kind=exploration&id=first&epoch=${epoch}&since=1`);
    expect(await again.next()).toMatchObject({ type: "hello", epoch, seq: 1, resumed: true });
    cairn.tell(job, event(4));
    expect([await again.next(), await again.next(), await again.next()].map(({ seq }) => seq)).toEqual([
      2, 3, 4,
    ]);
  });

  test("receives `resumed: false` if it was disconnected too long, or reconnects to a different instance of Cairn", async () => {
    const { cairn, read } = listening();
    const reader = read("?kind=exploration&id=first");
    const { epoch } = await reader.next();
    for (let i = 0; i <= socketLimits.keptEvents; i++) cairn.tell(job, event(i));
    const late = await read(`?kind=exploration&id=first&epoch=${epoch}&since=0`).next();
    expect(late).toMatchObject({ resumed: false, seq: socketLimits.keptEvents + 1 });
    expect(await read("?kind=exploration&id=first&epoch=other&since=1").next()).toMatchObject({
      resumed: false,
    });
  });

  test("gets an answer to a ping, and is disconnected for any other message", async () => {
    const { read } = listening();
    const reader = read();
    await reader.next();
    reader.socket.send('{"type":"ping"}');
    expect(await reader.next()).toEqual({ type: "heartbeat", seq: 0 });
    reader.socket.send("hello?");
    expect(await reader.closed).toMatchObject({
      code: 1008,
      reason: expect.stringContaining("socket.unexpected"),
    });
  });

  test("is disconnected if it sends a message that is too large to be read", async () => {
    const { read } = listening();
    const reader = read();
    await reader.next();
    reader.socket.send("x".repeat(socketLimits.readableBytes + 1));
    expect([1006, 1009]).toContain((await reader.closed).code);
  });

  test("shares its feed with other readers, and actors are no longer inspected after the last one has left", async () => {
    const { cairn, read, sockets } = listening();
    const readers = [read("?kind=host"), read("?kind=host")];
    for (const reader of readers) await reader.next();
    expect(cairn.watchers.get(inspectTopic(undefined, "host"))?.size).toBe(1);
    sockets.closeAll();
    for (const reader of readers) {
      expect(await reader.closed).toMatchObject({
        code: 1001,
        reason: expect.stringContaining("gateway.stopping"),
      });
    }
    expect(cairn.watchers.size).toBe(0);
  });
});

test("a slow reader of inspection events is disconnected with its cursor, and its memory is freed", async () => {
  const { cairn, port } = listening();
  const raw = connect(port, "127.0.0.1");
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  raw.write(
    `GET /ws/inspect?kind=exploration&id=first HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await new Promise((resolve) => raw.once("data", resolve));
  raw.pause();
  while (!cairn.watchers.has(job)) await Bun.sleep(1);
  const heavy = { type: "@xstate.event", text: "x".repeat(100_000) };
  // The buffers between Cairn and the reader cannot hold 400 messages of this size. Cairn disconnects the reader at
  // the first message for which there is no space.
  const listeners = () => cairn.watchers.get(job)?.size ?? 0;
  expect(listeners()).toBe(1);
  let text = "";
  for (let i = 0; i < 400; i++) cairn.tell(job, heavy);
  raw.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString("latin1")).slice(-400);
  });
  const ended = new Promise((resolve) => raw.once("close", resolve));
  raw.resume();
  await ended;
  expect(text).toContain("socket.slow_reader: unread data piled up; go on from ");
});

describe("the permission to read inspection events", () => {
  const status = async (port: number, path: string, headers: Record<string, string> = {}) =>
    (
      await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: {
          upgrade: "websocket",
          connection: "upgrade",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
          ...headers,
        },
      })
    ).status;

  test("is refused to pages of other sites and to foreign host names", async () => {
    const { port, cairn } = listening();
    expect(await status(port, "/ws/inspect", { origin: "https://evil.example" })).toBe(403);
    expect(await status(port, "/ws/inspect", { host: "evil.example" })).toBe(403);
    expect(cairn.watchers.size).toBe(0);
  });

  test("requires the key or a single-use ticket if a key is configured", async () => {
    const { port, read, call } = listening({ CAIRN_API_KEY: "the-right-key" });
    const key = { authorization: "Bearer the-right-key" };
    expect(await status(port, "/ws/inspect")).toBe(401);
    expect(await status(port, "/ws/inspect?ticket=made-up")).toBe(401);
    expect((await call("POST", "/api/tickets")).status).toBe(401);
    const { body } = await call("POST", "/api/tickets", undefined, key);
    expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now());
    // A ticket opens only WebSockets. After one use, even if the use has failed, the ticket is invalid.
    expect((await call("GET", `/api/knowledge?ticket=${body.ticket}`)).status).toBe(401);
    expect(await read(`?ticket=${body.ticket}`).next()).toMatchObject({ type: "hello" });
    expect(await status(port, `/ws/inspect?ticket=${body.ticket}`)).toBe(401);
    expect(await read("", key).next()).toMatchObject({ type: "hello" });
  });

  test.each([
    "?what=everything",
    "?kind=nonsense",
    "?kind=constructor",
    "?since=-1",
    `?id=${"x".repeat(201)}`,
  ])("is refused for the invalid query %s", async (query) => {
    expect(await status(listening().port, `/ws/inspect${query}`)).toBe(422);
  });
});
