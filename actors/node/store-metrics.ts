/** Counts the store requests of a thread and publishes the count as a metric. */
import type { MetricFamily } from "../../machines/runtime/metric-counters.ts";
import type { Store } from "../../store/index.ts";

export function storeMetrics({ statements: { ok, failed } }: Pick<Store, "statements">): MetricFamily {
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
