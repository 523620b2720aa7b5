/** Tests the command line: help, versions, wrong usage, exit codes, and the Node launcher. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../gateway/cli.ts";
import type { Terminal } from "../../gateway/commands/cli-command-interface.ts";
import { atLeast } from "../../gateway/commands/doctor-command.ts";
import { ProgressDisplay } from "../../gateway/commands/exploration-progress-display.ts";
import type { ExplorationStatus } from "../../machines/exploration/exploration-protocol.ts";
import manifest from "../../package.json" with { type: "json" };

function terminal(
  live = false,
): Terminal & { readonly lines: string[]; readonly said: string[]; last: string } {
  const lines: string[] = [];
  const said: string[] = [];
  return {
    lines,
    said,
    last: "",
    out: (line) => void lines.push(line),
    err: (line) => void said.push(line),
    live,
    overwrite(line) {
      this.last = line;
    },
    columns: 100,
  };
}

async function cairn(args: readonly string[], env: Record<string, string> = {}) {
  const screen = terminal();
  const code = await runCommandLine(args, env, screen);
  return { code, out: screen.lines.join("\n"), err: screen.said.join("\n") };
}

/** Settings that name a data folder which does not exist. */
const NO_DATA = { CAIRN_DATA: join(tmpdir(), "cairn-never-made") };
const COMMANDS = [
  ...["serve", "mcp", "explore", "ingest", "navigate", "task", "query"],
  ...["doctor", "dead-letters", "backup", "restore", "config"],
];

test("cairn --version prints the version of package.json", async () => {
  expect(await cairn(["--version"])).toEqual({ code: 0, out: manifest.version, err: "" });
});

test("cairn --help names every command, and each command has its own help", async () => {
  const { code, out } = await cairn(["--help"]);
  expect(code).toBe(0);
  for (const command of COMMANDS) {
    expect(out).toContain(command);
    for (const args of [
      [command, "--help"],
      ["help", command],
    ]) {
      const help = await cairn(args);
      expect(help.code).toBe(0);
      expect(help.out).toStartWith(`Usage: cairn ${command}`);
    }
  }
});

test("the guide's page about the command line names every command of cairn --help", async () => {
  const guide = await readFile(join(import.meta.dir, "../../gateway/docs/guide/command-line.md"), "utf8");
  const { out } = await cairn(["--help"]);
  const commands = [...out.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = ""]) => name);
  expect(commands).toContain("navigate");
  const isNamed = (name: string): boolean =>
    name === "serve"
      ? guide.includes("`npm start`")
      : new RegExp(`(?:npm run(?: -s)?|npx cairn) ${name}\\b`).test(guide);
  expect(commands.filter((name) => !isNamed(name))).toEqual([]);
});

test.each([
  [["dance"], "dance"],
  [["explore"], "URL"],
  [["explore", "http://a", "http://b"], "http://b"],
  [["explore", "http://a", "--resume", "b"], "--resume"],
  [["explore", "--resume", "b", "--max-pages", "9"], "--max-pages"],
  [["explore", "--resume", "b", "--no-robots", "--json"], "--no-robots"],
  [["explore", "--resume", "b", "--include", "/docs/*"], "--include"],
  [["explore", "http://a", "--max-pages", "many"], "--max-pages"],
  [["explore", "http://a", "--surprise"], "--surprise"],
  [["query", "docs"], "query"],
  [["query", "docs", "dance", "x"], "dance"],
  [["query", "docs", "page", "http://a", "http://b"], "http://b"],
  [["restore"], "restore"],
  [["serve", "now"], "now"],
  [["help", "dance"], "dance"],
  [["query", "docs", "search", "x", "--url", "localhost:8000"], "such as http://127.0.0.1:8000"],
  [["mcp", "--url", "localhost:8000"], "such as http://127.0.0.1:8000"],
  [["task", "Click Save"], "--room"],
  [["config", "--write", join(tmpdir(), "cairn-no-such-document")], "ENOENT"],
])(
  "wrong arguments of the command line exit with 2 and an error that names what is wrong: %j",
  async (args, says) => {
    const { code, out, err } = await cairn(args, NO_DATA);
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(out).toBe("");
  },
);

test("cairn without arguments prints the usage and exits with 2", async () => {
  const { code, out, err } = await cairn([], NO_DATA);
  expect([code, err]).toEqual([2, ""]);
  expect(out).toContain("Usage: cairn <command>");
});

test.each(["serve", "doctor"])(
  "the command %s with an invalid setting exits with 2 and names the setting",
  async (command) => {
    const { code, err } = await cairn([command], { PORT: "eighty" });
    expect(code).toBe(2);
    expect(err).toContain("PORT=eighty");
  },
);

test("cairn serve on a public address without a key exits with 2 before anything is opened", async () => {
  const { code, err } = await cairn(["serve"], { HOST: "0.0.0.0", ...NO_DATA });
  expect(code).toBe(2);
  expect(err).toContain("CAIRN_API_KEY");
});

