/**
 * Shows a state chart that a person can pan and zoom, and highlights its current states and taken transitions. The
 * chart is made as small as its frame needs, but its text stays readable. The server supplies the drawing as SVG, and
 * the page only changes the CSS classes of its elements.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type ApiError, asApiError, path } from "../console-api-client.ts";
import { PanZoom } from "../map/pan-zoom.ts";
import { ZoomButtons } from "../map/zoom-buttons.tsx";
import { Failure, Loading } from "../view-components.tsx";

/** Minimum scale of a fitted chart. At scale 1, its smallest text has 11 pixels. */
const READABLE_SCALE = 1;

const drawings = new Map<string, Promise<SVGSVGElement>>();

async function read(kind: string): Promise<SVGSVGElement> {
  const response = await fetch(path("/api/machines", kind, "diagram.svg"));
  if (!response.ok) throw new Error(`The diagram of ${kind} cannot be read (${response.status}).`);
  // The SVG's own style element is removed. The page's style sheet colours the drawing, and the page's
  // content policy forbids other styles.
  const text = (await response.text()).replace(/<style>[\s\S]*?<\/style>/, "");
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const { documentElement: svg } = parsed;
  if (!(svg instanceof SVGSVGElement)) throw new Error(`The diagram of ${kind} is no SVG.`);
  return svg;
}

function drawingOf(kind: string): Promise<SVGSVGElement> {
  const known = drawings.get(kind) ?? read(kind);
  drawings.set(kind, known);
  known.catch(() => drawings.delete(kind));
  return known;
}

interface ChartFrameProps {
  readonly kind: string;
  /** Ids of the states that the chart highlights as active. */
  readonly active: readonly string[];
  /** Ids of the transitions that are highlighted as taken. */
  readonly taken: readonly string[];
}

function highlight(
  svg: SVGSVGElement,
  name: string,
  attributes: readonly string[],
  ids: readonly string[],
): void {
  for (const lit of svg.querySelectorAll(`.${name}`)) lit.classList.remove(name);
  for (const id of ids) {
    for (const attribute of attributes) {
      for (const found of svg.querySelectorAll(`[${attribute}="${CSS.escape(id)}"]`))
        found.classList.add(name);
    }
  }
}

/** Returns the place of the innermost active state in the drawing. */
function activePart(drawing: SVGSVGElement): DOMRect | undefined {
  return [...drawing.querySelectorAll<SVGGraphicsElement>(".state.active")].at(-1)?.getBBox();
}

/** Returns the place of the dot that marks the machine's initial state. */
function startOfMachine(drawing: SVGSVGElement): DOMRect | undefined {
  return drawing.querySelector<SVGGraphicsElement>(".start")?.getBBox();
}

export function ChartFrame({ kind, active, taken }: ChartFrameProps) {
  const frame = useRef<HTMLElement>(null);
  const camera = useRef<PanZoom>(null);
  const [drawing, setDrawing] = useState<SVGSVGElement>();
  const [error, setError] = useState<ApiError>();

  useEffect(() => {
    let isGone = false;
    setDrawing(undefined);
    setError(undefined);
    drawingOf(kind).then(
      (svg) => {
        if (!isGone) setDrawing(document.importNode(svg, true));
      },
      (thrown) => {
        if (!isGone) setError(asApiError(thrown));
      },
    );
    return () => {
      isGone = true;
    };
  }, [kind]);

  useEffect(() => {
    const element = frame.current;
    if (!element || !drawing) return;
    element.querySelector("svg.chart")?.remove();
    element.prepend(drawing);
    const { width, height } = drawing.viewBox.baseVal;
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    const moved = new PanZoom({
      frame: element,
      extent: () => ({ x: 0, y: 0, width, height }),
      readableScale: READABLE_SCALE,
      focus: () => activePart(drawing) ?? startOfMachine(drawing),
      changed: ({ x, y, scale }) => {
        drawing.setAttribute(
          "viewBox",
          `${x} ${y} ${element.clientWidth / scale} ${element.clientHeight / scale}`,
        );
      },
    });
    camera.current = moved;
    moved.fit();
    return () => {
      moved.end();
      camera.current = null;
    };
  }, [drawing]);

  const activeIds = active.join(" ");
  const takenIds = taken.join(" ");
  // Each rendering creates new lists of ids, even if the ids are the same. So the effect depends on the
  // joined ids. It is a layout effect, because a plain effect would change the chart one frame later.
  useLayoutEffect(() => {
    if (!drawing) return;
    highlight(drawing, "active", ["data-state", "data-words"], active);
    highlight(drawing, "taken", ["data-transition"], taken);
    camera.current?.focusChanged();
  }, [drawing, activeIds, takenIds]);

  /** Centres the drawing on the innermost active state, at a scale at which its text is readable. */
  function showCurrent(): void {
    const shown = drawing && activePart(drawing);
    if (shown) camera.current?.show(shown, READABLE_SCALE);
  }

  if (error) return <Failure error={error} />;
  return (
    <div class="drawing">
      <section
        class="frame"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the drawing in this frame
        tabIndex={0}
        aria-label={`Statechart of ${kind}; arrows move it, plus and minus zoom, 0 fits it`}
      >
        {!drawing && <Loading what="Drawing" />}
      </section>
      <ZoomButtons of={camera} {...(active.length > 0 ? { showCurrent } : {})} />
    </div>
  );
}
