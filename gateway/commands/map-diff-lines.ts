/** Writes the differences between two maps as lines of text. */
import type { MapDiff } from "../../machines/knowledge/map-diff.ts";

export function diffLines({ equal, screens, transitions }: MapDiff): readonly string[] {
  if (equal) return ["The maps are equal."];
  const named = ({ name, address }: { readonly name: string; readonly address: string }) =>
    `${name}  ${address}`;
  const pair = ({ from, to }: { readonly from: string; readonly to: string }) => `${from} → ${to}`;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
  return [
    ...list("New screens", screens.came.map(named)),
    ...list("Gone screens", screens.went.map(named)),
    ...list("Changed screens", screens.changed.map(named)),
    ...list("New transitions", transitions.came.map(pair)),
    ...list("Gone transitions", transitions.went.map(pair)),
  ];
}

/** Summarises the differences between two maps in one line. */
export function diffSummary({ equal, screens, transitions }: MapDiff): string {
  if (equal) return "nothing has changed";
  const counts = [
    [screens.came.length, "new screens"],
    [screens.went.length, "gone screens"],
    [screens.changed.length, "changed screens"],
    [transitions.came.length, "new transitions"],
    [transitions.went.length, "gone transitions"],
  ] as const;
  return counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(", ");
}
