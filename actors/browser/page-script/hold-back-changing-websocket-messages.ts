/**
 * Runs before the page's own scripts, in their JavaScript world, in sessions with a request guard (a function that
 * allows or refuses each request). When a script sends a WebSocket message that asks for a change, this code
 * reports the message to Cairn instead of sending it. Such a message is sent only if the page had already sent one
 * of the same kind before the first click or key press.
 */
import {
  isWritingSocketMessage,
  kindOfSocketMessage,
} from "../../../machines/exploration/press/websocket-messages-that-change-data.ts";

/** Events by which a click or a key press reaches the page. */
const PRESSES = ["pointerdown", "mousedown", "click", "keydown"];

/**
 * @param binding name of the function that passes a held message to Cairn: the address of its socket, a line
 * break, and its text
 */
export function holdWritingSocketMessages(binding: string): void {
  const report: unknown = Reflect.get(window, binding);
  Reflect.deleteProperty(window, binding);
  if (typeof report !== "function") return;
  const { apply } = Reflect;
  const address = Object.getOwnPropertyDescriptor(WebSocket.prototype, "url")?.get;
  let isPressed = false;
  for (const type of PRESSES)
    addEventListener(
      type,
      () => {
        isPressed = true;
      },
      { capture: true, passive: true },
    );
  const sentByPage = new Set<string>();
  WebSocket.prototype.send = new Proxy(WebSocket.prototype.send, {
    apply(send, socket: WebSocket, args: readonly unknown[]) {
      const [data] = args;
      if (isWritingSocketMessage(data)) {
        const kind = kindOfSocketMessage(data) ?? "";
        if (!isPressed) sentByPage.add(kind);
        else if (!sentByPage.has(kind)) {
          const url: unknown = address === undefined ? "" : apply(address, socket, []);
          apply(report, window, [`${String(url)}\n${String(data)}`]);
          return undefined;
        }
      }
      return apply(send, socket, args);
    },
  });
}
