/**
 * Tests the command line for persons and for scripts: exploring a site, interrupting and resuming the
 * exploration, querying the map, and names of things that do not exist.
 */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Cairn, dataFolder, type Finished, runCairn } from "../support/cairn-test-process.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";
import { walk } from "./follow-agent-clicks-without-browser.ts";

setDefaultTimeout(120_000);
/**
 * Number of pages of the test site. With this number, the exploration takes long enough to print several
 * lines of progress.
 */
const PAGES = 40;
let data: Awaited<ReturnType<typeof dataFolder>>;

const site = siteOfTests({
  "*": async (request) => {
    await Bun.sleep(40);
    return chapter(new URL(request.url).pathname);
  },
});

/**
 * A shared Cairn with a gateway. It serves the commands that may use a running gateway, because they start faster
 * with it.
 */
const shared = await cairnOfTests();

beforeEach(async () => {
  data = await dataFolder();
});

afterEach(() => data?.remove());

test("cairn explore --json prints progress and the result as JSON lines, and cairn query answers from that map", async () => {
  const explored = await cairn("explore", start(), "--max-pages", "500", "--max-depth", "50", "--json").ended;
  expect(explored.code).toBe(0);
  const lines = jsonLines(explored);
  expect(lines.filter((line) => line.type === "progress").length).toBeGreaterThan(1);
  const result = lines.at(-1);
  expect(result).toMatchObject({
    type: "result",
    status: "completed",
    progress: { completed: PAGES, queued: 0, failed: 0, searchable: PAGES },
    results: { pages_stored: PAGES, errors: [] },
  });

  const map = String(result?.knowledge_id);
  const found = await cairn("query", map, "search", "marmalade", "--json").ended;
  expect(found.code).toBe(0);
  expect(found.stdout).toContain("/chapter/37");
  const way = await cairn(
    "query",
    map,
    "navigate_to_screen",
    site.url("/chapter/5"),
    "--current-url",
    start(),
    "--json",
  ).ended;
  const actions: BrowserUseAction[] = JSON.parse(way.stdout).actions;
  expect(await walk(start(), actions)).toBe(site.url("/chapter/5"));
});

test.if(isFull)(
  "cairn explore of a known site prints what differs from the earlier map, and cairn query lists it",
  async () => {
    await cairn("explore", start(), "--max-pages", "1").ended;
    const same = await cairn("explore", start(), "--max-pages", "1").ended;
    expect(same.stdout).toContain("Compared with the map before: nothing has changed.");
    const more = await cairn("explore", start(), "--max-pages", "3").ended;
    const [, map = ""] =
      /Compared with the map before: .*new screens.*\n\s+.*query (?:-- )?(\S+) diff/.exec(more.stdout) ?? [];
    const diff = await cairn("query", map, "diff").ended;
    expect([diff.code, diff.stdout]).toEqual([0, expect.stringContaining("New screens:")]);
  },
);

test.if(isFull)(
  "Ctrl-C pauses cairn explore and prints the command that finishes the job without losing or repeating a page",
  async () => {
    const first = cairn("explore", start(), "--max-pages", "500", "--max-depth", "50", "--job-id", "stopped");
    await storedSome();
    first.child.kill("SIGINT");
    // The signal is sent twice: launchers such as npm forward a signal to a process that has already received
    // it.
    first.child.kill("SIGINT");
    const interrupted = await first.ended;
    expect(interrupted.code).toBe(130);
    expect(interrupted.stderr).toContain("paused");
    const advice = /--resume (\S+)/.exec(interrupted.stderr);
    expect(advice?.[1]).toBe("stopped");

    const asked = site.log.length;
    await Bun.sleep(500);
    expect(site.log.length).toBe(asked);

    const resumed = await cairn("explore", "--resume", "stopped", "--json").ended;
    expect(resumed.code).toBe(0);
    expect(jsonLines(resumed).at(-1)).toMatchObject({
      type: "result",
      job_id: "stopped",
      status: "completed",
      progress: { completed: PAGES, queued: 0 },
      results: { pages_stored: PAGES },
    });
  },
);

