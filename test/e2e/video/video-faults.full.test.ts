/**
 * Tests the video of a session when the LiveKit server, the process that publishes the video, or Cairn ends.
 * Also tests that Cairn writes the secrets of the video into no file.
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { AccessToken } from "livekit-server-sdk";
import { type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { filesWith } from "../../support/search-files-for-text.ts";
import { LiveKitServer, noLiveKit } from "../../support/test-livekit-server.ts";
import { CLOCK_PAGE, STILL_PAGE, VideoViewer } from "../../support/test-video-viewer.ts";
import { Cairn, dataFolder, runCairn } from "../support/cairn-test-process.ts";
import { processTree } from "../support/process-tree.ts";

setDefaultTimeout(120_000);
const SIZE = { viewport_width: 640, viewport_height: 360 };

const reason = noLiveKit();
if (reason) console.warn(`Skipping the tests of faults of video: ${reason}.`);

describe.skipIf(reason !== undefined)("the video of a session in a LiveKit room", () => {
  let site: ScriptedSite;
  let livekit: LiveKitServer;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;
  const outputs: string[] = [];

  beforeAll(async () => {
    const page = (text: string) => () => new Response(text, { headers: { "content-type": "text/html" } });
    site = serveSite({ "/clock": page(CLOCK_PAGE), "/still": page(STILL_PAGE) });
    livekit = await LiveKitServer.start();
    data = await dataFolder();
    cairn = await Cairn.start({ data: data.path });
  });

  afterAll(async () => {
    await cairn?.stop();
    await livekit?.close();
    await data?.remove();
    await site?.stop();
  });

  const credentials = () => ({
    livekit_url: livekit.url,
    livekit_api_key: LiveKitServer.key,
    livekit_api_secret: LiveKitServer.secret,
  });
  const start = async (room: string, path: string, given: object = credentials()): Promise<void> => {
    const { body } = await cairn.call("start_browser_session", {
      room_name: room,
      initial_url: site.url(path),
      ...SIZE,
      ...given,
    });
    expect(body.status).toBe("started");
  };
  const publisherOf = (owner: Cairn): number => {
    const isPublisher = (pid: number): boolean =>
      Bun.spawnSync(["ps", "-o", "args=", "-p", String(pid)])
        .stdout.toString()
        .includes("publisher-process");
    return processTree(owner.pid).find((pid) => pid !== owner.pid && isPublisher(pid)) ?? 0;
  };
  /**
   * Returns the title of the session's page. The title contains a number, which changes if the page is loaded
   * again.
   */
  const title = async (room: string) =>
    (await cairn.call("get_browser_context", { room_name: room })).body.title;

  test("returns after a restart of the server and after its publisher was killed, while the session continues", async () => {
    await start("faulty", "/clock");
    const viewer = await VideoViewer.join(livekit, "faulty");
    const events = new WebSocket(`${cairn.url.replace("http", "ws")}/mcp/events/faulty`);
    const reported: { readonly type: string; readonly code?: string; readonly state?: string }[] = [];
    events.onmessage = ({ data: text }) => reported.push(JSON.parse(String(text)));
    try {
      await viewer.frameThat(() => true);
      await livekit.stop();
      await livekit.start();
      const restarted = Date.now();
      const second = await VideoViewer.join(livekit, "faulty", "second");
      const again = await second.frameThat(() => true);
      console.log(`the picture is back ${again.at - restarted} ms after the server's restart`);
      const act = { room_name: "faulty", action_type: "wait", params: { seconds: 0.1 } };
      expect((await cairn.call("execute_action", act)).body.success).toBe(true);

      const seen = (await second.frames()).length;
      const killed = Date.now();
      process.kill(publisherOf(cairn), "SIGKILL");
      await second.frameAfter(seen + 5);
      // The viewer receives frames of the new video track only after the old track has ended, so the first
      // 500 ms do not count.
      const back = await second.frameThat(({ at }) => at > killed + 500);
      console.log(`the picture is back ${back.at - killed} ms after the publisher's kill`);
      expect(await title("faulty")).toBe("Clock");
      const lost = () => reported.filter(({ code }) => code === "video.publisher_lost");
      // The events and the picture arrive over different connections, so the events may arrive after the
      // picture.
      while (lost().length < 2) await Bun.sleep(50);
      expect(
        lost()
          .map(({ type }) => type)
          .sort(),
      ).toEqual(["browser_error", "video_state"]);
      await second.close();
    } finally {
      events.close();
      await viewer.close();
    }
  });

  test("shows a viewer who joins late the last picture of a page that does not change", async () => {
    await start("still", "/still");
    const first = await VideoViewer.join(livekit, "still");
    // The page draws a number, which the viewer reads from each picture. It reads 0 if the picture shows
    // the page before the number was drawn.
    const shown = await first.frameThat(({ value }) => value !== 0);
    // During this wait the page does not change, so no new frame is drawn. A viewer who joins afterwards must
    // still get a picture.
    await Bun.sleep(3_000);
    const joined = Date.now();
    const late = await VideoViewer.join(livekit, "still", "late");
    const seen = await late.frameThat(() => true);
    console.log(`a late viewer has a picture ${seen.at - joined} ms after its browser was started`);
    expect(seen.value).toBe(shown.value);
    await first.close();
    await late.close();
    await cairn.call("close_browser_session", { room_name: "still" });
  });

  test("is restored by recover_browser_session after its Cairn was killed, and no file contains a secret", async () => {
    const given = new AccessToken(LiveKitServer.key, LiveKitServer.secret, { identity: "given" });
    given.addGrant({ roomJoin: true, room: "killed", canPublish: true });
    const token = await given.toJwt();
    await start("killed", "/clock", { livekit_url: livekit.url, livekit_token: token });
    const events = new WebSocket(`${cairn.url.replace("http", "ws")}/mcp/events/killed`);
    const messages: string[] = [];
    events.onmessage = ({ data: text }) => messages.push(String(text));
    const viewer = await VideoViewer.join(livekit, "killed");
    try {
      await viewer.frameThat(() => true);
      await cairn.call("execute_action", {
        room_name: "killed",
        action_type: "wait",
        params: { seconds: 1 },
      });
      const orphan = publisherOf(cairn);
      // The actor as an administrator sees it, with its context and its last events.
      const actor = await cairn.get("/api/actors/session/killed");
      expect(actor.status).toBe(200);
      expect(messages.join("")).toContain("action_completed");
      outputs.push(JSON.stringify(cairn.output), JSON.stringify(actor.body), ...messages);
      await cairn.kill();
      while (await isAlive(orphan)) await Bun.sleep(50);
      cairn = await Cairn.start({ data: data.path });
      const seen = (await viewer.frames()).length;
      const recovered = Date.now();
      const { body } = await cairn.call("recover_browser_session", { room_name: "killed" });
      expect(body.status).toBe("recovered");
      await viewer.frameAfter(seen);
      console.log(`the picture is back ${Date.now() - recovered} ms after recover_browser_session`);
    } finally {
      await viewer.close();
    }
    outputs.push(JSON.stringify(cairn.output));
    const rows = await allRows(data.path);
    // The dump must contain this session's rows, with its encrypted LiveKit credentials. Otherwise, the
    // search for secrets below would find nothing in any case.
    expect([rows.includes(site.url("/clock")), rows.includes("livekit")]).toEqual([true, true]);
    outputs.push(rows);
    const secrets = [token, token.split(".")[2] ?? token, LiveKitServer.secret];
    for (const secret of secrets) {
      for (const output of outputs) expect(output).not.toContain(secret);
      expect(await filesWith(data.path, secret)).toEqual([]);
    }
  });
});

async function isAlive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return state !== undefined && !/\) Z /.test(state);
}

/**
 * Returns all rows of the database as JSON lines. The database compresses its files, so a search in these files is not
 * enough.
 */
async function allRows(folder: string): Promise<string> {
  const { stdout } = await runCairn(["backup", "--json"], { CAIRN_DATA: folder }).ended;
  return gunzipSync(await readFile(JSON.parse(stdout).file)).toString();
}
