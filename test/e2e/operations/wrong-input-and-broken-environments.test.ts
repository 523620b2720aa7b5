/**
 * Tests common mistakes and broken environments. Each must be answered with the right status and a message
 * that states what to do.
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { type Answer, Cairn, dataFolder, freePort, runCairn } from "../support/cairn-test-process.ts";
import { JobWatch } from "../support/check-counts-of-running-exploration.ts";
import { ownCairnOfTests } from "../support/own-test-cairn.ts";

setDefaultTimeout(120_000);
const START = "/api/knowledge/explore/start";

const { cairn: first } = await ownCairnOfTests({ env: { CAIRN_WORKERS: "1" } });

describe("a Cairn that gets a request which it cannot serve", () => {
  const cairn = first;

  test("returns 404 for an unknown job on every route of a job, with the job's id in the message", async () => {
    const answers = [
      await cairn.get("/api/knowledge/explore/status/nobody"),
      await cairn.get("/api/knowledge/explore/results/nobody"),
      await cairn.post("/api/knowledge/explore/pause", { job_id: "nobody" }),
      await cairn.post("/api/knowledge/explore/resume", { job_id: "nobody" }),
      await cairn.post("/api/knowledge/explore/cancel", { job_id: "nobody" }),
      await cairn.delete("/api/knowledge/explore/jobs/nobody"),
    ];
    for (const answer of answers) {
      expectError(answer, 404);
      expect(answer.body.error.message).toContain("nobody");
    }
  });

  test("stores nothing about rooms, jobs, runs and dialogues that never existed", async () => {
    const room_name = "unknown-room";
    const start_url = `http://127.0.0.1:${await freePort()}/`;
    await cairn.post(START, { start_url, job_id: "for-a-map", knowledge_id: "empty-map" });
    await new JobWatch("for-a-map").follow(cairn);
    const walk = { instruction_type: "navigate_to_screen", target: "orders", execute: true };
    const answers = [
      await cairn.call("execute_action", { room_name, action_type: "refresh", params: {} }),
      await cairn.call("WebToolkit_analyzePage", { room_name }),
      await cairn.call("screenshot", { room_name }),
      await cairn.call("get_browser_context", { room_name }),
      await cairn.call("pause_browser_session", { room_name }),
      await cairn.call("resume_browser_session", { room_name }),
      await cairn.call("recover_browser_session", { room_name }),
      await cairn.call("take_session_control", { room_name, by: "Ada" }),
      await cairn.call("release_session_control", { room_name, holder: "nobody-at-all" }),
      await cairn.call("start_recording", { room_name }),
      await cairn.call("stop_recording", { room_name }),
      await cairn.call("close_browser_session", { room_name }),
      await cairn.post("/api/knowledge/empty-map/query", { ...walk, context: { room_name } }),
      await cairn.call("start_dialogue", { task: "Click Save", room_name }),
      await cairn.call("get_dialogue", { dialogue_id: "nobody" }),
      await cairn.call("answer_dialogue", { dialogue_id: "nobody", message: { action: "pause" } }),
      await cairn.call("get_navigation_result", { run_id: "nobody" }),
      await cairn.call("cancel_navigation", { run_id: "nobody" }),
      await cairn.call("get_exploration_status", { job_id: "nobody" }),
      await cairn.call("pause_exploration", { job_id: "nobody" }),
      await cairn.call("cancel_exploration", { job_id: "nobody" }),
    ];
    for (const answer of answers) expectError(answer, 404);
    for (const kind of ["session", "dialogue", "navigation", "walk", "exploration"]) {
      const { actors } = (await cairn.get(`/api/actors?kind=${kind}&limit=200`)).body;
      const ids = actors.map(({ id }: { id: string }) => id).filter((id: string) => id !== "for-a-map");
      expect([kind, ids]).toEqual([kind, []]);
    }
    await cairn.delete("/api/knowledge/empty-map");
  });

  test("returns 404 for an unknown map", async () => {
    expectError(await cairn.get("/api/knowledge/nowhere"), 404);
    expectError(await cairn.delete("/api/knowledge/nowhere"), 404);
    expectError(
      await cairn.post("/api/knowledge/nowhere/query", { instruction_type: "find_screen", target: "x" }),
      404,
    );
  });

  test.each([
    "http://169.254.169.254/",
    "http://10.0.0.1/",
    "http://[::ffff:a9fe:a9fe]/",
    "https://example.com:25/",
  ])("refuses the start URL %p immediately with advice, and creates no job", async (start_url) => {
    const answer = await cairn.post(START, { start_url, job_id: "refused-url" });
    expectError(answer, 403);
    expect(answer.body.error.code).toBe("egress.refused");
    expectError(await cairn.get("/api/knowledge/explore/status/refused-url"), 404);
  });

  test.each(["", "not a url", "example.com/docs", "ftp://example.com/", "file:///etc/passwd", "http://"])(
    "refuses the start URL %p and creates no job",
    async (start_url) => {
      const answer = await cairn.post(START, { start_url, job_id: "bad-url" });
      expect([400, 422]).toContain(answer.status);
      expectError(answer, answer.status);
      expectError(await cairn.get("/api/knowledge/explore/status/bad-url"), 404);
    },
  );

  test.each([
    ["max_pages", { start_url: "http://127.0.0.1/", max_pages: "many" }],
    ["max_pages", { start_url: "http://127.0.0.1/", max_pages: 0 }],
    ["max_depth", { start_url: "http://127.0.0.1/", max_depth: -1 }],
    ["strategy", { start_url: "http://127.0.0.1/", strategy: "RANDOM" }],
    ["job_id", { start_url: "http://127.0.0.1/", job_id: "a job/with strange signs" }],
    ["colour", { start_url: "http://127.0.0.1/", colour: "red" }],
    ["start_url", { start_url: 7 }],
    ["start_url", { max_pages: 5 }],
    ["object", []],
  ])("refuses an invalid body with an error that names %s: %j", async (wrong, body) => {
    const answer = await cairn.post(START, body);
    expectError(answer, 422);
    expect(JSON.stringify(answer.body.error)).toContain(wrong);
  });

  test("returns 400 for a body that is not JSON", async () => {
    const response = await fetch(cairn.url + START, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"start_url": ',
    });
    expectError({ status: response.status, body: await response.json() }, 400);
  });

  test("returns 404 in the usual error shape for an unknown path", async () => {
    expectError(await cairn.get("/api/knowledge/explore/nothing/here/at-all"), 404);
  });

  test("reports an exploration of an unreachable host as failed, with the reason", async () => {
    const start_url = `http://127.0.0.1:${await freePort()}/`;
    expect((await cairn.post(START, { start_url, job_id: "unreachable" })).status).toBe(200);
    const end = await new JobWatch("unreachable").follow(cairn);
    expect(end.status).toBe("failed");
    expect(end.progress).toMatchObject({ completed: 0, queued: 0, failed: 1 });
    expect(end.error?.message).toBeTruthy();
    const results = await cairn.get("/api/knowledge/explore/results/unreachable");
    expect(results.body.results.errors).toEqual([expect.objectContaining({ url: start_url })]);
    // The failed exploration has left an empty map. A query without a map id must not use it as the only
    // map.
    const question = { query_type: "sitemap_semantic", params: {} };
    const answer = await cairn.post("/mcp/tools/call", { tool: "query_knowledge", arguments: question });
    expect(JSON.stringify(answer.body)).toContain("There is no map yet");
  });

  test("returns 404 for an unknown tool and 422 for invalid arguments of a tool", async () => {
    expectError(await cairn.post("/mcp/tools/call", { tool: "no_such_tool", arguments: {} }), 404);
    expectError(
      await cairn.post("/mcp/tools/call", { tool: "pause_exploration", arguments: { job: 1 } }),
      422,
    );
  });
});

describe("a start of Cairn that fails", () => {
  let data: Awaited<ReturnType<typeof dataFolder>>;
  const env = { CAIRN_WORKERS: "1" };

  beforeAll(async () => {
    data = await dataFolder();
  });

  afterAll(async () => {
    await data?.remove();
  });

  test.if(isFull)("names a port that is in use, and unlocks the data folder for the next start", async () => {
    const occupied = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const port = String(occupied.port);
    const refused = await runCairn(["serve"], { ...env, CAIRN_DATA: data.path, PORT: port }).ended;
    await occupied.stop(true);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr + refused.stdout).toContain(port);
    expect(refused.stderr + refused.stdout).toContain("PORT");
    const cairn = await Cairn.start({ data: data.path, env });
    expect((await cairn.stop()).code).toBe(0);
  });

  describe("while another Cairn runs", () => {
    const jobs = () => first.get("/api/knowledge/explore/jobs");

    test.if(isFull)(
      "reports that another Cairn uses the port, and that Cairn still receives all its requests",
      async () => {
        const other = await dataFolder();
        const port = new URL(first.url).port;
        const before = await jobs();
        const second = await runCairn(["serve"], { ...env, CAIRN_DATA: other.path, PORT: port }).ended;
        await other.remove();
        expect(second.code).not.toBe(0);
        expect(second.stderr + second.stdout).toContain("another Cairn");
        expect(before.status).toBe(200);
        expect(await jobs()).toEqual(before);
      },
    );

    test.if(isFull)(
      "refuses a data folder that another Cairn has open, and does not disturb that Cairn",
      async () => {
        const port = String(await freePort());
        const before = await jobs();
        const second = await runCairn(["serve"], { ...env, CAIRN_DATA: first.data, PORT: port }).ended;
        expect(second.code).not.toBe(0);
        expect(second.stderr + second.stdout).toContain(first.data);
        expect(before.status).toBe(200);
        expect(await jobs()).toEqual(before);
      },
    );
  });

  test.if(isFull)(
    "refuses a database of a newer release without changing it, and names both versions and what to do",
    async () => {
      const newer = await newerRelease();
      try {
        await (await Cairn.start({ data: data.path, root: newer, env })).stop();
        const refused = await runCairn(["serve"], {
          ...env,
          CAIRN_DATA: data.path,
          PORT: String(await freePort()),
        }).ended;
        expect(refused.code).not.toBe(0);
        expect(refused.stderr).toMatch(/9999.*newer.*(release|version)/s);
        await (await Cairn.start({ data: data.path, root: newer, env })).stop();
      } finally {
        await rm(newer, { recursive: true, force: true });
      }
    },
  );
});

/**
 * A small file system that the test fills. The test needs root to mount it, and a CI container may lack this
 * right.
 */
