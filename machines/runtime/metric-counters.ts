/**
 * Metrics as plain data: each thread counts for itself, and the counts of all threads are merged. The package
 * prom-client supports only one thread, and an increment takes 300 to 600 ns there instead of 5 to 20 ns (Bun
 * 1.4.5).
 */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface HistogramSample {
  readonly labels: Readonly<Record<string, string>>;
  /**
   * For each bucket in the metric's `bounds`, the number of values in it. The last entry is the number of
   * values above the last bound.
   */
  readonly counts: readonly number[];
  readonly sum: number;
}

interface Described {
  readonly name: string;
  readonly help: string;
}

/** All samples of the metric, one for each combination of labels. */
export type MetricFamily = Described &
  (
    | { readonly type: "counter" | "gauge"; readonly samples: readonly Sample[] }
    | {
        readonly type: "histogram";
        readonly bounds: readonly number[];
        readonly samples: readonly HistogramSample[];
      }
  );

const labelKey = (labels: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(labels).sort());

function merged<S extends { readonly labels: Readonly<Record<string, string>> }>(
  samples: readonly S[],
  add: (a: S, b: S) => S,
): S[] {
  const byLabels = new Map<string, S>();
  for (const sample of samples) {
    const key = labelKey(sample.labels);
    const known = byLabels.get(key);
    byLabels.set(key, known ? add(known, sample) : sample);
  }
  return [...byLabels.values()];
}

const addSamples = (a: Sample, b: Sample): Sample => ({ labels: a.labels, value: a.value + b.value });
const addHistograms = (a: HistogramSample, b: HistogramSample): HistogramSample => ({
  labels: a.labels,
  counts: a.counts.map((count, i) => count + (b.counts[i] ?? 0)),
  sum: a.sum + b.sum,
});

/** Merges metrics that have the same name. Values with the same labels are added. */
export function mergeMetrics(families: readonly MetricFamily[]): readonly MetricFamily[] {
  const byName = new Map<string, MetricFamily>();
  for (const family of families) {
    const known = byName.get(family.name);
    if (!known) byName.set(family.name, family);
    else if (known.type === "histogram" && family.type === "histogram") {
      byName.set(family.name, { ...known, samples: [...known.samples, ...family.samples] });
    } else if (known.type !== "histogram" && family.type !== "histogram") {
      byName.set(family.name, { ...known, samples: [...known.samples, ...family.samples] });
    }
  }
  return [...byName.values()].map((family) =>
    family.type === "histogram"
      ? { ...family, samples: merged(family.samples, addHistograms) }
      : { ...family, samples: merged(family.samples, addSamples) },
  );
}
