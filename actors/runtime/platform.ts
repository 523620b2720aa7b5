/**
 * The code that differs between JavaScript runtimes (Bun and Deno): threads and their heaps. No other file of
 * the actor runtime may depend on the JavaScript runtime.
 */
import type { Port } from "./drivers/message-bus-over-thread-port.ts";

export interface Thread extends Port {
  /** Resolves when the thread has ended, with its last uncaught error if there was one. */
  readonly ended: Promise<Error | undefined>;
  terminate(): void;
}

const IS_BUN = "Bun" in globalThis;

/**
 * Whether a thread emits an event when it ends. Bun emits `error` and then `close`, even after `terminate()`.
 * Deno emits only `error`; there, a worker that ends by itself is detected by its expired leases.
 */
const EMITS_CLOSE = IS_BUN;

/**
 * With Bun's option `smol`, garbage is collected earlier, so heaps stay small. Workers keep little memory but
 * allocate much.
 */
const SMALL_HEAP = { smol: true };

/** The reserved memory (ballast) of this thread, and the number of callers that currently need it. */
const ballast = { held: 0, memory: undefined as ArrayBuffer | undefined };

/**
 * Lets this thread allocate more between two garbage collections, until the returned function is called. For
 * this it reserves memory (ballast), once per thread.
 *
 * With Cairn's memory settings (`gateway/environment-that-limits-engine-memory.ts`), JavaScriptCore collects when new
 * allocations reach a quarter of the live heap, and it examines the whole heap. A worker with 20 MB that
 * reads pages of 100 KB would collect garbage at every second page. This would take a quarter of its time.
 * Reserved memory counts as live, and uses no RAM while it is not written. V8 has a young generation and
 * needs no ballast.
 */
export function holdBallast(bytes: number): () => void {
  if (!IS_BUN) return () => undefined;
  ballast.memory ??= new ArrayBuffer(bytes);
  ballast.held += 1;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    ballast.held -= 1;
    if (ballast.held === 0) ballast.memory = undefined;
  };
}

/**
 * Runs a full garbage collection now. It examines all live objects, so it is useful in a thread that has just
 * released much memory. Only Bun has a function for this; in other JavaScript runtimes, nothing happens.
 */
export function collectGarbage(): void {
  if (IS_BUN) Bun.gc(true);
}

/** Starts a worker from a module. */
export function spawnThread(module: URL, name: string): Thread {
  const worker = new Worker(module, { type: "module", name, ...SMALL_HEAP });
  const listeners: ((frame: unknown) => void)[] = [];
  worker.onmessage = (event: MessageEvent) => {
    for (const listener of listeners) listener(event.data);
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<Error | undefined>();
  let last: Error | undefined;
  worker.onerror = (event: ErrorEvent) => {
    event.preventDefault();
    last = new Error(event.message);
    if (!EMITS_CLOSE) end(last);
  };
  worker.addEventListener("close", () => end(last));
  return {
    ended,
    post: (frame, transfer = []) => worker.postMessage(frame, transfer),
    listen: (take) => listeners.push(take),
    terminate: () => {
      worker.terminate();
      if (!EMITS_CLOSE) end(last);
    },
  };
}

/** Returns the message port to the parent thread. */
export function parentPort(): Port {
  // In a worker, `self` is the scope of the worker. The DOM types define only the window's `self`.
  const scope = self as unknown as {
    postMessage(frame: unknown, transfer: ArrayBuffer[]): void;
    addEventListener(type: "message", take: (event: MessageEvent) => void): void;
  };
  return {
    post: (frame, transfer = []) => scope.postMessage(frame, transfer),
    listen: (take) => scope.addEventListener("message", (event) => take(event.data)),
  };
}
