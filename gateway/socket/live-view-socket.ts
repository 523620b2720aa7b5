/**
 * The socket `/ws/sessions/{room_name}/view`: the live view of a session. A frame is a binary message: four
 * bytes with the length of a JSON header, the header, and a JPEG. Text messages take control, send input and
 * return control.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import { asCairnError, type CairnError, Refused } from "../../machines/errors.ts";
import { sessionTopic } from "../../machines/session/build-session-events.ts";
import { inputEventsSchema, type ViewFrame } from "../../machines/session/outputs/live-view-schemas.ts";
import { liveViewLimits } from "../../machines/session/session-limits.ts";
import { roomNameSchema } from "../../machines/session/session-protocol.ts";
import { SECOND } from "../../machines/time-and-size-units.ts";
import type { Cairn } from "../actor-system-interface.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { publicBody } from "../rest/error-response.ts";
import { assertScope, type Caller } from "../security/api-key-scopes.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { releaseControl, takeControl } from "../tools/control-handover-tools.ts";
import { parseArguments } from "../tools/define-tool.ts";
import { assertMessageSize } from "./socket-message-size.ts";
import { CloseCode } from "./websocket-feed-connection.ts";
import { socketLimits } from "./websocket-limits.ts";

const size = (most: number, usual: number) => z.coerce.number().int().min(100).max(most).default(usual);

const requestSchema = z.object({
  room_name: roomNameSchema,
  fps: z.coerce.number().int().min(1).max(liveViewLimits.maxFps).default(liveViewLimits.fps),
  max_width: size(3_840, liveViewLimits.width),
  max_height: size(2_160, liveViewLimits.height),
  quality: z.coerce.number().int().min(10).max(100).default(liveViewLimits.quality),
});
type ViewRequest = z.output<typeof requestSchema>;

const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ping") }),
  z.object({ type: z.enum(["hide", "show"]) }),
  z.object({ type: z.literal("take_control") }),
  z.object({ type: z.literal("release_control") }),
  z.object({ type: z.literal("input"), events: inputEventsSchema }),
]);

/** The methods of Bun's `ServerWebSocket` that this file uses. */
interface ViewWire {
  send(data: string | Uint8Array): number;
  close(code: number, reason: string): void;
  getBufferedAmount(): number;
}

/** Interval in milliseconds at which Cairn checks whether a slow viewer has received its last frame. */
const DRAIN_EVERY = 20;

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Encodes a frame as one binary message. */
function frameMessage({ data, ...facts }: ViewFrame): Uint8Array {
  const header = Buffer.from(JSON.stringify(facts));
  const message = Buffer.allocUnsafe(4 + header.length + Buffer.byteLength(data, "base64"));
  message.writeUInt32BE(header.length);
  header.copy(message, 4);
  message.write(data, 4 + header.length, "base64");
  return message;
}

interface Viewing {
  readonly caller: Caller;
  readonly requestId: string;
  readonly request: ViewRequest;
}

/**
 * One viewer of a session. A viewer receives frames, and may send input while it has control of the browser.
 */
class Viewer {
  readonly #surface: Surface;
  readonly #wire: ViewWire;
  readonly #viewing: Viewing;
  readonly #holder = crypto.randomUUID();
  #open = true;
  #hasControl = false;
  #renewal: ReturnType<typeof setInterval> | undefined;
  #stopWatching = () => {};
  /**
   * While the viewer hides the picture of the session, this promise is pending, and no frames are sent. It resolves
   * when the viewer shows the picture again.
   */
  #shown: Promise<void> = Promise.resolve();
  #show: () => void = () => {};
  /**
   * Resolves when all messages so far are handled. Messages are handled one after another, so that input stays in
   * order.
   */
  #handled: Promise<void> = Promise.resolve();

  constructor(surface: Surface, wire: ViewWire, viewing: Viewing) {
    this.#surface = surface;
    this.#wire = wire;
    this.#viewing = viewing;
  }

