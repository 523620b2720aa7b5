/**
 * How many requests a thread has made to the store, as a metric. Neighbours: `worker.ts` tells it for its thread,
 * `node.ts` for the node's own.
 */
import type { MetricFamily } from "../../machines/runtime/metrics.ts";
import type { Store } from "../../store/index.ts";

export function storeStatements({ statements: { ok, failed } }: Pick<Store, "statements">): MetricFamily {
  return {
    name: "cairn_store_statements_total",
    help: "Requests to the store, each of one statement or one transaction",
    type: "counter",
    samples: [
      { labels: { result: "ok" }, value: ok },
      { labels: { result: "failed" }, value: failed },
    ],
  };
}
