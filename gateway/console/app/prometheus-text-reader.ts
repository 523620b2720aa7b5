/**
 * Reads the metrics of `/metrics` (Prometheus text format), and selects the metrics that the status view
 * shows.
 */

export interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

export function readMetrics(text: string): readonly Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^([a-zA-Z_:][\w:]*)(\{[^}]*\})? (\S+)/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, labels, value: Number(value) }];
  });
}

/**
 * The metrics that the status view shows, in this order. The pattern matches the name of a metric, and the
 * text is its label in the view.
 */
const SHOWN: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/actors/, "actors in memory"],
  [/mailbox/, "waiting messages"],
  [/shards/, "shards"],
  [/commands?_total/, "commands"],
  [/dead_letters/, "dead letters"],
  [/resident_memory_bytes/, "memory"],
];

function shown(name: string, value: number): string {
  if (/bytes/.test(name)) return `${Math.round(value / 2 ** 20)} MB`;
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

export function loadOf(
  samples: readonly Sample[],
): readonly { readonly name: string; readonly value: string }[] {
  return SHOWN.flatMap(([pattern, text]) => {
    const first = samples.find(({ name }) => pattern.test(name) && !/_bucket|_sum|_count$/.test(name));
    if (!first) return [];
    const sum = samples.filter(({ name }) => name === first.name).reduce((all, { value }) => all + value, 0);
    return [{ name: text, value: shown(first.name, sum) }];
  });
}
