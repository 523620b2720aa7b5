/** Tests that the webhooks of a real LiveKit server become events of the session. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RoomServiceClient } from "livekit-server-sdk";
import { type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { LiveKitServer, noLiveKit } from "../../support/test-livekit-server.ts";
import { STILL_PAGE, VideoViewer } from "../../support/test-video-viewer.ts";
import { Cairn, dataFolder, freePort } from "../support/cairn-test-process.ts";

setDefaultTimeout(60_000);
const ROOM = "hooked";

const reason = noLiveKit();
if (reason) console.warn(`Skipping the tests of webhooks: ${reason}.`);

interface RoomEvent {
  readonly type: string;
  readonly room_name?: string;
  readonly identity?: string;
}

describe.skipIf(reason !== undefined)("a LiveKit server with the address of Cairn in its webhooks", () => {
  let site: ScriptedSite;
  let livekit: LiveKitServer;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;

  beforeAll(async () => {
    site = serveSite({ "/": STILL_PAGE });
    const port = await freePort();
    livekit = await LiveKitServer.start(`http://127.0.0.1:${port}/webhooks/livekit`);
    data = await dataFolder();
    cairn = await Cairn.start({ data: data.path, port, env: livekit.env });
  });

  afterAll(async () => {
    await cairn?.stop();
    await livekit?.close();
    await data?.remove();
    await site?.stop();
  });

  test("reports who joins and leaves the room, and the end of the room", async () => {
    const size = { viewport_width: 640, viewport_height: 360 };
    const start = { room_name: ROOM, initial_url: site.url("/"), ...size };
    expect((await cairn.call("start_browser_session", start)).body.status).toBe("started");
    const events: RoomEvent[] = [];
    const socket = new WebSocket(`${cairn.url.replace("http", "ws")}/mcp/events/${ROOM}`);
    socket.onmessage = ({ data: text }) => events.push(JSON.parse(String(text)));
    const reported = async (type: string, identity?: string): Promise<RoomEvent> => {
      for (;;) {
        const found = events.find((event) => event.type === type && event.identity === identity);
        if (found) return found;
        await Bun.sleep(50);
      }
    };
    const viewer = await VideoViewer.join(livekit, ROOM, "guest");
    try {
      expect(await reported("participant_joined", "guest")).toMatchObject({ room_name: ROOM });
      const rooms = new RoomServiceClient(
        livekit.url.replace("ws", "http"),
        LiveKitServer.key,
        LiveKitServer.secret,
      );
      await rooms.removeParticipant(ROOM, "guest");
      expect(await reported("participant_left", "guest")).toMatchObject({ room_name: ROOM });
      await rooms.deleteRoom(ROOM);
      expect(await reported("room_finished")).toMatchObject({ room_name: ROOM });
      // The session must continue although its LiveKit room has ended.
      const { body } = await cairn.call("get_browser_context", { room_name: ROOM });
      expect(body.url).toBe(site.url("/"));
    } finally {
      socket.close();
      await viewer.close();
    }
  });
});
