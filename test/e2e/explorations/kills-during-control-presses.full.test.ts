/**
 * Tests an exploration that presses controls, while its process is killed ten times. The map must be equal to
 * the map of an exploration without kills.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  type TrapApplication,
  trapApplication,
  trapTransitions,
} from "../../sites/dangerous-controls-test-app.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(600_000);
const KILLS = 10;

let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let site: TrapApplication;

beforeAll(async () => {
  data = await dataFolder();
  site = trapApplication();
  cairn = await started();
});
afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
});

const started = () => Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });

async function statusOf() {
  const { body } = await cairn.get("/api/knowledge/explore/status/killed");
  return body;
}

test("an exploration that was interrupted by kill -9 continues with the next control that it had not pressed", async () => {
  await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    mode: "auto",
    max_actions: 1_000,
    max_seconds: 3_600,
    knowledge_id: "killed",
    job_id: "killed",
  });
  let kills = 0;
  for (let before = 0; ; ) {
    const status = await statusOf();
    if (["completed", "failed", "cancelled"].includes(status.status)) {
      expect(status).toMatchObject({ status: "completed", error: null });
      break;
    }
    const actions = status.interactive?.actions ?? 0;
    // The test waits until the exploration has pressed at least one more control since the last kill. So
    // the exploration makes progress and ends.
    if (kills < KILLS && actions > before) {
      expect(actions).toBeGreaterThan(before);
      before = actions + 2;
      kills += 1;
      await cairn.kill();
      cairn = await started();
    }
    await Bun.sleep(50);
  }
  expect(kills).toBe(KILLS);
  expect(site.forbidden).toEqual([]);
  await Bun.sleep(1_000);
  const { body } = await cairn.get("/api/knowledge/killed/export");
  const names = new Map<string, string>(
    body.screens.map(({ screen_id, name }: { screen_id: string; name: string }) => [screen_id, name]),
  );
  const found = new Set<string>(
    body.transitions.map(
      ({ from, to }: { from: string; to: string }) => `${names.get(from)} | ${names.get(to)}`,
    ),
  );
  const wanted = new Set(trapTransitions.map(([from, , to]) => `${from} | ${to}`));
  expect([...wanted].filter((step) => !found.has(step))).toEqual([]);
});
