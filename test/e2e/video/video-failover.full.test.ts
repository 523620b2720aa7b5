/**
 * Tests that the video of a session continues on another node after its node was killed. Also tests that no
 * file of any node contains the secrets of the video.
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFile } from "node:fs/promises";
import { keyFile, openVault } from "../../../actors/secrets/encryption-vault.ts";
import { type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { filesWith } from "../../support/search-files-for-text.ts";
import { LiveKitServer, noLiveKit } from "../../support/test-livekit-server.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { CLOCK_PAGE, VideoViewer } from "../../support/test-video-viewer.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { processTree } from "../support/process-tree.ts";

setDefaultTimeout(240_000);
const ROOM = "moves";
/** Time in milliseconds after which the shards of a killed node move to another one. */
const LEASE_TTL = 4_000;

const reason = noLiveKit();
if (reason) console.warn(`Skipping the tests of the failover of video: ${reason}.`);

describe.skipIf(reason !== undefined)("the video of a session whose node is killed", () => {
  let nats: NatsServer;
  let site: ScriptedSite;
  let livekit: LiveKitServer;
  const folders: { readonly path: string; remove(): Promise<void> }[] = [];
  const running = new Set<Cairn>();
  const outputs: string[] = [];

  async function start(env: Readonly<Record<string, string>>): Promise<Cairn> {
    const folder = await dataFolder();
    // All nodes of a cluster must have the same encryption key, so the key file of the first node is copied.
    if (folders[0]) await copyFile(keyFile(folders[0].path), keyFile(folder.path));
    else await openVault(folder.path);
    folders.push(folder);
    const cairn = await Cairn.start({
      data: folder.path,
      env: {
        NATS_URL: nats.url,
        CAIRN_WORKERS: "1",
        CAIRN_LOG_FORMAT: "json",
        CAIRN_LEASE_TTL_MS: String(LEASE_TTL),
        ...env,
      },
    });
    running.add(cairn);
    return cairn;
  }

  beforeAll(async () => {
    nats = await NatsServer.start();
    site = serveSite({ "/clock": CLOCK_PAGE });
    livekit = await LiveKitServer.start();
  });

  afterAll(async () => {
    for (const cairn of running) await cairn.kill();
    await livekit?.close();
    await site?.stop();
    await nats?.close();
    for (const folder of folders) await folder.remove();
  });

  test("returns on another node with recover_browser_session", async () => {
    const home = await start({ CAIRN_ROLES: "gateway,compute" });
    const first = await start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" });
    const second = await start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" });
    const { body } = await home.call("start_browser_session", {
      room_name: ROOM,
      initial_url: site.url("/clock"),
      viewport_width: 640,
      viewport_height: 360,
      livekit_url: livekit.url,
      livekit_api_key: LiveKitServer.key,
      livekit_api_secret: LiveKitServer.secret,
    });
    expect(body.status).toBe("started");
    const viewer = await VideoViewer.join(livekit, ROOM);
    try {
      await viewer.frameThat(() => true);
      const [owner, other] = hasPublisher(first) ? [first, second] : [second, first];
      expect(hasPublisher(owner)).toBe(true);
      await owner.kill();
      running.delete(owner);
      const killed = Date.now();
      let recovered = await home.call("recover_browser_session", { room_name: ROOM });
      // Until the lease of the killed node has expired, its session cannot be reached.
      while (recovered.status !== 200) {
        await Bun.sleep(200);
        recovered = await home.call("recover_browser_session", { room_name: ROOM });
      }
      expect(recovered.body.status).toBe("recovered");
      const seen = await viewer.frameThat(({ at }) => at > killed, 60_000);
      expect(hasPublisher(other)).toBe(true);
      console.log(`the picture is back on another node ${seen.at - killed} ms after the kill`);
      outputs.push(...[home, first, second].map(({ output }) => JSON.stringify(output)));
    } finally {
      await viewer.close();
    }
    const { body: actor } = await home.get(`/api/actors/session/${ROOM}`);
    for (const output of [...outputs, JSON.stringify(actor)])
      expect(output).not.toContain(LiveKitServer.secret);
    for (const { path } of folders) expect(await filesWith(path, LiveKitServer.secret)).toEqual([]);
  });
});

/** Whether a process of this node publishes a video. */
function hasPublisher(node: Cairn): boolean {
  return processTree(node.pid).some((pid) =>
    Bun.spawnSync(["ps", "-o", "args=", "-p", String(pid)])
      .stdout.toString()
      .includes("publisher-process"),
  );
}
