/**
 * Tests commands from BullMQ queues while Redis restarts twice and both nodes are killed. The site's own log
 * shows that the commands of each session ran in order and that no click was made twice. CAIRN_ROOMS sets the
 * number of sessions.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFile } from "node:fs/promises";
import { Queue } from "bullmq";
import { keyFile, openVault } from "../../actors/secrets/encryption-vault.ts";
import { EdgeProducers } from "../../gateway/edge/index.ts";
import { Cairn, dataFolder, freePort } from "../e2e/support/cairn-test-process.ts";
import { html, type ScriptedSite, serveSite } from "../sites/test-site-with-given-routes.ts";
import { NatsServer } from "../support/test-nats-server.ts";
import { RedisServer, redisBinary } from "../support/test-redis-server.ts";

const ROOMS = Number(process.env.CAIRN_ROOMS ?? 10);
/**
 * Number of rounds for each session. A round consists of `NAVIGATIONS` navigations and one click, which the
 * site must not receive twice.
 */
const ROUNDS = 4;
const NAVIGATIONS = 4;
const COMMANDS = ROOMS * ROUNDS * (NAVIGATIONS + 1);
setDefaultTimeout(1_500_000);

const binary = await redisBinary();
if (binary === undefined) console.warn("No redis-server: the kills at the edge are skipped.");

interface Entry {
  readonly what: "page" | "click";
  /** Number of the page that was loaded or whose button was clicked. Each session counts its pages from 0. */
  readonly page: number;
}

const log = new Map<string, Entry[]>();
let redis: RedisServer;
let nats: NatsServer;
let site: ScriptedSite;
let producers: EdgeProducers;
let commands: Queue;
const folders: { readonly path: string; remove(): Promise<void> }[] = [];
const running = new Set<Cairn>();

function write(url: string, what: Entry["what"]): void {
  const [, , room = "", page] = new URL(url).pathname.split("/");
  const entries = log.get(room) ?? [];
  entries.push({ what, page: Number(page) });
  log.set(room, entries);
}

/** Order of two log entries for the same page: the loading of the page comes before the click on its button. */
const place = ({ what }: Entry): number => (what === "page" ? 0 : 1);

async function start(data: string, env: Readonly<Record<string, string>> = {}): Promise<Cairn> {
  const common = { NATS_URL: nats.url, REDIS_URL: redis.url, CAIRN_WORKERS: "1" };
  const cairn = await Cairn.start({ data, port: await freePort(), env: { ...common, ...env } });
  running.add(cairn);
  return cairn;
}

async function kill(cairn: Cairn): Promise<void> {
  running.delete(cairn);
  await cairn.kill();
}

/**
 * Creates a data folder. All folders of the test get the same key, so that each node can decrypt the data of
 * the other nodes.
 */
async function folder(): Promise<string> {
  const made = await dataFolder();
  if (folders[0]) await copyFile(keyFile(folders[0].path), keyFile(made.path));
  else await openVault(made.path);
  folders.push(made);
  return made.path;
}

