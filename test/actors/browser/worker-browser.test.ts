/** Tests that Chromium starts on demand, restarts after it died, and ends with the process that owns it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserLimits } from "../../../actors/browser/browser-limits.ts";
import { createBrowser, sweepProfiles } from "../../../actors/browser/index.ts";
import { processTree } from "../../e2e/support/process-tree.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { SimulatedClock } from "../runtime/model/simulated-clock.ts";
import { documentOf, testBrowser } from "./test-browser.ts";

const signal = new AbortController().signal;
let site: ScriptedSite;

beforeEach(() => {
  site = serveSite({
    "/": html("Home", "<p>home</p>"),
    "/endless": html(
      "Endless",
      '<p>x</p><script>navigator.sendBeacon("/looping" + location.search); for (;;);</script>',
    ),
    "/looping": new Response(null, { status: 204 }),
  });
});
afterEach(() => site.stop());

/** Resolves when the endless page of this test has started its loop, which the page reports by a request. */
async function looping(round?: number): Promise<void> {
  const signal = round === undefined ? "/looping" : `/looping?${round}`;
  while (!site.requests.includes(signal)) await Bun.sleep(10);
}

/**
 * Returns the command line of a process. It is empty for a process that has ended, even if its parent has not
 * collected the exit status yet.
 */
const commandLine = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ").trim();

/** Returns the type of a Chromium process: `browser`, `renderer`, `zygote` and so on. */
const kindOf = async (pid: number) => / --type=([\w-]+)/.exec(await commandLine(pid))?.[1] ?? "browser";

/** Returns the ids of all Chromium processes that are descendants of a process. */
async function chromiumsOf(root: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of processTree(root)) {
    if (/^\S*chrom/.test(await commandLine(pid))) found.push(pid);
  }
  return found;
}

/**
 * Returns the ids of the processes of the Chromium whose profile is in the folder, its main process first.
 * Other test files of this process may have started other Chromiums.
 */
async function chromiumsIn(folder: string): Promise<readonly number[]> {
  const lines = await Promise.all(
    (await chromiumsOf(process.pid)).map(async (pid) => [pid, await commandLine(pid)] as const),
  );
  const [main] = lines.find(([, line]) => line.includes(`--user-data-dir=${folder}/`)) ?? [];
  return main === undefined ? [] : await chromiumsOf(main);
}

async function living(pids: readonly number[]): Promise<readonly number[]> {
  const states = await Promise.all(pids.map(async (pid) => [pid, (await commandLine(pid)) !== ""] as const));
  return states.filter(([, lives]) => lives).map(([pid]) => pid);
}

/** Resolves when all processes have ended. It has no time limit of its own, because the test has one. */
async function untilGone(pids: readonly number[]): Promise<void> {
  while ((await living(pids)).length > 0) await Bun.sleep(20);
}