test("a command that needs a running gateway reports that none runs, and states what to do", async () => {
  const { code, err } = await cairn(["query", "docs", "search", "x", "--url", "http://127.0.0.1:1"]);
  expect(code).toBe(1);
  expect(err).toContain("No Cairn answers at http://127.0.0.1:1");
});

test.each([
  ["as in other commands", ["https://shop.example.com/", "--url", "http://127.0.0.1:1"]],
  ["with a room in place of a page", ["--room", "demo", "--url", "http://127.0.0.1:1"]],
  ["by its earlier name", ["--url", "https://shop.example.com/", "--gateway", "http://127.0.0.1:1"]],
])("cairn task connects to the gateway that is given %s", async (_, args) => {
  const { code, err } = await cairn(["task", "order a book", ...args]);
  expect(code).toBe(1);
  expect(err).toContain("No Cairn answers at http://127.0.0.1:1");
});

test("cairn task takes --url as the page if no page and no room is given", async () => {
  const { code, err } = await cairn(["task", "order a book", "--url", "ftp://shop.example.com/"]);
  expect(code).toBe(2);
  expect(err).toContain("url:");
});

test("cairn restore reports a backup file that does not exist", async () => {
  const { code, err } = await cairn(["restore", join(tmpdir(), "cairn-no-such-backup")]);
  expect(code).toBe(1);
  expect(err).toContain("There is no backup");
});

describe("the launcher script of the command line", () => {
  test("runs from another folder with only Node, and returns Cairn's exit code", () => {
    const launcher = join(import.meta.dir, "../../gateway/cairn.mjs");
    const run = (...args: string[]) =>
      Bun.spawnSync(["node", launcher, ...args], { cwd: tmpdir(), env: { PATH: process.env.PATH } });
    const version = run("--version");
    expect(version.stdout.toString().trim()).toBe(manifest.version);
    expect(version.exitCode).toBe(0);
    expect(run("dance").exitCode).toBe(2);
  });
});

describe("the progress of cairn explore", () => {
  const status = (completed: number, queued: number): ExplorationStatus => ({
    job_id: "one",
    status: "running",
    progress: {
      completed,
      queued,
      failed: 1,
      current_url: `http://site/${completed}`,
      searchable: 0,
      skipped: 0,
      external_links: 0,
      nofollow_links: 0,
    },
    knowledge_id: "docs",
    website_id: "docs",
    start_url: "http://site/",
    started_at: "",
    updated_at: "",
    error: null,
    traps: [],
    held_back: [],
    interactive: null,
  });

  test("is one line on a terminal, with pages, rate, queue, failures and the current URL", () => {
    const screen = terminal(true);
    const progress = new ProgressDisplay(screen, { json: false });
    progress.show(status(0, 10), 0);
    progress.show(status(9, 10), 1_000);
    expect(screen.last).toContain("9 pages (9.0/s), 10 queued, 1 failed  http://site/9");
    expect(screen.last).toStartWith("[██████████··········]");
    expect(screen.lines).toEqual([]);
  });

  test("names the last press while controls are pressed, even if found pages wait in the queue", () => {
    const screen = terminal(true);
    const progress = new ProgressDisplay(screen, { json: false });
    const interactive = { actions: 7, states: 2, last: 'click tab "Team" on http://site/' };
    progress.show({ ...status(9, 1), interactive }, 0);
    expect(screen.last).toContain('9 pages, 2 states, 7 presses  click tab "Team" on http://site/');
    progress.show({ ...status(9, 1), interactive: { ...interactive, stopped_by: "nothing_left" } }, 250);
    expect(screen.last).toContain("9 pages (0.0/s), 1 queued");
  });

  test("is a plain line every few seconds without a terminal", () => {
    const screen = terminal();
    const progress = new ProgressDisplay(screen, { json: false });
    for (let at = 0; at < 11_000; at += 250) progress.show(status(at, 0), at);
    expect(screen.said).toHaveLength(3);
  });

  test("is one JSON line on stdout for each change if --json is given", () => {
    const screen = terminal(true);
    const progress = new ProgressDisplay(screen, { json: true });
    for (const completed of [1, 1, 2]) progress.show(status(completed, 5), completed);
    expect(screen.lines.map((line) => JSON.parse(line).completed)).toEqual([1, 2]);
    expect(screen.said).toEqual([]);
  });
});

test("dotted version numbers are compared as numbers", () => {
  expect(atLeast("1.4.5", "^1.4.5")).toBe(true);
  expect(atLeast("1.10.0", "1.9.9")).toBe(true);
  expect(atLeast("1.4.4", "1.4.5")).toBe(false);
  expect(atLeast("2.0.0", "1.4.5")).toBe(true);
});
