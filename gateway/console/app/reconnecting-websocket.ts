/**
 * A WebSocket that reconnects and resumes. The server then sends the events that were missed. If the server
 * no longer has them, `onGap` makes the view read its state again.
 */
import { consoleStore } from "./console-app-state.ts";

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 5_000;
/** Number of missing heartbeats after which the connection counts as dead. */
const MISSED_BEATS = 3;

export interface LiveEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Following {
  /** Path and query of the socket, such as `/ws/inspect?kind=session`. */
  readonly path: string;
  readonly onEvent: (event: LiveEvent) => void;
  /**
   * Called when the view must read its state again: after the first connection, and after events were lost.
   */
  readonly onGap: () => void;
}

interface Frame {
  readonly type: string;
  readonly epoch?: string;
  readonly seq?: number;
  readonly cursor?: number;
  readonly resumed?: boolean;
  readonly heartbeat_ms?: number;
  readonly event?: LiveEvent;
}

/** Keeps a socket open, and reconnects when it closes, until the returned function is called. */
export function follow({ path, onEvent, onGap }: Following): () => void {
  let epoch: string | undefined;
  let since = 0;
  let pause = FIRST_PAUSE;
  let ended = false;
  let socket: WebSocket | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let patience = 60_000;

  function receive(frame: Frame): void {
    if (frame.type === "hello") {
      epoch = frame.epoch;
      since = frame.seq ?? 0;
      pause = FIRST_PAUSE;
      patience = (frame.heartbeat_ms ?? 15_000) * MISSED_BEATS;
      consoleStore.trigger.connection({ path, is: "live" });
      if (frame.resumed !== true) onGap();
    } else if (frame.type === "event" && frame.event) {
      since = frame.seq ?? since;
      onEvent(frame.event);
    } else if (frame.cursor !== undefined) {
      since = frame.cursor;
      onEvent(frame as LiveEvent);
    }
  }

  function connect(): void {
    const address = new URL(path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (epoch !== undefined) {
      address.searchParams.set("epoch", epoch);
      address.searchParams.set("since", String(since));
    }
    const opened = new WebSocket(address);
    socket = opened;
    opened.onmessage = ({ data }) => {
      clearTimeout(silence);
      silence = setTimeout(() => opened.close(), patience);
      receive(JSON.parse(String(data)) as Frame);
    };
    opened.onclose = () => {
      clearTimeout(silence);
      if (ended) return;
      consoleStore.trigger.connection({ path, is: "lost" });
      again = setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
  }

  consoleStore.trigger.connection({ path, is: "connecting" });
  connect();
  return () => {
    ended = true;
    clearTimeout(again);
    clearTimeout(silence);
    socket?.close();
    consoleStore.trigger.connection({ path, is: undefined });
  };
}
