/** Waits for a result that a check finds, for example for the end of a job. */
import type { Cairn } from "../actor-system-interface.ts";
import { toolLimits } from "./tool-limits.ts";

/**
 * Repeats the check until it returns a result. The check runs after each event of the topic, when the caller
 * disconnects (`signal`), and at the time `until`. Because events between nodes can be lost, it also runs at
 * an interval.
 */
export async function repeatOnEvents<Result>(
  cairn: Cairn,
  topic: string,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal | undefined },
  check: (isOver: () => boolean) => Promise<Result | undefined>,
): Promise<Result> {
  const isOver = (): boolean => performance.now() >= until || signal?.aborted === true;
  let wake = (): void => undefined;
  const onEvent = (): void => wake();
  const unwatch = cairn.watch(topic, onEvent);
  signal?.addEventListener("abort", onEvent);
  try {
    for (;;) {
      // The promise `woken` is created before the check, so that an event during the check causes another
      // check.
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const result = await check(isOver);
      if (result !== undefined) return result;
      const timer = setTimeout(resolve, Math.min(until - performance.now(), toolLimits.pollInterval));
      await woken;
      clearTimeout(timer);
    }
  } finally {
    unwatch();
    signal?.removeEventListener("abort", onEvent);
  }
}
