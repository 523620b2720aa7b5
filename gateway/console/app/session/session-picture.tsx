/** Shows the picture of a session with its elements as boxes. The person can point at a box and act on it. */
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { useStore } from "../preact-store-hooks.ts";
import { Failure, Loading } from "../view-components.tsx";
import { ControlSurface } from "./live-input-layer.tsx";
import type { ViewStream } from "./live-view-client.ts";
import type { SessionStore } from "./session-view-state.ts";

export function nameOf(element: HighlightedElement): string {
  const { ariaLabel, labelText, textContent, placeholder, icon, tagName } = element;
  return ariaLabel || labelText || textContent?.trim() || placeholder || icon || tagName;
}

interface SessionPictureProps {
  readonly store: SessionStore;
  readonly showBoxes: boolean;
  readonly chosen: (element: HighlightedElement) => void;
  readonly retry: () => void;
  /** Sends the input of a person who controls the browser; `undefined` without live video. */
  readonly stream?: ViewStream | undefined;
}

export function SessionPicture({ store, showBoxes, chosen, retry, stream }: SessionPictureProps) {
  const { picture, live, control, analysis, error, pointed } = useStore(store, (state) => state);
  const src = live?.src ?? (picture && `data:${picture.mime_type};base64,${picture.data}`);
  if (src === undefined)
    return error ? <Failure error={error} retry={retry} /> : <Loading what="Taking a picture" />;
  const { scroll } = analysis ?? {};
  const [width, height] = [
    scroll?.viewport_width ?? live?.width ?? 1_280,
    scroll?.viewport_height ?? live?.height ?? 800,
  ];
  const boxes = (analysis?.highlightedElements ?? []).filter(({ in_viewport }) => in_viewport);
  return (
    <figure class="picture">
      {error && <Failure error={error} retry={retry} />}
      <div class="picture-frame">
        <img src={src} alt={`The session's page: ${analysis?.title ?? picture?.url ?? ""}`} />
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {boxes.map((element) => {
            const { box, highlight_index: index } = element;
            const isPointed = pointed === index;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the list of elements offers the same to the keyboard
              <g
                key={index}
                class={`box ${element.interactionType} ${isPointed ? "pointed" : ""} ${showBoxes ? "" : "unseen"}`}
                onClick={() => chosen(element)}
                onPointerEnter={() => store.trigger.point({ index })}
                onPointerLeave={() => store.trigger.point({ index: undefined })}
              >
                <rect
                  x={box.x - (scroll?.x ?? 0)}
                  y={box.y - (scroll?.y ?? 0)}
                  width={box.width}
                  height={box.height}
                  rx={3}
                />
                {showBoxes && (
                  <text x={box.x - (scroll?.x ?? 0) + 2} y={Math.max(11, box.y - (scroll?.y ?? 0) - 3)}>
                    {index}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
        {control.mine && stream && <ControlSurface send={stream.input} release={stream.releaseControl} />}
      </div>
      <figcaption class="soft mono">{analysis?.url ?? picture?.url}</figcaption>
    </figure>
  );
}
