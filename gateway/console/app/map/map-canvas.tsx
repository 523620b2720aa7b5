/** A frame with the drawn map, which the person can move. A click on a screen selects the screen. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { MapGraph } from "../../../../machines/knowledge/map-drawing-graph.ts";
import { consoleStore } from "../console-app-state.ts";
import { useStore } from "../preact-store-hooks.ts";
import { layOutMap, type PlacedScreen } from "./map-drawing-layout.ts";
import { coloursOf, type MapFocus, MapPainter } from "./map-painter.ts";
import { PanZoom } from "./pan-zoom.ts";
import { ZoomButtons } from "./zoom-buttons.tsx";

interface MapCanvasProps {
  readonly graph: MapGraph;
  readonly focus: MapFocus;
  readonly choose: (screenId: string | undefined) => void;
}

/**
 * A click on the map also selects a screen if it is at most this number of pixels outside of the screen's
 * circle.
 */
const PRESS_SLACK = 6;
/**
 * Minimum radius of a drawn screen, in pixels, at which its name is readable. If a selected screen is
 * smaller, the map zooms in.
 */
const READABLE_RADIUS = 9;
/** Maximum zoom to which a small map is enlarged to fill its frame. */
const LARGEST_FIT = 2.5;
/**
 * If a selected screen is drawn too small, the map zooms in until the screen has this radius, in pixels. The
 * neighbours of the screen are then readable too.
 */
const CHOSEN_RADIUS = 16;

export function MapCanvas({ graph, focus, choose }: MapCanvasProps) {
  const frame = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef<PanZoom>(null);
  const repaint = useRef(() => {});
  const shown = useRef(focus);
  shown.current = focus;
  const chooser = useRef(choose);
  chooser.current = choose;
  const layout = useMemo(() => layOutMap(graph), [graph]);
  const theme = useStore(consoleStore, (state) => state.theme);

  useEffect(() => {
    const [element, surface] = [frame.current, canvas.current];
    if (!element || !surface) return;
    const painter = new MapPainter(surface, layout);
    let colours = coloursOf(element);
    let requested = 0;
    const paint = (): void => {
      requested = 0;
      if (camera.current) painter.paint(camera.current.camera, shown.current, colours);
    };
    repaint.current = () => {
      requested ||= requestAnimationFrame(paint);
    };
    const isUnder = (x: number, y: number, scale: number) => (placed: PlacedScreen) =>
      Math.hypot(placed.x - x, placed.y - y) <= placed.radius + PRESS_SLACK / scale;
    const moved = new PanZoom({
      frame: element,
      extent: () => ({ x: 0, y: 0, width: layout.size, height: layout.size }),
      fittedScale: LARGEST_FIT,
      changed: () => repaint.current(),
      pressed: (x, y) => {
        const found = layout.screens.find(isUnder(x, y, moved.camera.scale));
        chooser.current(found?.screen.screen_id);
      },
    });
    camera.current = moved;
    moved.fit();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const recolour = (): void => {
      colours = coloursOf(element);
      repaint.current();
    };
    scheme.addEventListener("change", recolour);
    const { unsubscribe } = consoleStore.subscribe(() => requestAnimationFrame(recolour));
    return () => {
      scheme.removeEventListener("change", recolour);
      unsubscribe();
      cancelAnimationFrame(requested);
      moved.end();
    };
  }, [layout]);
  // The map is painted again when the theme changes, because each theme has its own colours.
  useEffect(() => repaint.current(), [focus.chosen, focus.found, theme]);

  useEffect(() => {
    const placed = focus.chosen === undefined ? undefined : layout.byId.get(focus.chosen);
    const { current } = camera;
    if (!placed || !current) return;
    const { x, y, radius } = placed;
    if (current.shows(x, y) && radius * current.camera.scale >= READABLE_RADIUS) return;
    const part = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
    current.show(part, Math.max(current.camera.scale, Math.min(4, CHOSEN_RADIUS / radius)));
  }, [focus.chosen, layout]);

  return (
    <div class="drawing">
      <section
        class="frame"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the drawing in this frame
        tabIndex={0}
        aria-label="The map; arrows move it, plus and minus zoom, 0 fits it. The list of screens says the same."
      >
        <canvas ref={canvas} />
      </section>
      <ZoomButtons of={camera} />
    </div>
  );
}