  async run(): Promise<void> {
    const { request } = this.#viewing;
    const { room_name: room, ...picture } = request;
    const { fps } = picture;
    try {
      const cairn = await this.#surface.system.available();
      this.#watchControl(cairn);
      this.#send({ type: "hello", heartbeat_ms: socketLimits.heartbeat, fps });
      for (let after = 0; this.#open; ) {
        await this.#shown;
        // The viewer may have left while its picture was hidden. No frame is then requested, because a
        // request for a frame would wake a hibernated session.
        if (!this.#open) break;
        const started = performance.now();
        const frame = await cairn.sessions.frame(room, { ...picture, after });
        if (frame) {
          after = frame.seq;
          await this.#drained();
          if (this.#open) this.#wire.send(frameMessage(frame));
        }
        // If the view of the session has just been closed, `frame` returns null immediately. Without a pause, this
        // loop would then run all the time, and the process could do no other work.
        await wait(Math.max(0, SECOND / fps - (performance.now() - started)));
      }
    } catch (thrown) {
      this.close(this.#asError(thrown));
    }
  }

  receive(message: unknown): void {
    this.#handled = this.#handled.then(() => this.#handle(message));
  }

  /** Called when the client has closed the socket. */
  left(): void {
    this.#open = false;
    this.#show();
    this.#stopWatching();
    this.#handled = this.#handled.then(() => this.#release());
  }

  close(error: CairnError): void {
    if (!this.#open) return;
    const { code, message } = publicBody(error, this.#surface.pathRedaction);
    this.#send({ type: "error", error: { code, message } });
    const status = error.status === 429 || error.status >= 500 ? CloseCode.tryAgainLater : CloseCode.refused;
    this.left();
    this.#wire.close(status, code);
  }

  async #handle(given: unknown): Promise<void> {
    try {
      assertMessageSize(given);
      const message = parseArguments(messageSchema, given);
      if (message.type === "ping") this.#send({ type: "heartbeat" });
      else await this.#carryOut(message);
    } catch (thrown) {
      const error = this.#asError(thrown);
      this.#send({ type: "refused", error: publicBody(error, this.#surface.pathRedaction) });
    }
  }

  async #carryOut(message: Exclude<z.output<typeof messageSchema>, { type: "ping" }>): Promise<void> {
    const { caller, request } = this.#viewing;
    const { sessions } = await this.#surface.system.available();
    switch (message.type) {
      case "hide":
      case "show":
        this.#show();
        if (message.type === "hide")
          ({ promise: this.#shown, resolve: this.#show } = Promise.withResolvers<void>());
        return;
      case "take_control":
        await this.#take();
        return;
      case "release_control":
        await this.#release();
        this.#send({ type: "control", mine: false, held_by: null });
        return;
      case "input":
        assertScope(caller, "act", "Input to a session");
        await sessions.input(request.room_name, this.#holder, message.events);
    }
  }

  /**
   * Takes control of the session for the viewer by the tool `pause_browser_session`, which checks the
   * viewer's scope and writes the audit log. Renewals of the control do not call the tool, so the audit log
   * does not contain them.
   */
  async #take(): Promise<void> {
    const { caller, requestId, request } = this.#viewing;
    const { room_name } = request;
    const call = { room_name, holder: this.#holder, by: caller.name };
    const had = this.#hasControl;
    // `#hasControl` is set before the call, because the call publishes an event about the change of control.
    // With `#hasControl` set, this viewer ignores that event.
    this.#hasControl = true;
    try {
      await this.#surface.calls.run(takeControl, call, { caller, requestId });
    } catch (refusal) {
      this.#hasControl = had;
      throw refusal;
    }
    this.#send({ type: "control", mine: true, held_by: caller.name });
    const control = { holder: this.#holder, name: caller.name };
    clearInterval(this.#renewal);
    this.#renewal = setInterval(async () => {
      try {
        const { sessions } = await this.#surface.system.available();
        await sessions.takeControl(room_name, control);
      } catch (thrown) {
        clearInterval(this.#renewal);
        this.#hasControl = false;
        const error = publicBody(this.#asError(thrown), this.#surface.pathRedaction);
        this.#send({ type: "control", mine: false, held_by: null, error });
      }
    }, liveViewLimits.renewControlEvery);
  }

  async #release(): Promise<void> {
    clearInterval(this.#renewal);
    if (!this.#hasControl) return;
    this.#hasControl = false;
    const { caller, requestId, request } = this.#viewing;
    const call = { room_name: request.room_name, holder: this.#holder };
    try {
      await this.#surface.calls.run(releaseControl, call, { caller, requestId });
    } catch (thrown) {
      // The person's control of the session could not be released. The error is only logged: this viewer no
      // longer renews the control, so it expires.
      const { code } = asCairnError(thrown);
      this.#surface.log.warn("control of a session was not released", { room: request.room_name, code });
    }
  }

  /** Informs this viewer when another caller takes or returns control. */
  #watchControl(cairn: Cairn): void {
    const { room_name } = this.#viewing.request;
    const stops = (["control_taken", "control_released"] as const).map((type) =>
      cairn.watch(sessionTopic(room_name, type), (event) => {
        if (this.#hasControl) return;
        const by = "by" in event ? event.by : null;
        this.#send({ type: "control", mine: false, held_by: type === "control_taken" ? by : null });
      }),
    );
    this.#stopWatching = () => {
      for (const stop of stops) stop();
    };
  }

  /**
   * Waits until all bytes for this viewer are sent. Only then is the next frame requested, so that it is the
   * newest.
   */
  async #drained(): Promise<void> {
    while (this.#open && this.#wire.getBufferedAmount() > 0) await wait(DRAIN_EVERY);
  }

  #asError(thrown: unknown): CairnError {
    const error = asCairnError(thrown);
    if (error.status === 500) this.#surface.log.error("a live view failed", { code: error.code, error });
    return error;
  }

  #send(message: unknown): void {
    if (this.#open) this.#wire.send(JSON.stringify(message));
  }
}

export function viewSocket(surface: Surface) {
  const viewers = new Map<string, Viewer>();
  const stopping = new Refused("gateway.stopping", "This Cairn is stopping. Connect again later.", {
    status: 429,
  });
  surface.sockets.beforeEnd(async () => {
    for (const viewer of viewers.values()) viewer.close(stopping);
  });
  return new Elysia({ name: "view-socket" }).ws("/ws/sessions/:room_name/view", {
    ...hidden("read"),
    beforeHandle({ params, query }) {
      parseArguments(requestSchema, { ...query, ...params });
      surface.sockets.assertRoom();
    },
    open(ws) {
      const { params, query, request } = ws.data;
      const { caller, id: requestId } = surface.requests.authenticated(request);
      const viewing = { caller, requestId, request: parseArguments(requestSchema, { ...query, ...params }) };
      // The cast is needed: `ws.raw` is Bun's socket, but Elysia declares a different type for `ws.raw`.
      const viewer = new Viewer(surface, ws.raw as unknown as ViewWire, viewing);
      viewers.set(ws.id, viewer);
      void viewer.run();
    },
    message: (ws, message: unknown) => viewers.get(ws.id)?.receive(message),
    close(ws) {
      viewers.get(ws.id)?.left();
      viewers.delete(ws.id);
    },
  });
}