const smallDisk = join(tmpdir(), `cairn-small-disk-${process.pid}`);
const canMount =
  isFull &&
  spawnSync("sh", ["-c", `mkdir -p ${smallDisk} && mount -t tmpfs -o size=100m tmpfs ${smallDisk}`])
    .status === 0;

describe.skipIf(!canMount)("a full disk", () => {
  let site: ScriptedSite;
  let cairn: Cairn | undefined;

  beforeAll(() => {
    site = serveSite({ "*": (request) => bulkyPage(new URL(request.url).pathname) });
  });

  afterAll(async () => {
    await cairn?.kill();
    await site?.stop();
    spawnSync("umount", [smallDisk]);
    await rm(smallDisk, { recursive: true, force: true });
  });

  test("is reported with advice, reads continue, and the job continues without loss when space is free", async () => {
    const data = join(smallDisk, "data");
    cairn = await Cairn.start({ data });
    const watch = new JobWatch("full");
    const request = { start_url: site.url("/1"), max_pages: 1_000, max_depth: 900, job_id: "full" };
    expect((await cairn.post(START, request)).status).toBe(200);
    await reportOfFullDisk(cairn, watch);
    // The database frees space when it merges its files. Another file takes this space, so the disk stays full.
    spawnSync("dd", ["if=/dev/zero", `of=${join(smallDisk, "filler")}`, "bs=64k"]);
    const ready = await reportOfFullDisk(cairn, watch);

    expect((await cairn.get("/health")).status).toBe(200);
    expect(ready.status).toBe(503);
    const refused = await cairn.post(START, { ...request, job_id: "another" });
    expectError(refused, 503);
    expect(refused.body.error.message).toMatch(/disk/i);
    const kept = await cairn.get("/api/knowledge/explore/results/full?partial=true&limit=5");
    expect(kept.status).toBe(200);
    expect(kept.body.pages).toHaveLength(5);
    const { completed } = (await watch.read(cairn)).progress;
    spawnSync("mount", ["-o", "remount,size=1g", smallDisk]);
    await watch.follow(cairn, ({ progress }) => progress.completed > completed);
    await cairn.kill();
    cairn = await Cairn.start({ data });
    await watch.follow(cairn, ({ progress }) => progress.completed > completed + 20);
    expect(watch.contradictions).toEqual([]);
  });
});

