/** Tests that a session continues on another node, with its open page, when its node is stopped. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFile } from "node:fs/promises";
import { keyFile, openVault } from "../../../actors/secrets/encryption-vault.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(240_000);

let nats: NatsServer;
let site: ScriptedSite;
const folders: { readonly path: string; remove(): Promise<void> }[] = [];
const running = new Set<Cairn>();

async function start(env: Readonly<Record<string, string>>): Promise<Cairn> {
  const folder = await dataFolder();
  // All nodes of a cluster must have the same encryption key, so the key file of the first node is copied.
  if (folders[0]) await copyFile(keyFile(folders[0].path), keyFile(folder.path));
  else await openVault(folder.path);
  folders.push(folder);
  const cairn = await Cairn.start({
    data: folder.path,
    env: { NATS_URL: nats.url, CAIRN_WORKERS: "1", CAIRN_LOG_FORMAT: "json", ...env },
  });
  running.add(cairn);
  return cairn;
}

beforeAll(async () => {
  nats = await NatsServer.start();
  site = serveSite({
    "/": html("Form", `<form><label>Name <input name="name"></label><button>Send</button></form>`),
  });
});

afterAll(async () => {
  for (const cairn of running) await cairn.kill();
  site?.stop();
  await nats?.close();
  for (const folder of folders) await folder.remove();
});

test("a session with an open form continues on a second node after its first node was stopped", async () => {
  // The first node serves the store but runs no browsers.
  const home = await start({ CAIRN_ROLES: "gateway,compute" });
  const call = (tool: string, args: Readonly<Record<string, unknown>>) =>
    home.call(tool, { room_name: "moves", ...args });
  const first = await start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" });
  expect((await call("start_browser_session", { initial_url: site.url("/") })).body.status).toBe("started");
  await call("analyze_page", {});
  const typed = await call("execute_action", { action_type: "type", params: { index: 0, text: "ann" } });
  expect(typed.body.success).toBe(true);
  await start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" });
  // When the first node stops, it hands its shards over to other nodes. Before it hands over the session's
  // shard, the session hibernates.
  await first.stop();
  running.delete(first);
  const { body } = await call("analyze_page", {});
  expect(body.data.restored).toMatchObject({ from: "hibernation", lost: [] });
  expect(body.data.clickableElementsString).toContain("ann");
});
