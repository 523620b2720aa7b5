/**
 * What differs between runtimes: threads and their heaps. The only file of the runtime that may know which one it runs on.
 *
 * Workers are the web's, which Bun and Deno share; only how a dead one shows itself is particular. On Bun it is
 * `error` (an uncaught throw) and then `close`, and `close` also after `terminate()` and after it has ended itself.
 * On Deno it is `error` alone: whoever terminates a thread knows that it ended, and one that ended itself is found
 * out when it lets its leases run out.
 */
import type { Port } from "./drivers/bus.port.ts";

export interface Thread extends Port {
  /** Resolves when the thread has ended, with the last uncaught error if there was one. */
  readonly ended: Promise<Error | undefined>;
  terminate(): void;
}

const IS_BUN = "Bun" in globalThis;

/** Does a thread that ended say so by an event? */
const TELLS_CLOSE = IS_BUN;

/** Bun's word for a heap that is collected sooner, which other runtimes do not heed: workers hold little, make much. */
const SMALL_HEAP = { smol: true };

/** The thread's ballast, and for how much work it is held. */
const ballast = { held: 0, memory: undefined as ArrayBuffer | undefined };

/**
 * Lets this thread make more garbage between two collections, without holding more of anything, until the function that
 * it answers is called. However much work asks for that at once, the thread has one ballast.
 *
 * With the growth that a Cairn grants JavaScriptCore (`gateway/memory.ts`), it collects when what was allocated since the
 * last time reaches a quarter of what is alive, and then looks at all of that. A worker with 20 MB alive that reads pages
 * of 100 KB does so every second page, and spends a quarter of its time on it. Memory that is reserved and never touched counts as
 * alive and takes no room. V8 has a generation for what is young and needs none.
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
 * Gives back what this thread holds no longer, now instead of when it needs room. It looks at everything that is alive,
 * so it is for a thread that has just let go of much and holds little. V8 gives no thread a way to ask for it.
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
    if (!TELLS_CLOSE) end(last);
  };
  worker.addEventListener("close", () => end(last));
  return {
    ended,
    post: (frame, transfer = []) => worker.postMessage(frame, transfer),
    listen: (take) => listeners.push(take),
    terminate: () => {
      worker.terminate();
      if (!TELLS_CLOSE) end(last);
    },
  };
}

/** The port to the thread that started this one. */
export function parentPort(): Port {
  // In a worker `self` is its own scope; the DOM types know only the window's.
  const scope = self as unknown as {
    postMessage(frame: unknown, transfer: ArrayBuffer[]): void;
    addEventListener(type: "message", take: (event: MessageEvent) => void): void;
  };
  return {
    post: (frame, transfer = []) => scope.postMessage(frame, transfer),
    listen: (take) => scope.addEventListener("message", (event) => take(event.data)),
  };
}