/**
 * Waits until `/ready` reports the full disk, and reads the job's status meanwhile. On a slow machine,
 * `/ready` may first report another problem.
 */
async function reportOfFullDisk(cairn: Cairn, watch: JobWatch): Promise<Answer> {
  for (;;) {
    const ready = await cairn.get("/ready");
    if (/Only \d+ MB of the disk are free/.test(ready.body.checks.store.detail)) return ready;
    await watch.read(cairn);
    await Bun.sleep(100);
  }
}

/** Creates a copy of this Cairn's sources with one more migration, as a later release would have. */
async function newerRelease(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "cairn-newer-"));
  const here = join(import.meta.dir, "../../..");
  for (const folder of ["machines", "store", "actors", "gateway"]) {
    await cp(join(here, folder), join(root, folder), { recursive: true });
  }
  for (const shared of ["node_modules", "package.json", "tsconfig.json"]) {
    await symlink(join(here, shared), join(root, shared));
  }
  await writeFile(
    join(root, "store/schema/9999-future.surql"),
    "DEFINE TABLE future TYPE NORMAL SCHEMAFULL;\n",
  );
  return root;
}

function expectError(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.body.error.code).toMatch(/^[a-z_]+\.[a-z_]+$/);
  expect(answer.body.error.message.length).toBeGreaterThan(10);
}

/** Returns a page with about 300 kB of text and links to further such pages, without an end. */
function bulkyPage(path: string): string {
  const number = Number(path.slice(1));
  const next = [1, 2, 3].map((step) => `<a href="/${number * 3 + step}">next ${step}</a>`).join(" ");
  const text = Array.from(
    { length: 30_000 },
    (_, word) => `word${(word * 7919 + number * 104_729) % 99_991}`,
  );
  return html(`Bulk ${number}`, `<main><h1>Bulk ${number}</h1><p>${text.join(" ")}</p>${next}</main>`);
}
