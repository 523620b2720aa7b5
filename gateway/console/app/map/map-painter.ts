/**
 * Paints a map on a canvas, after the layout has placed its screens. Zoomed out, it paints sections with
 * their names; zoomed in, screens with names and transitions. The neighbours of the selected screen are
 * painted at any zoom.
 */

import { type LabelWish, placeLabels } from "./map-drawing-labels.ts";
import type { MapLayout, PlacedEdge, PlacedScreen } from "./map-drawing-layout.ts";
import type { Camera } from "./pan-zoom.ts";

/** Minimum radius in pixels of a screen's circle at which the screen's name and transitions are drawn. */
const NAMED_RADIUS = 9;
/** A section's name is drawn if the section's circle has at least this radius, in pixels. */
const NAMED_SECTION = 26;
const LABEL_SIZE = 12;
/**
 * Maximum number of edges that are drawn. If more are visible, those of the screens with the most connections
 * are drawn.
 */
const MOST_EDGES = 2_500;

export interface MapColours {
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly paper: string;
  readonly section: string;
  readonly screen: string;
  readonly chosen: string;
  readonly out: string;
  readonly into: string;
  readonly found: string;
}

/** The screens that are highlighted because the person selected or searched for them. */
export interface MapFocus {
  readonly chosen: string | undefined;
  /** Ids of screens that match the search; `undefined` without a search. */
  readonly found: ReadonlySet<string> | undefined;
}

export function coloursOf(element: Element): MapColours {
  // A canvas cannot use the CSS function `light-dark()`. So each colour is read from a temporary element, for
  // which the browser has computed it.
  const sample = element.appendChild(document.createElement("span"));
  const colour = (name: string): string => {
    sample.style.color = `var(${name})`;
    return getComputedStyle(sample).color;
  };
  const colours = {
    ink: colour("--ink"),
    soft: colour("--soft"),
    line: colour("--line"),
    paper: colour("--paper"),
    section: colour("--map-section"),
    screen: colour("--map-screen"),
    chosen: colour("--accent"),
    out: colour("--accent"),
    into: colour("--warm"),
    found: colour("--warm"),
  };
  sample.remove();
  return colours;
}

/** Chooses which labels are drawn in the visible part of the map. Positions are in pixels of the frame. */
export function labelsOf(
  layout: MapLayout,
  { x, y, scale }: Camera,
  { width, height }: { readonly width: number; readonly height: number },
  { chosen, found }: MapFocus,
  near: ReadonlySet<string>,
): ReturnType<typeof placeLabels> {
  const wishes: LabelWish[] = [];
  const isSeen = (px: number, py: number): boolean => px > 0 && py > 0 && px < width && py < height;
  for (const { screen, x: cx, y: cy, radius, degree } of layout.screens) {
    const id = screen.screen_id;
    const isChosen = id === chosen;
    const isImportant = isChosen || near.has(id) || found?.has(id) === true;
    const pixels = radius * scale;
    if (!isImportant && pixels < NAMED_RADIUS) continue;
    const [px, py] = [(cx - x) * scale, (cy - y) * scale];
    if (!isSeen(px, py)) continue;
    const weight = (isChosen ? 1e6 : isImportant ? 1e5 : 0) + degree + pixels;
    wishes.push({ text: screen.name, x: px, y: py + pixels + LABEL_SIZE + 2, size: LABEL_SIZE, weight });
  }
  for (const { name, x: cx, y: cy, radius, screens, depth } of layout.sections) {
    const pixels = radius * scale;
    if (pixels < NAMED_SECTION || pixels > Math.max(width, height)) continue;
    const [px, py] = [(cx - x) * scale, (cy - y - radius) * scale];
    if (!isSeen(px, Math.max(1, py))) continue;
    const size = Math.min(18, Math.max(12, pixels / 7));
    wishes.push({
      text: `${name} (${screens})`,
      x: px,
      y: py + size + 4,
      size,
      weight: 2e4 / depth + screens,
    });
  }
  return placeLabels(wishes);
}

/** Returns the ids of the screens that a transition connects with the given screen, in either direction. */
function neighboursOf(layout: MapLayout, id: string | undefined): ReadonlySet<string> {
  const near = new Set<string>();
  if (id === undefined) return near;
  for (const { transition } of layout.edges) {
    if (transition.from === id) near.add(transition.to);
    if (transition.to === id) near.add(transition.from);
  }
  return near;
}

