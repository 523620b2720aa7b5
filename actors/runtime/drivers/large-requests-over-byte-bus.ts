/**
 * Requests and answers of any size over a byte bus whose messages are small and may be lost. Nothing is sent
 * twice: a call without an answer fails, although it may have been executed, and the caller decides whether
 * to repeat it. Clients limit their calls, and servers limit the bytes that they hold.
 */
import { TimedOut, Unavailable } from "../../../machines/errors.ts";
import { bytesLimits } from "../actor-runtime-limits.ts";
import type { ByteBus } from "./byte-bus.ts";
import { Assembly, type Frame, framesOf, readFrame } from "./split-byte-messages-into-pieces.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export interface ByteServerOptions {
  /** Version of the protocol of the requests. The server refuses a caller that uses another version. */
  readonly version: number;
  /**
   * Identifies this server among the servers that answer on the same subject. A caller sends all requests to
   * the server that answered its first request. All other servers refuse requests with this id.
   */
  readonly realm: bigint;
  /**
   * Decides for each request whether this server answers it. `yes`: it answers. `unsure`: it refuses the
   * request, and the caller retries soon. `no`: it ignores the request, because another server answers it.
   */
  readonly mayServe: () => "yes" | "unsure" | "no";
  readonly answer: (request: Uint8Array) => Promise<Uint8Array>;
}

