/** Tests the video of a session in a room of a real LiveKit server. The viewer uses LiveKit's own client. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { AccessToken } from "livekit-server-sdk";
import { type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { LiveKitServer, noLiveKit } from "../../support/test-livekit-server.ts";
import { CLOCK_PAGE, SETTLED, SETTLING_PAGE, VideoViewer } from "../../support/test-video-viewer.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(60_000);
const ROOM = "watched";

const reason = noLiveKit();
if (reason) console.warn(`Skipping the tests of video: ${reason}.`);

describe.skipIf(reason !== undefined)("the video of a session in a LiveKit room", () => {
  let site: ScriptedSite;
  let livekit: LiveKitServer;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;
  let viewer: VideoViewer;

  beforeAll(async () => {
    const page = (text: string) => () => new Response(text, { headers: { "content-type": "text/html" } });
    site = serveSite({ "/": page(CLOCK_PAGE), "/settling": page(SETTLING_PAGE) });
    livekit = await LiveKitServer.start();
    data = await dataFolder();
    cairn = await Cairn.start({ data: data.path, env: livekit.env });
    const size = { viewport_width: 640, viewport_height: 360 };
    const start = { room_name: ROOM, initial_url: site.url("/"), ...size };
    expect((await cairn.call("start_browser_session", start)).body.status).toBe("started");
    viewer = await VideoViewer.join(livekit, ROOM);
  });

  afterAll(async () => {
    await viewer?.close();
    await cairn?.stop();
    await livekit?.close();
    await data?.remove();
    await site?.stop();
  });

  const context = async () => (await cairn.call("get_browser_context", { room_name: ROOM })).body;

  test("has the size of the viewport, and shows the changes of the page", async () => {
    const first = await viewer.frameThat(({ value }) => value > 0);
    expect([first.width, first.height]).toEqual([640, 360]);
    // Each frame shows a number: the time in milliseconds at which the page has drawn the frame.
    await viewer.frameThat(({ value }) => value > first.value + 300);
    expect((await context()).video).toEqual({ state: "live", viewers: 1 });
  });

  test("stops while the session is paused, and data messages report the pause and the resume", async () => {
    await cairn.call("pause_browser_session", { room_name: ROOM });
    await viewer.event("presentation_paused");
    // Frames that were sent before the pause may arrive during this action. So frames are counted only after
    // the action.
    const act = { room_name: ROOM, action_type: "wait", params: { seconds: 1 } };
    await cairn.call("execute_action", act);
    const paused = (await viewer.frames()).length;
    await cairn.call("execute_action", { ...act, params: { seconds: 0.5 } });
    expect(await viewer.frames()).toHaveLength(paused);
    await cairn.call("resume_browser_session", { room_name: ROOM });
    await viewer.event("presentation_resumed");
    await viewer.frameAfter(paused);
  });

  test("shows the final state of a page that has changed faster than the video", async () => {
    const act = { room_name: ROOM, action_type: "navigate", params: { url: site.url("/settling") } };
    await cairn.call("execute_action", act);
    await viewer.frameThat(({ value }) => value === SETTLED);
  });

  test("reacts only to webhooks that its LiveKit server has signed", async () => {
    const body = JSON.stringify({
      event: "participant_joined",
      room: { name: ROOM },
      participant: { identity: "person", name: "A person" },
    });
    const post = (authorization: string) =>
      fetch(`${cairn.url}/webhooks/livekit`, {
        method: "POST",
        headers: { authorization, "content-type": "application/webhook+json" },
        body,
      });
    const sign = async (of: string) => {
      const token = new AccessToken(LiveKitServer.key, LiveKitServer.secret);
      token.sha256 = createHash("sha256").update(of).digest("base64");
      return await token.toJwt();
    };
    expect((await post(await sign("another body"))).status).toBe(401);
    expect((await post(await sign(body))).status).toBe(200);
    const event = await viewer.event("participant_joined");
    expect(event).toMatchObject({ room_name: ROOM, identity: "person", name: "A person" });
  });

  test("is refused if the call names a server without credentials for it", async () => {
    const start = { room_name: "other", livekit_url: "wss://livekit.test" };
    const { status, body } = await cairn.call("start_browser_session", start);
    expect([status, body.code ?? body.error.code]).toEqual([422, "video.incomplete"]);
  });
});