export class MapPainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #layout: MapLayout;
  /** The edges of the map. The edges between the screens with the most connections come first. */
  readonly #edges: readonly PlacedEdge[];
  #near: { readonly of: string | undefined; readonly ids: ReadonlySet<string> } = {
    of: undefined,
    ids: new Set(),
  };

  constructor(canvas: HTMLCanvasElement, layout: MapLayout) {
    this.#canvas = canvas;
    this.#layout = layout;
    const weight = ({ from, to }: PlacedEdge): number => from.degree + to.degree;
    this.#edges = layout.edges.toSorted((one, other) => weight(other) - weight(one));
  }

  paint(camera: Camera, focus: MapFocus, colours: MapColours): void {
    const context = this.#canvas.getContext("2d");
    if (!context) return;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const ratio = Math.min(2, devicePixelRatio);
    const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.#canvas.width !== pixelWidth || this.#canvas.height !== pixelHeight) {
      this.#canvas.width = pixelWidth;
      this.#canvas.height = pixelHeight;
    }
    if (this.#near.of !== focus.chosen) {
      this.#near = { of: focus.chosen, ids: neighboursOf(this.#layout, focus.chosen) };
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.save();
    context.scale(camera.scale, camera.scale);
    context.translate(-camera.x, -camera.y);
    this.#sections(context, camera, colours);
    this.#lines(context, camera, focus, colours, { width, height });
    this.#screens(context, camera, focus, colours);
    context.restore();
    this.#labels(context, camera, focus, colours, { width, height });
  }

  #sections(context: CanvasRenderingContext2D, { scale }: Camera, { section, line }: MapColours): void {
    context.lineWidth = 1 / scale;
    context.strokeStyle = line;
    context.fillStyle = section;
    for (const { x, y, radius } of this.#layout.sections) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }

  #lines(
    context: CanvasRenderingContext2D,
    { x, y, scale }: Camera,
    { chosen }: MapFocus,
    colours: MapColours,
    { width, height }: { readonly width: number; readonly height: number },
  ): void {
    const [right, bottom] = [x + width / scale, y + height / scale];
    const isSeen = (screen: PlacedScreen): boolean =>
      screen.x > x && screen.x < right && screen.y > y && screen.y < bottom;
    const typical = this.#layout.screens[0]?.radius ?? 1;
    context.strokeStyle = colours.line;
    if (typical * scale < NAMED_RADIUS / 2) {
      for (const { from, to, count } of this.#layout.sectionEdges) {
        context.lineWidth = Math.min(6, 0.6 + Math.log2(count)) / scale;
        context.beginPath();
        context.moveTo(from.x, from.y);
        context.lineTo(to.x, to.y);
        context.stroke();
      }
    } else {
      let drawn = 0;
      context.lineWidth = 1 / scale;
      for (const isInferred of [false, true]) {
        context.setLineDash(isInferred ? [4 / scale, 4 / scale] : []);
        context.beginPath();
        for (const { from, to, transition } of this.#edges) {
          if (transition.inferred !== isInferred || drawn >= MOST_EDGES || (!isSeen(from) && !isSeen(to)))
            continue;
          context.moveTo(from.x, from.y);
          context.lineTo(to.x, to.y);
          drawn += 1;
        }
        context.stroke();
      }
      context.setLineDash([]);
    }
    if (chosen === undefined) return;
    context.lineWidth = 2 / scale;
    for (const { from, to, transition } of this.#layout.edges) {
      const isOut = transition.from === chosen;
      if (!isOut && transition.to !== chosen) continue;
      context.strokeStyle = isOut ? colours.out : colours.into;
      context.setLineDash(transition.inferred ? [5 / scale, 5 / scale] : []);
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
    context.setLineDash([]);
  }

  #screens(
    context: CanvasRenderingContext2D,
    { scale }: Camera,
    { chosen, found }: MapFocus,
    colours: MapColours,
  ): void {
    const near = this.#near.ids;
    for (const { screen, x, y, radius } of this.#layout.screens) {
      const id = screen.screen_id;
      const isChosen = id === chosen;
      const isFaded = found ? !found.has(id) : chosen !== undefined && !isChosen && !near.has(id);
      context.globalAlpha = isFaded ? 0.3 : 1;
      context.fillStyle = isChosen ? colours.chosen : found?.has(id) ? colours.found : colours.screen;
      context.beginPath();
      context.arc(x, y, Math.max(radius, 1.5 / scale), 0, 2 * Math.PI);
      context.fill();
      if (isChosen) {
        context.lineWidth = 3 / scale;
        context.strokeStyle = colours.ink;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  #labels(
    context: CanvasRenderingContext2D,
    camera: Camera,
    focus: MapFocus,
    { ink, paper }: MapColours,
    frame: { readonly width: number; readonly height: number },
  ): void {
    context.textAlign = "center";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = paper;
    context.fillStyle = ink;
    for (const { text, x, y, size } of labelsOf(this.#layout, camera, frame, focus, this.#near.ids)) {
      context.font = `${size > LABEL_SIZE ? "600 " : ""}${size}px system-ui, sans-serif`;
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }
}
