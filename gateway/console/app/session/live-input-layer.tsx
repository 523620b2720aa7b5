/**
 * A layer over the picture of a session. While a person has control, it sends mouse, wheel, keyboard and
 * clipboard events to the session.
 */
import { useEffect, useRef } from "preact/hooks";
import type { InputEvent } from "../../../../machines/session/outputs/live-view-schemas.ts";

const BUTTONS = ["left", "middle", "right"] as const;
/**
 * Minimum time in milliseconds between two mouse moves that are sent. The moves in between are dropped. A click does
 * not need them, because it contains its own position.
 */
const MOVE_EVERY = 40;

interface ControlSurfaceProps {
  readonly send: (events: readonly Partial<InputEvent>[]) => void;
  readonly release: () => void;
}

const modifiersOf = (event: MouseEvent | KeyboardEvent): number =>
  (event.altKey ? 1 : 0) + (event.ctrlKey ? 2 : 0) + (event.metaKey ? 4 : 0) + (event.shiftKey ? 8 : 0);

function positionOf(event: MouseEvent): { readonly x: number; readonly y: number } {
  // The cast is safe: only HTML elements have this listener.
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const share = (value: number): number => Math.min(1, Math.max(0, value));
  return {
    x: share((event.clientX - box.left) / box.width),
    y: share((event.clientY - box.top) / box.height),
  };
}

export function ControlSurface({ send, release }: ControlSurfaceProps) {
  const surface = useRef<HTMLTextAreaElement>(null);
  const moved = useRef(0);
  useEffect(() => surface.current?.focus(), []);
  const pressed = (type: "mouse_down" | "mouse_up", event: MouseEvent): void => {
    event.preventDefault();
    surface.current?.focus();
    const button = BUTTONS[event.button] ?? "left";
    const click_count = Math.min(3, Math.max(1, event.detail));
    send([{ type, ...positionOf(event), button, click_count, modifiers: modifiersOf(event) }]);
  };
  const key = (type: "key_down" | "key_up", event: KeyboardEvent): void => {
    // Ctrl+V is not sent as a key, because the paste event sends the text.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
    event.preventDefault();
    if (event.key === "Escape" && event.shiftKey) {
      release();
      return;
    }
    const { code, repeat } = event;
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    const text = event.key === "Enter" ? "\r" : isText ? event.key : undefined;
    const modifiers = modifiersOf(event);
    if (type === "key_up") send([{ type, key: event.key, code, modifiers }]);
    else send([{ type, key: event.key, code, modifiers, repeat, ...(text === undefined ? {} : { text }) }]);
  };
  return (
    <textarea
      ref={surface}
      class="control-surface"
      aria-label="The session's page. Your mouse and keyboard go to it; Shift and Escape give control back."
      autocomplete="off"
      spellcheck={false}
      value=""
      onMouseDown={(event) => pressed("mouse_down", event)}
      onMouseUp={(event) => pressed("mouse_up", event)}
      onContextMenu={(event) => event.preventDefault()}
      onMouseMove={(event) => {
        if (event.timeStamp - moved.current < MOVE_EVERY) return;
        moved.current = event.timeStamp;
        send([{ type: "mouse_move", ...positionOf(event), modifiers: modifiersOf(event) }]);
      }}
      onWheel={(event) => {
        event.preventDefault();
        const { deltaX: delta_x, deltaY: delta_y } = event;
        send([{ type: "wheel", ...positionOf(event), delta_x, delta_y, modifiers: modifiersOf(event) }]);
      }}
      onKeyDown={(event) => key("key_down", event)}
      onKeyUp={(event) => key("key_up", event)}
      onPaste={(event) => {
        event.preventDefault();
        const text = event.clipboardData?.getData("text") ?? "";
        if (text !== "") send([{ type: "paste", text }]);
      }}
    />
  );
}
