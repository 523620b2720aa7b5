/** Buttons that zoom and move a drawing. */
import type { RefObject } from "preact";
import type { PanZoom } from "./pan-zoom.ts";

const ZOOM = 1.4;

interface ZoomButtonsProps {
  readonly of: RefObject<PanZoom | null>;
  /** Zooms to the important part of the drawing, such as the active state, at a readable size. */
  readonly showCurrent?: () => void;
}

export function ZoomButtons({ of, showCurrent }: ZoomButtonsProps) {
  return (
    <fieldset class="zoom-buttons">
      <legend class="hidden-text">Zoom</legend>
      <button type="button" onClick={() => of.current?.zoom(ZOOM)} aria-label="Zoom in">
        +
      </button>
      <button type="button" onClick={() => of.current?.zoom(1 / ZOOM)} aria-label="Zoom out">
        −
      </button>
      {showCurrent && (
        <button type="button" onClick={showCurrent}>
          Where it is
        </button>
      )}
      <button type="button" onClick={() => of.current?.fit()} aria-label="Fit into the frame">
        Fit
      </button>
    </fieldset>
  );
}