describe("a Chromium that a process or worker thread has started", () => {
  test.each(["process", "worker"])(
    "ends when that %s is killed, even while a page runs endless code",
    async (where) => {
      const folder = await mkdtemp(join(tmpdir(), "cairn-browser-"));
      const owner = Bun.spawn(
        [
          process.execPath,
          join(import.meta.dir, "browser-owner-test-process.ts"),
          site.url("/"),
          site.url("/endless"),
          where,
          folder,
        ],
        { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
      );
      const output = owner.stdout.getReader();
      const line = async () => new TextDecoder().decode((await output.read()).value).trim();
      try {
        expect(await line()).toBe("document");
        await looping();
        const chromiums = await chromiumsOf(owner.pid);
        const kinds = await Promise.all(chromiums.map(kindOf));
        for (const kind of ["browser", "zygote", "renderer"]) expect(kinds).toContain(kind);
        if (where === "worker") {
          owner.stdin.write("end\n");
          owner.stdin.flush();
          expect(await line()).toBe("terminated");
        } else {
          owner.kill("SIGKILL");
          await owner.exited;
        }
        await untilGone(chromiums);
        expect(await readdir(folder)).toHaveLength(1);
        await sweepProfiles(folder);
        expect(await readdir(folder)).toEqual([]);
      } finally {
        owner.kill("SIGKILL");
        await rm(folder, { recursive: true });
      }
    },
  );
});

describe("a browser", () => {
  test("starts with the first render and leaves no process or file when it is closed", async () => {
    const folder = join(await mkdtemp(join(tmpdir(), "cairn-browser-")), "not-there-yet");
    const browser = createBrowser({ folder, userAgent: "Cairn/test", log: () => {} });
    const job = browser.openJob();
    await job.close();
    expect(existsSync(folder)).toBe(false);
    documentOf(await job.render(site.url("/"), { signal }));
    const chromiums = await chromiumsIn(folder);
    expect(chromiums.length).toBeGreaterThan(1);
    await browser.close();
    await untilGone(chromiums);
    expect(await readdir(folder)).toEqual([]);
    await rm(join(folder, ".."), { recursive: true });
  });

  test("starts one Chromium for sessions and one for renders, each when it is needed, and closes each when it is idle", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-browser-"));
    const started: number[] = [];
    const browser = createBrowser({
      folder,
      userAgent: "Cairn/test",
      idle: 50,
      log: (_level, message, { pid }) => void (message === "browser started" && started.push(Number(pid))),
    });
    const session = await browser.openSession({ viewport: { width: 800, height: 600 } });
    expect(started).toHaveLength(1);
    const job = browser.openJob();
    documentOf(await job.render(site.url("/"), { signal }));
    await job.close();
    expect(started).toHaveLength(2);
    await untilGone(started.slice(1));
    expect((await session.open(site.url("/"))).success).toBe(true);
    expect(await living(started)).toEqual(started.slice(0, 1));
    await session.close();
    await untilGone(started);
    // The closed browser removes its own files in the background, so a missing file must cause no error here.
    await rm(folder, { recursive: true, force: true });
  });

  test.if(isFull)(
    "is closed when it is idle, even if it has prepared a page for the next session",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "cairn-browser-"));
      const timers = new SimulatedClock();
      const given = { folder, userAgent: "Cairn/test", idle: 50, log: () => {}, timers };
      const browser = createBrowser(given);
      const viewport = { width: 800, height: 600 };
      const session = await browser.openSession({ viewport });
      const renderers = async () =>
        (await Promise.all((await chromiumsIn(folder)).map(kindOf))).filter((kind) => kind === "renderer");
      expect(await renderers()).toHaveLength(1);
      await timers.advance(browserLimits.preparePageAfter);
      while ((await renderers()).length < 2) await Bun.sleep(10);
      const chromiums = await chromiumsIn(folder);
      await session.close();
      await untilGone(chromiums);
      expect(timers.next()).toBe(false);
      const next = await browser.openSession({ viewport });
      expect((await next.open(site.url("/"))).success).toBe(true);
      await browser.close();
      await rm(folder, { recursive: true });
    },
  );

  test.if(isFull)("starts again for the next page after it was closed or was idle", async () => {
    const { browser, folder } = await testBrowser({ idle: 50 });
    const job = browser.openJob();
    documentOf(await job.render(site.url("/"), { signal }));
    await untilGone(await chromiumsIn(folder));
    documentOf(await job.render(site.url("/"), { signal }));
    await browser.close();
    documentOf(await job.render(site.url("/"), { signal }));
    await browser.close();
    await rm(folder, { recursive: true });
  });

  test.if(isFull)(
    "is unavailable if the code that controls its pages cannot be loaded, and the process continues",
    async () => {
      const script = `Bun.plugin({ name: "unreadable", setup: ({ onLoad }) =>
        onLoad({ filter: /running-chromium\\.ts$/ }, () => { throw new Error("Cannot be read") }) });
      process.on("unhandledRejection", () => console.log("unhandled"));
      const { unstartedTestBrowser } = await import("${join(import.meta.dir, "test-browser.ts")}");
      const { browser, folder } = await unstartedTestBrowser();
      console.log(await browser.ready().then(() => "ready", ({ code }) => code));
      await require("node:fs/promises").rm(folder, { recursive: true });
      process.exit(0);`;
      const run = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
      expect(await new Response(run.stdout).text()).toBe("browser.unavailable\n");
    },
    30_000,
  );

  test.if(isFull)(
    "fails its current pages with a retryable error if it is killed, and starts again for the next page",
    async () => {
      const logged: string[] = [];
      const { browser, folder } = await testBrowser({ log: (_, message) => logged.push(message) });
      const job = browser.openJob();
      for (let round = 0; round < 2; round++) {
        documentOf(await job.render(site.url("/"), { signal }));
        const [main = 0, ...children] = await chromiumsIn(folder);
        const rendering = job.render(site.url(`/endless?${round}`), { signal });
        await looping(round);
        process.kill(main, "SIGKILL");
        expect(await rendering).toMatchObject({ kind: "failed", code: "browser.crashed", retryable: true });
        await untilGone(children);
      }
      documentOf(await job.render(site.url("/"), { signal }));
      expect(logged).toContain("browser ended; the next page starts another");
      await browser.close();
      expect(await readdir(folder)).toEqual([]);
      await rm(folder, { recursive: true });
    },
  );

  test("loses only the page whose renderer process dies", async () => {
    const { browser, folder } = await testBrowser();
    const job = browser.openJob();
    const rendering = job.render(site.url("/endless"), { signal });
    await looping();
    const chromiums = await chromiumsIn(folder);
    for (const pid of chromiums) {
      if ((await kindOf(pid)) === "renderer") process.kill(pid, "SIGKILL");
    }
    expect(await rendering).toMatchObject({
      kind: "failed",
      code: "browser.page_crashed",
      retryable: true,
    });
    documentOf(await job.render(site.url("/"), { signal }));
    expect((await chromiumsIn(folder))[0]).toBe(chromiums[0] ?? 0);
    await browser.close();
    await rm(folder, { recursive: true });
  });
});
