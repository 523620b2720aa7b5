/**
 * Tests explorations that press controls, on pages that are difficult to explore. Each exploration must end,
 * keep its findings and report a reason.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { hostileApplication } from "../../sites/hostile-test-pages.ts";
import type { ScriptedSite } from "../../sites/test-site-with-given-routes.ts";
import { ownCairnOfTests } from "../support/own-test-cairn.ts";
import { untilMapIsIdle } from "../support/wait-for-idle-map.ts";

/** Time limit for one test, in milliseconds. A page with 100,000 links takes minutes on a busy machine. */
setDefaultTimeout(600_000);

const sites: ScriptedSite[] = [];

const { cairn } = await ownCairnOfTests({ env: { CAIRN_WORKERS: "1" } });

afterAll(async () => {
  for (const site of sites) await site.stop();
});

/** Expects that the map stores the open menu "Options" as a part of its page's screen. */
async function expectMenu(name: string): Promise<void> {
  await untilMapIsIdle(cairn, name);
  const { body } = await cairn.get(`/api/knowledge/${name}/export`);
  const parts = body.screens.filter((screen: { part_of?: string }) => screen.part_of !== undefined);
  expect(parts.map((screen: { name: string }) => screen.name)).toContainEqual(
    expect.stringMatching(/: Options$/),
  );
}

async function explore(name: string, path: string, banAfter?: number) {
  const site = hostileApplication(banAfter);
  sites.push(site);
  await cairn.call("start_knowledge_exploration", {
    start_url: site.url(path),
    mode: "interactive",
    max_pages: 100,
    max_depth: path === "/" ? 1 : 0,
    max_seconds: 200,
    knowledge_id: name,
    job_id: name,
  });
  for (;;) {
    const { body } = await cairn.get(`/api/knowledge/explore/status/${name}`);
    if (["completed", "failed", "cancelled"].includes(body.status)) return body;
    await Bun.sleep(100);
  }
}

test.each([
  ["a page with 10,000 elements", "huge", "/huge"],
  ["a page that never stops changing", "restless", "/restless"],
])("an exploration finds the menu of %s", async (_, name, path) => {
  const status = await explore(name, path);
  expect(status).toMatchObject({ status: "completed", error: null });
  expect(["nothing_left", "max_seconds"]).toContain(status.interactive.stopped_by);
  await expectMenu(name);
});

test("an exploration of a page with 100,000 links either finds the menu of the page or fails with a reason", async () => {
  const { status, error, interactive } = await explore("links", "/links");
  // On a slow machine, parsing the page with 100,000 links may take longer than a page is allowed to take. The job
  // then fails with this error.
  if (status === "failed") expect(error.code).toBe("reading.too_complex");
  else expect(interactive.stopped_by).toMatch(/^(?:nothing_left|max_seconds)$/);
});

test("an exploration continues after a browser tab crashes", async () => {
  const status = await explore("crash", "/crash");
  expect(status).toMatchObject({ status: "completed", error: null });
  expect(["nothing_left", "browser_lost"]).toContain(status.interactive.stopped_by);
  await expectMenu("crash");
});

test("an exploration ends and keeps its findings when the site bans it", async () => {
  const status = await explore("ban", "/", 50);
  expect(status).toMatchObject({ status: "completed", error: null });
  expect(status.progress.completed).toBeGreaterThan(10);
  expect(["refused", "nothing_left"]).toContain(status.interactive.stopped_by);
  expect(status.progress.failed).toBeGreaterThan(0);
});
