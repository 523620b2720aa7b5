/**
 * Tests a thousand races of two answers to dialogues on two nodes. One answer of each race is sent over REST to
 * the first node, and the other over a WebSocket to the second.
 */
import { afterAll, beforeAll, setDefaultTimeout, test } from "bun:test";
import { copyFile } from "node:fs/promises";
import { keyFile, openVault } from "../../../actors/secrets/encryption-vault.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { RACED_STATES, Raced } from "./dialogue-answer-races.ts";

setDefaultTimeout(900_000);
const RACES = 1_000;

const folders: Awaited<ReturnType<typeof dataFolder>>[] = [];
const nodes: Cairn[] = [];
let nats: NatsServer;

async function start(env: Readonly<Record<string, string>>): Promise<Cairn> {
  const folder = await dataFolder();
  // All nodes of a cluster must have the same encryption key, so the key file of the first node is copied.
  if (folders[0]) await copyFile(keyFile(folders[0].path), keyFile(folder.path));
  else await openVault(folder.path);
  folders.push(folder);
  const cairn = await Cairn.start({
    data: folder.path,
    env: { NATS_URL: nats.url, CAIRN_WORKERS: "1", ...env },
  });
  nodes.push(cairn);
  return cairn;
}

beforeAll(async () => {
  nats = await NatsServer.start();
  await start({});
  await start({ CAIRN_ROLES: "gateway,compute", CAIRN_STORE: "bus" });
});

afterAll(async () => {
  for (const node of nodes.toReversed()) await node.stop();
  await nats?.close();
  for (const folder of folders) await folder.remove();
});

test.each([...RACED_STATES])(
  "one of two simultaneous answers at two nodes to a dialogue in the state %s is accepted",
  async (state) => {
    const [first, second] = nodes;
    if (!first || !second) throw new Error("two nodes are needed");
    const raced = new Raced(first, second, `races-${state}`);
    await raced.open();
    try {
      for (let number = 0; number < RACES / RACED_STATES.length; number++) await raced.race(state, number);
    } finally {
      await raced.close();
    }
  },
);
