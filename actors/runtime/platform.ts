/**
 * What differs between runtimes: threads. The only file of the runtime that may know which one it runs on.
 *
 * Workers are the web's, which Bun and Deno share; only how a dead one shows itself is particular to Bun:
 * `error` (an uncaught throw) and then `close`, and `close` also after `terminate()`.
 */
import type { Port } from "./bus.port.ts";

export interface Thread extends Port {
  /** Resolves when the thread has ended, with the last uncaught error if there was one. */
  readonly ended: Promise<Error | undefined>;
  terminate(): void;
}

/** Starts a worker from a module. */
export function spawnThread(module: URL, name: string): Thread {
  const worker = new Worker(module, { type: "module", name });
  const listeners: ((frame: unknown) => void)[] = [];
  worker.onmessage = (event: MessageEvent) => {
    for (const listener of listeners) listener(event.data);
  };
  const ended = new Promise<Error | undefined>((resolve) => {
    let last: Error | undefined;
    worker.onerror = (event: ErrorEvent) => {
      event.preventDefault();
      last = new Error(event.message);
      // Deno has no `close` event; there an uncaught error ends the thread.
      if (!("Bun" in globalThis)) resolve(last);
    };
    worker.addEventListener("close", () => resolve(last));
  });
  return {
    ended,
    post: (frame, transfer = []) => worker.postMessage(frame, transfer),
    listen: (take) => listeners.push(take),
    terminate: () => worker.terminate(),
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
