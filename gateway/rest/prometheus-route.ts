/**
 * `GET /metrics` in the Prometheus text format 0.0.4: the metrics of this node and its process. While the
 * system starts, only the process is reported. Labels are `kind` and `result`, and never an id, which would
 * create a series for each actor.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import type { MetricFamily } from "../../machines/runtime/metric-counters.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { operation, outputSchemaOf } from "./openapi-operation.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function labelled(name: string, labels: Readonly<Record<string, string>>, more: string[] = []): string {
  const all = [...Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`), ...more];
  return all.length === 0 ? name : `${name}{${all.join(",")}}`;
}

function lines(family: MetricFamily): readonly string[] {
  const { name, help, type } = family;
  const head = [
    `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
    `# TYPE ${name} ${type}`,
  ];
  if (family.type !== "histogram") {
    return [...head, ...family.samples.map(({ labels, value }) => `${labelled(name, labels)} ${value}`)];
  }
  const { bounds } = family;
  return [
    ...head,
    ...family.samples.flatMap(({ labels, counts, sum }) => {
      let below = 0;
      const buckets = counts.map((count, i) => {
        below += count;
        return `${labelled(`${name}_bucket`, labels, [`le="${bounds[i] ?? "+Inf"}"`])} ${below}`;
      });
      return [
        ...buckets,
        `${labelled(`${name}_sum`, labels)} ${sum}`,
        `${labelled(`${name}_count`, labels)} ${below}`,
      ];
    }),
  ];
}

/** Returns the metrics as text. Metrics without samples are omitted. */
function exposition(families: readonly MetricFamily[]): string {
  const shown = families.filter(({ samples }) => samples.length > 0);
  return `${shown.flatMap(lines).join("\n")}\n`;
}

function processMetrics(): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const metric = (name: string, help: string, type: "counter" | "gauge", value: number): MetricFamily => ({
    name,
    help,
    type,
    samples: [{ labels: {}, value }],
  });
  return [
    metric("process_cpu_seconds_total", "CPU time of this process", "counter", (user + system) / 1e6),
    metric("process_resident_memory_bytes", "Resident memory of this process", "gauge", rss),
    metric("process_heap_bytes", "Heap of the main thread that is in use", "gauge", heapUsed),
    metric(
      "process_start_time_seconds",
      "When this process started, since the epoch",
      "gauge",
      Math.round(Date.now() / 1_000 - process.uptime()),
    ),
  ];
}

const documentation = operation({
  operationId: "getMetrics",
  summary: "Metrics of this node, for Prometheus",
  tag: "Operations",
  scope: "read",
  answer: outputSchemaOf(z.string()),
  errors: [401, 403, 500],
});
const textResponse = {
  description: "The text format of Prometheus, version 0.0.4",
  content: { "text/plain": { schema: { type: "string" as const } } },
};

export function metricsRoutes(surface: Surface) {
  return new Elysia({ name: "metrics" }).get(
    "/metrics",
    async () => {
      const families = (await surface.system.current?.operations.metrics()) ?? [];
      const text = exposition([...families, ...processMetrics()]);
      return new Response(text, { headers: { "content-type": CONTENT_TYPE } });
    },
    {
      ...documentation,
      detail: {
        ...documentation.detail,
        responses: { ...documentation.detail.responses, "200": textResponse },
      },
    },
  );
}
