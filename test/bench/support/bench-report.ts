/** Prints a report as a table: figure, target and their ratio. */
import { type Report, type Row, verdictOf } from "./bench-module-interface.ts";

export function printReport(report: Report): void {
  const conditions = Object.entries(report.conditions).map(([name, value]) => `${name} ${value}`);
  console.log(`\n${report.bench}: ${conditions.join(" · ")}\n`);
  const lines = [["what", "figure", "target", "figure/target", ""], ...report.rows.map(cellsOf)];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  for (const cells of lines) {
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

function cellsOf(row: Row): string[] {
  const { target } = row;
  const figure = `${short(row.figure)} ${row.unit}`;
  const verdict = verdictOf(row);
  if (!target) return [row.name, figure, "", "", verdict];
  const wanted = `${target.bound} ${short(target.value)} (${target.label})`;
  // The ratio is the figure divided by the target. It is left out if the figure is invalid, or if the figure
  // and the target are zero.
  const noRatio = verdict === "invalid" || (row.figure === 0 && target.value === 0);
  return [row.name, figure, wanted, noRatio ? "" : short(row.figure / target.value), verdict];
}

function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
