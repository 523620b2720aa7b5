/**
 * Exchanges messages of the DevTools protocol with Chromium over two pipes: commands, responses and events.
 * Pipes are used because no other process can connect to them, and because Chromium exits when its pipe
 * closes, even after Cairn was killed. Rendering does not use Playwright, because Playwright's page code more
 * than doubled the CPU time of a rendered page.
 */
import type { Readable, Writable } from "node:stream";
import type { CDPSession } from "playwright";
import { Unavailable } from "../../../machines/errors.ts";

/** Chromium refused a command. `message` is Chromium's error message. */
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

/**
 * A session of the DevTools protocol, in which commands are sent to one target, such as a page. The target of
 * the root session is the browser itself.
 */
export class Session {
  readonly id: string;
  readonly #connection: Connection;
  readonly #listeners = new Map<string, (params: never) => void>();
  readonly #others = new Map<string, ((params: never) => void)[]>();

  constructor(connection: Connection, id: string) {
    this.#connection = connection;
    this.id = id;
  }

  /**
   * Sends a command. Rejects with a `ProtocolError` when Chromium refuses it, and with `browser.gone` after
   * the browser has exited.
   */
  readonly send: CDPSession["send"] = (method, params) =>
    // The return type is cast: `CDPSession["send"]` defines the response type of each method, but the
    // connection returns an untyped response.
    this.#connection.send(this.id, method, params) as ReturnType<typeof this.send<typeof method>>;

  /** Sets the listener of an event. It replaces an earlier listener of the same event. */
  readonly on = ((event: string, listener: (params: never) => void) => {
    this.#listeners.set(event, listener);
    // The cast gives each event its type of parameters. `CDPSession["on"]` also requires a return value,
    // which no caller uses.
    return undefined as unknown;
  }) as CDPSession["on"];

  /**
   * Adds a listener of an event, and keeps the earlier listeners. The listener is removed when the session
   * ends.
   */
  readonly also = ((event: string, listener: (params: never) => void) => {
    this.#others.set(event, [...(this.#others.get(event) ?? []), listener]);
    // The type of `on` declares a return value, which no caller of `also` uses.
    return undefined as unknown;
  }) as CDPSession["on"];

  hear(event: string, params: unknown): void {
    // The cast is safe: these are the parameters that Chromium sends with `event`. The type of `on` has
    // already checked that each listener accepts the parameters of its event.
    this.#listeners.get(event)?.(params as never);
    for (const listener of this.#others.get(event) ?? []) listener(params as never);
  }
}

export class Connection {
  readonly root: Session;
  /** Resolves when Chromium has closed its pipe. */
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
   * Creates a connection over two pipes.
   * @param output the pipe that Chromium reads (file descriptor 3 in Chromium)
   * @param input the pipe that Chromium writes (file descriptor 4 in Chromium)
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
    // An error of the pipe means that the browser is dead. So the connection is closed.
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

  /** Calls `work` when the browser closes its pipe. The returned function unregisters `work`. */
  whenClosed(work: () => void): () => void {
    if (!this.#open) queueMicrotask(work);
    else this.#closing.add(work);
    return () => this.#closing.delete(work);
  }

  /**
   * Removes a session whose target (page, frame or worker) was closed, and rejects the commands of the session
   * that still wait for a response.
   */
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

  /**
   * Sends the event `Inspector.detached` to the listeners of a session whose target (such as a page) was closed.
   * Chromium itself does not send this event when a target closes itself.
   */
  #detached(params: unknown): void {
    // The cast is safe: by the DevTools protocol, the parameters of this event contain `sessionId`.
    const { sessionId } = params as { readonly sessionId: string };
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    session.hear("Inspector.detached", { reason: "target_closed" });
    this.drop(session);
  }

  /**
   * Splits received bytes into messages, each of which ends with a NUL character. A large message arrives in
   * several chunks, which are joined only when the message is complete.
   */
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
    else {
      // The cast is safe: `frame` is the response to one command. `Session.send` has created the promise of
      // this command with the type of the response.
      waiting.resolve(frame.result as never);
    }
  }
}

function gone(message: string): Unavailable {
  return new Unavailable("browser.gone", message);
}