/** Returns the number of jobs that are neither done nor failed. */
async function pending(): Promise<number> {
  const counts = await commands.getJobCounts("waiting", "active", "delayed", "prioritized");
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Waits until at most `most` jobs are pending. While Redis is unavailable, the number is unknown and the wait
 * continues.
 */
async function untilPending(most: number): Promise<void> {
  while ((await pending().catch(() => Number.POSITIVE_INFINITY)) > most) await Bun.sleep(100);
}

beforeAll(async () => {
  if (binary === undefined) return;
  [redis, nats] = await Promise.all([RedisServer.start(binary), NatsServer.start()]);
  site = serveSite({
    "*": ({ url, method }) => {
      const isClick = method === "POST";
      write(url, isClick ? "click" : "page");
      if (isClick) return new Response("");
      const path = new URL(url).pathname.replace("/page/", "/click/");
      return html("Page", `<button onclick="fetch('${path}', { method: 'POST' })">Press</button>`);
    },
  });
  producers = new EdgeProducers(redis.url);
  commands = new Queue("browser_commands", { connection: { url: redis.url } });
  commands.on("error", () => {});
});

afterAll(async () => {
  for (const cairn of running) await cairn.kill();
  await producers?.close();
  await commands?.close();
  site?.stop();
  await redis?.remove();
  await nats?.close();
  for (const each of folders) await each.remove();
});

test.skipIf(binary === undefined)(
  `${COMMANDS} commands to ${ROOMS} sessions run in order, and no click twice, while Redis and both nodes are killed`,
  async () => {
    const home = await folder();
    let first = await start(home);
    const second = await start(await folder(), { CAIRN_STORE: "bus" });
    const rooms = Array.from({ length: ROOMS }, (_, n) => `room-${n}`);
    for (const room_name of rooms) {
      const { status } = await first.call("start_browser_session", { room_name });
      expect(status).toBe(200);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const room_name of rooms) {
        for (let step = 0; step < NAVIGATIONS; step++) {
          const url = site.url(`/page/${room_name}/${round * NAVIGATIONS + step}`);
          await producers.send_command({ action_type: "navigate", params: { url }, room_name });
        }
        const button = { role: "button", name: "Press" };
        await producers.send_command(
          { action_type: "click", params: button, room_name },
          `${room_name}-${round}`,
        );
      }
    }

    await untilPending(COMMANDS * 0.8);
    await redis.stop("SIGKILL");
    await redis.start();
    await untilPending(COMMANDS * 0.6);
    await kill(second);
    await untilPending(COMMANDS * 0.45);
    await kill(first);
    first = await start(home);
    await start(await folder(), { CAIRN_STORE: "bus" });
    await untilPending(COMMANDS * 0.25);
    await redis.stop();
    await redis.start();
    await untilPending(0);

    const failed = await commands.getFailed();
    const reasons = failed.map(({ failedReason }) => failedReason.split(":")[0] ?? "");
    expect(reasons.filter((reason) => reason !== "interrupted")).toEqual([]);
    expect(await commands.getCompletedCount()).toBe(0);
    const interrupted = new Set(failed.map(({ id }) => id));
    let clicks = 0;
    for (const room of rooms) {
      const entries = log.get(room) ?? [];
      // A page may be requested several times, for example by a repeated navigation or a restored session. So
      // only the first request of each page counts.
      const firsts = entries.filter(
        (entry, at) =>
          entries.findIndex(({ what, page }) => what === entry.what && page === entry.page) === at,
      );
      const shown = (some: readonly Entry[]) => some.map(({ what, page }) => `${page} ${what}`).join(", ");
      const sorted = firsts.toSorted((one, other) => one.page - other.page || place(one) - place(other));
      expect(shown(firsts)).toBe(shown(sorted));
      // Each of these navigations was interrupted in all of its attempts, so its job has failed. Only such a
      // navigation may be missing in the site's log.
      const missing = new Set(
        failed.flatMap(({ data }) => {
          const [, ofRoom, page] = /\/page\/([^/]+)\/(\d+)$/.exec(data.params?.url ?? "") ?? [];
          return ofRoom === room ? [Number(page)] : [];
        }),
      );
      const loaded = new Set(firsts.map(({ page }) => page));
      const expected = Array.from({ length: ROUNDS * NAVIGATIONS }, (_, page) => page);
      expect(expected.filter((page) => !loaded.has(page) && !missing.has(page))).toEqual([]);
      const clicked = entries.filter(({ what }) => what === "click").map(({ page }) => page);
      expect(clicked).toEqual([...new Set(clicked)]);
      for (let round = 0; round < ROUNDS; round++) {
        // If the job of a click is reported as done, the click must be in the site's log. If the job was
        // interrupted, the log may contain the click or not.
        if (!interrupted.has(`${room}-${round}`))
          expect(clicked).toContain(round * NAVIGATIONS + NAVIGATIONS - 1);
      }
      clicks += clicked.length;
    }
    console.log(`${clicks} clicks of ${ROOMS * ROUNDS} arrived, ${failed.length} were interrupted`);
  },
);
