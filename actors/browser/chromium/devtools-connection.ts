/**
 * The DevTools protocol over two pipes: commands with their responses, and events.
 * A pipe is private, and Chromium exits when it closes, also after its owner was killed with -9. Rendering speaks the
 * protocol directly, because Playwright's page code more than doubled the CPU of a rendered page.
 */
import type { Readable, Writable } from "node:stream";
import type { CDPSession } from "playwright";
import { Unavailable } from "../../../machines/errors.ts";

/** A command that Chromium refused; `message` is its own. */
export class ProtocolError extends Error {}

interface Waiting {
  readonly session: string;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** A message from Chromium: a response (with `id`) or an event (with `method`). */
interface Frame {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
}

const NUL = 0;

/** A protocol session with one target; the root session is with the browser itself. */
export class Session {
  readonly id: string;
  readonly #connection: Connection;
  readonly #listeners = new Map<string, (params: never) => void>();
  readonly #others = new Map<string, ((params: never) => void)[]>();

  constructor(connection: Connection, id: string) {
    this.#connection = connection;
    this.id = id;
  }

  /** Rejects with a `ProtocolError` when Chromium refuses, with `browser.gone` after the browser has exited. */
  readonly send: CDPSession["send"] = (method, params) =>
    // The protocol's types map a method to its response.
    this.#connection.send(this.id, method, params) as ReturnType<typeof this.send<typeof method>>;

  /** One listener per event; a second one replaces the first. */
  readonly on = ((event: string, listener: (params: never) => void) => {
    this.#listeners.set(event, listener);
    // Playwright's type allows chaining, which is not used here. Borrowing it types the parameters of every
    // event.
    return undefined as unknown;
  }) as CDPSession["on"];

  /** An additional listener, for the life of the session. */
  readonly also = ((event: string, listener: (params: never) => void) => {
    this.#others.set(event, [...(this.#others.get(event) ?? []), listener]);
    return undefined as unknown; // As above.
  }) as CDPSession["on"];

  hear(event: string, params: unknown): void {
    this.#listeners.get(event)?.(params as never); // As Chromium sent it; `on` typed the listener.
    for (const listener of this.#others.get(event) ?? []) listener(params as never);
  }
}

export class Connection {
  readonly root: Session;
  /** Resolves when the browser closes its pipe. */
  readonly closed: Promise<void>;
  readonly #output: Writable;
  readonly #sessions = new Map<string, Session>();
  readonly #waiting = new Map<number, Waiting>();
  #chunks: Buffer[] = [];
  #lastId = 0;
  #open = true;
  #hungUp: () => void = () => {};
  readonly #closing = new Set<() => void>();

  /**
   * @param output the pipe that Chromium reads (its descriptor 3) @param input the pipe that it writes (its
   * descriptor 4)
   */
  constructor(output: Writable, input: Readable) {
    this.#output = output;
    this.closed = new Promise((resolve) => {
      this.#hungUp = resolve;
    });
    this.root = this.session("");
    input.on("data", (chunk: Buffer) => this.#take(chunk));
    input.on("close", () => this.close());
    input.on("end", () => this.close());
    // A broken pipe is the sign of a dead browser; `closed` resolves then.
    input.on("error", () => this.close());
    output.on("error", () => this.close());
  }

  get open(): boolean {
    return this.#open;
  }

  session(id: string): Session {
    const session = new Session(this, id);
    this.#sessions.set(id, session);
    return session;
  }

  /** Calls `work` when the browser closes its pipe. Calling the returned function releases `work`. */
  whenClosed(work: () => void): () => void {
    if (!this.#open) queueMicrotask(work);
    else this.#closing.add(work);
    return () => this.#closing.delete(work);
  }

  /** Forgets a closed target and rejects its pending commands. */
  drop(session: Session): void {
    this.#sessions.delete(session.id);
    for (const [id, waiting] of this.#waiting) {
      if (waiting.session !== session.id) continue;
      this.#waiting.delete(id);
      waiting.reject(gone("The page is gone."));
    }
  }

  send(sessionId: string, method: string, params: unknown): Promise<unknown> {
    if (!this.#open) return Promise.reject(gone("The browser is gone."));
    const id = ++this.#lastId;
    const message = { id, method, params: params ?? {}, ...(sessionId === "" ? {} : { sessionId }) };
    return new Promise<never>((resolve, reject) => {
      this.#waiting.set(id, { session: sessionId, resolve, reject });
      this.#output.write(`${JSON.stringify(message)}\0`);
    });
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const { reject } of this.#waiting.values()) reject(gone("The browser is gone."));
    this.#waiting.clear();
    this.#output.destroy();
    this.#hungUp();
    for (const work of [...this.#closing]) work();
    this.#closing.clear();
  }

  /** Reports a closed target to its session, since a target that closed itself sends no `Inspector.detached`. */
  #detached(params: unknown): void {
    const { sessionId } = params as { readonly sessionId: string }; // As the protocol has it.
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    session.hear("Inspector.detached", { reason: "target_closed" });
    this.drop(session);
  }

  /** Messages end with a NUL; a large one comes in many chunks, which are joined once. */
  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NUL); end >= 0; end = chunk.indexOf(NUL, start)) {
      this.#chunks.push(chunk.subarray(start, end));
      const message = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [];
      start = end + 1;
      if (message) this.#hear(JSON.parse(message.toString("utf8")) as Frame);
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start));
  }

  #hear(frame: Frame): void {
    if (frame.id === undefined) {
      if (frame.method) this.#sessions.get(frame.sessionId ?? "")?.hear(frame.method, frame.params);
      if (frame.method === "Target.detachedFromTarget") this.#detached(frame.params);
      return;
    }
    const waiting = this.#waiting.get(frame.id);
    if (!waiting) return;
    this.#waiting.delete(frame.id);
    if (frame.error) waiting.reject(new ProtocolError(frame.error.message));
    else waiting.resolve(frame.result as never); // `Session.send` typed it by its method.
  }
}

function gone(message: string): Unavailable {
  return new Unavailable("browser.gone", message);
}
