/** Receives the live picture of a session, and sends the input of the person who has taken control. */
import type { InputEvent } from "../../../../machines/session/outputs/live-view-schemas.ts";
import { path } from "../console-api-client.ts";
import type { SessionStore } from "./session-view-state.ts";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;

interface ViewMessage {
  readonly type: string;
  readonly mine?: boolean;
  readonly held_by?: string | null;
  readonly error?: { readonly message: string };
}

export interface ViewStream {
  readonly takeControl: () => void;
  readonly releaseControl: () => void;
  readonly input: (events: readonly Partial<InputEvent>[]) => void;
  readonly end: () => void;
}

/**
 * Converts a JPEG to a data URL. For pictures in memory, the console's content policy permits no other URLs.
 */
function dataUrl(jpeg: Uint8Array): string {
  let binary = "";
  const step = 8_192;
  for (let at = 0; at < jpeg.length; at += step) {
    binary += String.fromCharCode(...jpeg.subarray(at, at + step));
  }
  return `data:image/jpeg;base64,${btoa(binary)}`;
}

/**
 * Shows the live picture of a session until `end` is called. A lost connection is opened again, but the
 * person then no longer has control.
 */
export function viewStream(room: string, store: SessionStore): ViewStream {
  let socket: WebSocket | undefined;
  let pause = FIRST_PAUSE;
  let hasEnded = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  function receive(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      const { type, mine = false, held_by: heldBy = null, error } = JSON.parse(data) as ViewMessage;
      if (type === "control") store.trigger.control({ mine, heldBy, refusal: error?.message });
      if (type === "refused") store.trigger.refused({ refusal: error?.message ?? "It was refused." });
      return;
    }
    pause = FIRST_PAUSE;
    const length = new DataView(data).getUint32(0);
    const { width, height } = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    store.trigger.frame({ live: { src: dataUrl(new Uint8Array(data, 4 + length)), width, height } });
  }

  /** Requests frames only while the browser tab with the console is visible. */
  const showOrHide = (): void => send({ type: document.hidden ? "hide" : "show" });

  function connect(): void {
    const address = new URL(`${path("/ws/sessions", room)}/view`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const opened = new WebSocket(address);
    opened.binaryType = "arraybuffer";
    socket = opened;
    opened.onopen = showOrHide;
    opened.onmessage = ({ data }) => receive(data);
    opened.onclose = () => {
      if (hasEnded) return;
      store.trigger.frame({ live: undefined });
      store.trigger.control({ mine: false, heldBy: null });
      again = setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
  }

  const send = (message: unknown): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  document.addEventListener("visibilitychange", showOrHide);
  connect();
  return {
    takeControl: () => send({ type: "take_control" }),
    releaseControl: () => send({ type: "release_control" }),
    input: (events) => send({ type: "input", events }),
    end: () => {
      hasEnded = true;
      clearTimeout(again);
      document.removeEventListener("visibilitychange", showOrHide);
      socket?.close();
    },
  };
}
