/**
 * Draws a placed chart as SVG. Elements have the attributes `data-state` and `data-transition`, so that a
 * page can highlight them. Colours are CSS variables with light defaults.
 */
import { escapeHtml } from "../escaped-html-template.ts";
import { METRICS, textWidth } from "./statechart-boxes.ts";
import type { Placed, PlacedLine, PlacedState } from "./statechart-layout.ts";

const { title: TITLE, text: TEXT, padding: PADDING, line: STEP, titleLine: TITLE_LINE } = METRICS;
/** Distance from the vertical middle of a line of text down to its base line, as a share of the font size. */
const BASELINE = 0.36;

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Draws a text with a fixed width, so that the reader's font cannot change the layout. */
function text(content: string, x: number, y: number, size: number, more = ""): string {
  const width = n(textWidth(content, size));
  return `<text x="${n(x)}" y="${n(y)}" font-size="${size}" textLength="${width}" lengthAdjust="spacingAndGlyphs"${more}>${escapeHtml(content)}</text>`;
}

function drawState({ state, box, place, depth }: PlacedState): string {
  const { x, y, width, height } = place;
  const id = escapeHtml(state.id);
  const about = state.description === null ? "" : escapeHtml(`: ${state.description}`);
  const open = `<g class="state ${state.type}" data-state="${id}" data-depth="${depth}"><title>${id}${about}</title>`;
  if (state.type === "history") {
    return `${open}<circle class="box" cx="${n(x + width / 2)}" cy="${n(y + height / 2)}" r="${n(width / 2)}" fill="#fff" stroke="#555"/></g>`;
  }
  const frame = `<rect class="box" x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="8" fill="#fff" stroke="#555"/>`;
  const inner =
    state.type === "final"
      ? `<rect class="inner" x="${n(x + 3)}" y="${n(y + 3)}" width="${n(width - 6)}" height="${n(height - 6)}" rx="6" fill="none" stroke="#555"/>`
      : "";
  const under = y + TITLE_LINE + 2;
  const rule =
    box.lines.length > 0
      ? `<line class="rule" x1="${n(x)}" x2="${n(x + width)}" y1="${n(under)}" y2="${n(under)}" stroke="#bbb"/>`
      : "";
  return `${open}${frame}${inner}${rule}</g>`;
}

/**
 * Returns the SVG of a state's text. In the document, the text must come after the lines of the transitions, so that
 * it is drawn over a line that crosses the state.
 */
function writeState({ state, box, place }: PlacedState): string {
  const { x, y, width, height } = place;
  const open = `<g class="words" data-words="${escapeHtml(state.id)}">`;
  if (state.type === "history") {
    const sign = state.history === "deep" ? "H*" : "H";
    return `${open}${text(sign, x + width / 2 - textWidth(sign, TITLE) / 2, y + height / 2 + TITLE * BASELINE, TITLE)}</g>`;
  }
  const around = state.type === "compound" || state.type === "parallel";
  const backdrop = (content: string, size: number, base: number): string =>
    around
      ? `<rect class="backdrop" x="${n(x + PADDING - 2)}" y="${n(base - size)}" width="${n(textWidth(content, size) + 4)}" height="${n(size + 4)}" fill="#fff"/>`
      : "";
  const middle = box.lines.length === 0 && !around ? height / 2 : TITLE_LINE / 2 + 1;
  const base = y + middle + TITLE * BASELINE;
  const title = `${backdrop(box.title, TITLE, base)}${text(box.title, x + PADDING, base, TITLE, ' class="name" font-weight="600"')}`;
  const lines = box.lines.map((line, i) => {
    const base = y + TITLE_LINE + 4 + STEP * (i + 0.5) + TEXT * BASELINE;
    const words = `${backdrop(line.text, TEXT, base)}${text(line.text, x + PADDING, base, TEXT)}`;
    return line.transition === undefined
      ? words
      : `<g class="inside" data-transition="${escapeHtml(line.transition)}"><title>${escapeHtml(line.title)}</title><rect class="pill" x="${n(x + 5)}" y="${n(base - STEP * 0.74)}" width="${n(textWidth(line.text, TEXT) + 2 * PADDING - 10)}" height="${STEP}" rx="4" fill="none"/>${words}</g>`;
  });
  return `${open}${title}${lines.join("")}</g>`;
}

/** Draws an orthogonal line with rounded corners. */
function path(points: PlacedLine["points"]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let drawn = `M${n(first.x)} ${n(first.y)}`;
  rest.forEach((point, i) => {
    const next = rest[i + 1];
    const before = i === 0 ? first : rest[i - 1];
    if (!next || !before) {
      drawn += `L${n(point.x)} ${n(point.y)}`;
      return;
    }
    const radius = Math.min(6, distance(before, point) / 2, distance(point, next) / 2);
    const from = towards(point, before, radius);
    const to = towards(point, next, radius);
    drawn += `L${n(from.x)} ${n(from.y)}Q${n(point.x)} ${n(point.y)} ${n(to.x)} ${n(to.y)}`;
  });
  return drawn;
}

interface Point {
  readonly x: number;
  readonly y: number;
}
const distance = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);
function towards(from: Point, to: Point, by: number): Point {
  const far = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * by) / far, y: from.y + ((to.y - from.y) * by) / far };
}

function drawLine({ transition, points }: PlacedLine): string {
  const drawn = `<path class="line" d="${path(points)}" fill="none" stroke="#555" marker-end="url(#arrow)"/>`;
  return transition
    ? `<g class="transition" data-transition="${escapeHtml(transition.id)}">${drawn}</g>`
    : `<g class="first">${drawn}</g>`;
}

function drawLabel({ transition, label }: PlacedLine): string {
  if (!transition || !label) return "";
  const { box, place } = label;
  const x = place.x;
  const rows = box.lines.map((line, i) => {
    const width = textWidth(line.text, TEXT);
    const base = place.y + 1 + STEP * (i + 0.5) + TEXT * BASELINE;
    return text(line.text, x + (place.width - width) / 2, base, TEXT, i === 0 ? "" : ' class="guard"');
  });
  return `<g class="label" data-transition="${escapeHtml(transition.id)}"><title>${escapeHtml(box.title)}</title><rect class="pill" x="${n(x)}" y="${n(place.y)}" width="${n(place.width)}" height="${n(place.height)}" rx="5" fill="#fff" stroke="#ccc"/>${rows.join("")}</g>`;
}

/** Returns the `<svg>` element for a page whose style sheet colours it. */
export function drawChart(placed: Placed, name: string): string {
  const { width, height, states, lines, starts } = placed;
  const dots = starts.map(
    ({ x, y, width: size }) =>
      `<circle class="start" cx="${n(x + size / 2)}" cy="${n(y + size / 2)}" r="${n(size / 2)}" fill="#555"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label="Statechart of ${escapeHtml(name)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace">`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head" d="M0 0.5L8 4L0 7.5z" fill="#555"/></marker>',
    '<marker id="arrow-taken" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head taken" d="M0 0.5L8 4L0 7.5z" fill="#555"/></marker></defs>',
    ...states.map(drawState),
    ...dots,
    ...lines.map(drawLine),
    ...states.map(writeState),
    ...lines.map(drawLabel),
    "</svg>",
  ].join("\n");
}