test.if(isFull)(
  "cairn explore uses a running gateway, leaves it running, and ends with a summary and a suggested next command",
  async () => {
    const gateway = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
    try {
      const explored = await cairn("explore", start(), "--max-pages", "8", "--job-id", "shared").ended;
      expect(explored.code).toBe(0);
      expect((await gateway.status("shared")).progress.completed).toBe(8);
      expect(explored.stdout).toContain("completed: 8 pages");
      // Before the summary is printed, the chapters of the explored site are grouped into one screen. So there
      // are fewer screens than pages.
      expect(Number(/Screens \((\d+)\)/.exec(explored.stdout)?.[1])).toBeLessThan(8);
      const next = /query (?:-- )?(\S+) navigate_to_screen (\S+)/.exec(explored.stdout);
      const tried = await cairn("query", String(next?.[1]), "navigate_to_screen", String(next?.[2])).ended;
      expect(tried.code).toBe(0);
      expect(explored.stdout).not.toContain("Compared with the map before");
    } finally {
      await gateway.stop();
    }
  },
);

const WRONG_NAMES = [
  [["query", "no-such-map", "search", "x"], "no-such-map"],
  [["explore", "not a url"], "not a url"],
  [["explore", "--resume", "no-such-job"], "no-such-job"],
] as const;

test.each(WRONG_NAMES.slice(0, isFull ? undefined : 1))(
  "the command line %j, which names no URL, job or map that exists, ends with exit code 1 and an explanation on stderr",
  async (args, says) => {
    const finished = await runCairn(args, { CAIRN_DATA: shared.data }).ended;
    expect(finished.stderr).toContain(says);
    expect(finished.stdout).toBe("");
    expect(finished.code).toBe(1);
  },
);

// Only the full tier runs this test: when Cairn is stopped during its start, it waits up to ten seconds for the start
// to end.
test.if(isFull)(
  "cairn serve ends with a log line if it is stopped while its store is still being opened",
  async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const env = { SURREAL_URL: `ws://127.0.0.1:${silent.port}`, SURREAL_USER: "root", SURREAL_PASS: "root" };
    const starting = await Cairn.launch({ data: data.path, env });
    while (!starting.output.stderr.includes("the store is being opened")) await Bun.sleep(20);
    expect(await starting.get("/ready")).toMatchObject({
      status: 503,
      body: { checks: { system: { detail: "starting: the store is being opened" } } },
    });
    const { code, stderr } = await starting.stop();
    silent.stop(true);
    expect(code).toBe(0);
    expect(stderr).toContain("the start was still under way and was cut off");
  },
);

test.if(isFull)("cairn doctor prints the data folder", async () => {
  const doctor = await cairn("doctor").ended;
  expect(doctor.code).toBe(0);
  expect(doctor.stdout).toContain(data.path);
});

function cairn(...args: readonly string[]) {
  return runCairn(args, { CAIRN_DATA: data.path, CAIRN_WORKERS: "1" });
}

function start(): string {
  return site.url("/chapter/1");
}

/** Waits until the exploration has requested 20 pages. Some pages are stored then, and others are not. */
async function storedSome(): Promise<void> {
  const before = site.log.length;
  while (site.log.length < before + 20) await Bun.sleep(10);
}

function jsonLines({ stdout }: Finished): Record<string, unknown>[] {
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

/** Returns a chapter of a book, which links to the next three chapters. */
function chapter(path: string): string | Response {
  const number = Number(/^\/chapter\/(\d+)$/.exec(path)?.[1]);
  if (!(number >= 1 && number <= PAGES)) return new Response("no such chapter", { status: 404 });
  const links = [1, 2, 3]
    .map((step) => number + step)
    .filter((next) => next <= PAGES)
    .map((next) => `<a href="/chapter/${next}">Chapter ${next}</a>`);
  const words = number === 37 ? "About marmalade and its making." : story(number);
  return html(
    `Chapter ${number}`,
    `<main><h1>Chapter ${number}</h1><p>${words}</p>${links.join(" ")}</main>`,
  );
}

/**
 * Returns words that occur in no other chapter. The exploration would treat repeated text as a crawler trap.
 */
function story(number: number): string {
  const syllables = ["ka", "ri", "no", "te", "lu", "ma", "so", "vi", "pe", "du"];
  const word = (at: number) =>
    [...String(number * 97 + at * 31)].map((digit) => syllables[Number(digit)]).join("");
  return `${Array.from({ length: 12 }, (_, at) => word(at)).join(" ")}.`;
}
