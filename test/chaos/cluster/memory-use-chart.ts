/** Shows the memory of processes over time: its growth as a number, as a line of text and as an SVG chart. */

export interface Point {
  /** Time of the sample in milliseconds since the start of the measurement. */
  readonly at: number;
  /** Resident memory in bytes. */
  readonly rss: number;
}

export interface Series {
  readonly name: string;
  readonly points: Point[];
}

const mean = (points: readonly Point[]) =>
  points.reduce((sum, { rss }) => sum + rss, 0) / Math.max(points.length, 1);

/**
 * Returns the growth of the used memory after the warm-up: 0.1 means 10 %. The mean of the last quarter of the
 * samples is compared with the mean of the first quarter. Means are used because garbage collection makes single
 * samples vary.
 */
export function memoryGrowth(points: readonly Point[], warmUp: number): number {
  const after = points.filter(({ at }) => at >= warmUp);
  const quarter = Math.floor(after.length / 4);
  if (quarter === 0) return 0;
  return mean(after.slice(-quarter)) / mean(after.slice(0, quarter)) - 1;
}

const BLOCKS = "▁▂▃▄▅▆▇█";
const WIDTH = 60;

/**
 * Returns a line of block characters, one for each point in time. The height of a block is the memory
 * relative to the largest value.
 */
export function sparkline(points: readonly Point[]): string {
  const most = Math.max(...points.map(({ rss }) => rss), 1);
  const step = Math.max(points.length / WIDTH, 1);
  let line = "";
  for (let at = 0; at < points.length; at += step) {
    const rss = points[Math.floor(at)]?.rss ?? 0;
    line += BLOCKS[Math.min(Math.floor((rss / most) * BLOCKS.length), BLOCKS.length - 1)];
  }
  return line;
}

const CHART = { width: 900, height: 360, margin: 60 };
const COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700"];

export function drawChart(series: readonly Series[], length: number): string {
  const { width, height, margin } = CHART;
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ rss }) => rss)), 1) * 1.1;
  const x = (at: number) => margin + (at / length) * (width - 2 * margin);
  const y = (rss: number) => height - margin - (rss / most) * (height - 2 * margin);
  const lines = series.map(({ name, points }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const path = points.map(({ at, rss }) => `${x(at).toFixed(1)},${y(rss).toFixed(1)}`).join(" ");
    const label = `<text x="${width - margin + 6}" y="${20 + i * 18}" fill="${colour}">${name}</text>`;
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${path}"/>${label}`;
  });
  const scale = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const rss = most * share;
    const grid = `<line x1="${margin}" x2="${width - margin}" y1="${y(rss)}" y2="${y(rss)}" stroke="#ddd"/>`;
    const time = `<text x="${x(length * share)}" y="${height - margin + 18}" text-anchor="middle">${((length * share) / 60_000).toFixed(1)} min</text>`;
    return `${grid}<text x="${margin - 6}" y="${y(rss) + 4}" text-anchor="end">${(rss / 1e6).toFixed(0)} MB</text>${time}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    ...scale,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}