/** Answers the requests that arrive on a subject, until the returned function is called. */
export function serveBytes(bus: ByteBus, subject: string, options: ByteServerOptions): () => void {
  const { version, realm, mayServe, answer } = options;
  const arriving = new Map<string, { readonly assembly: Assembly; readonly forget: () => void }>();
  /** Total size, in bytes, of the requests that are arriving at this server or running in it. */
  let held = 0;

  const reply = (kind: "answer" | "refusal", { client, call }: Frame, bytes: Uint8Array) => {
    try {
      for (const frame of framesOf({ kind, version, realm, client, call }, bytes)) {
        bus.publish(inbox(subject, client), frame);
      }
    } catch {
      // When there is no connection, the answer is dropped. The caller notices the lost connection too, and
      // all its open calls fail.
    }
  };
  const refuse = (frame: Frame, why: string) => reply("refusal", frame, encoder.encode(why));

  const serve = async (frame: Frame, request: Uint8Array) => {
    held += request.length;
    try {
      reply("answer", frame, await answer(request));
    } catch (error) {
      refuse(frame, `It failed: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      held -= request.length;
    }
  };

  const take = (frame: Frame) => {
    const may = mayServe();
    if (frame.kind !== "request" || may === "no") return;
    const name = `${frame.client} ${frame.call}`;
    if (frame.piece === 0) {
      if (frame.version !== version)
        return refuse(
          frame,
          `It speaks version ${version}, and the caller ${frame.version}: update one of them.`,
        );
      if (frame.realm !== 0n && frame.realm !== realm)
        return refuse(
          frame,
          "It is another server than the one this caller has used: restart the caller to use it.",
        );
      if (may === "unsure")
        return refuse(frame, "It does not know whether it is still the server; try again in a moment.");
      drop(name);
      const forget = setTimeout(() => drop(name), bytesLimits.piecesWithin);
      arriving.set(name, { assembly: new Assembly(), forget: () => clearTimeout(forget) });
    }
    const request = arriving.get(name);
    // Either this request was refused before, or its first pieces were lost. So this piece is ignored.
    if (!request) return;
    if (held > bytesLimits.heldBytes) {
      drop(name);
      return refuse(frame, "It has too much to do; try again in a moment.");
    }
    try {
      const whole = request.assembly.add(frame);
      held += frame.bytes.length;
      if (!whole) return;
      drop(name);
      void serve(frame, whole);
    } catch {
      // A piece of the request was lost, so the request is dropped. The caller gets a timeout at its
      // deadline.
      drop(name);
    }
  };
  const drop = (name: string) => {
    const request = arriving.get(name);
    if (!request) return;
    request.forget();
    held -= request.assembly.size;
    arriving.delete(name);
  };

  const stop = bus.listen(subject, {
    receive: (bytes) => {
      const frame = readFrame(bytes);
      if (frame) take(frame);
    },
  });
  return () => {
    stop();
    for (const name of [...arriving.keys()]) drop(name);
  };
}

interface Call {
  readonly bytes: Uint8Array;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly assembly: Assembly;
  cancel: () => void;
}

/**
 * Sends requests to the server that listens to a subject. A call fails at once when there is no server or
 * connection (`bytes.away`) or when the server refuses it (`bytes.refused`), and at its deadline
 * (`bytes.timeout`).
 */
export class ByteClient {
  readonly #bus: ByteBus;
  readonly #subject: string;
  readonly #version: number;
  readonly #id: bigint;
  readonly #stop: () => void;
  readonly #running = new Map<number, Call>();
  readonly #waiting: Call[] = [];
  #realm = 0n;
  #calls = 0;

  constructor(bus: ByteBus, subject: string, version: number) {
    this.#bus = bus;
    this.#subject = subject;
    this.#version = version;
    this.#id = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 1n;
    const stopListening = bus.listen(inbox(subject, this.#id), {
      receive: (bytes) => {
        const frame = readFrame(bytes);
        if (frame) this.#receive(frame);
      },
      noReceiver: () => this.#failAll("No node serves it at the moment."),
    });
    const stopWatching = bus.onLost(() => this.#failAll("The connection to it was lost."));
    this.#stop = () => {
      stopListening();
      stopWatching();
    };
  }

  call(bytes: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= bytesLimits.waitingCalls) {
        reject(away("Too many calls wait for it already."));
        return;
      }
      this.#waiting.push({ bytes, resolve, reject, assembly: new Assembly(), cancel: () => {} });
      this.#next();
    });
  }

  close(): void {
    this.#stop();
    this.#failAll("This node stops.");
  }

  #next(): void {
    while (this.#running.size < bytesLimits.concurrentCalls) {
      const call = this.#waiting.shift();
      if (!call) return;
      this.#send(call);
    }
  }

  #send(call: Call): void {
    this.#calls = (this.#calls + 1) % 2 ** 32;
    const number = this.#calls;
    const { answerWithin } = bytesLimits;
    const timer = setTimeout(
      () =>
        this.#settle(number)?.reject(
          new TimedOut("bytes.timeout", `No answer came within ${answerWithin} ms.`),
        ),
      answerWithin,
    );
    call.cancel = () => clearTimeout(timer);
    this.#running.set(number, call);
    const about = { kind: "request", version: this.#version, realm: this.#realm, client: this.#id } as const;
    const answerTo = inbox(this.#subject, this.#id);
    try {
      for (const frame of framesOf({ ...about, call: number }, call.bytes)) {
        this.#bus.publish(this.#subject, frame, answerTo);
      }
    } catch (error) {
      this.#settle(number)?.reject(away(error instanceof Error ? error.message : String(error)));
    }
  }

  #receive(frame: Frame): void {
    const call = this.#running.get(frame.call);
    if (!call) return;
    let whole: Uint8Array | undefined;
    try {
      whole = call.assembly.add(frame);
    } catch {
      this.#settle(frame.call)?.reject(away("A part of its answer was lost."));
      return;
    }
    if (!whole) return;
    this.#settle(frame.call);
    if (frame.kind === "refusal") {
      call.reject(new Unavailable("bytes.refused", decoder.decode(whole)));
      return;
    }
    // From now on, this client uses only the server that sent its first answer.
    if (this.#realm === 0n) this.#realm = frame.realm;
    call.resolve(whole);
  }

  #settle(number: number): Call | undefined {
    const call = this.#running.get(number);
    if (!call) return undefined;
    this.#running.delete(number);
    call.cancel();
    // The next waiting call is started in a microtask. If it were started here and failed at once, failing
    // calls would start each other in deep recursion.
    queueMicrotask(() => this.#next());
    return call;
  }

  /**
   * Fails all running and waiting calls. Waiting calls fail too, because without a server they would only get
   * the same error later.
   */
  #failAll(why: string): void {
    for (const number of [...this.#running.keys()]) this.#settle(number)?.reject(away(why));
    for (const call of this.#waiting.splice(0)) call.reject(away(why));
  }
}

function inbox(subject: string, client: bigint): string {
  return `${subject}.to.${client.toString(16)}`;
}

function away(why: string): Unavailable {
  return new Unavailable("bytes.away", why);
}
