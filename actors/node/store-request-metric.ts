/** Publishes a metric with the number of requests that a thread has sent to the store. */
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
