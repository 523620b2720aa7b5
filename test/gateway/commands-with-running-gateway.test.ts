/**
 * Tests the command line while a gateway runs. A command finds the gateway of its data folder and sends its
 * work to it.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../gateway/cli.ts";
import { remoteClient } from "../../gateway/cli-client.ts";
import type { Terminal } from "../../gateway/commands/cli-command-interface.ts";
import {
  findGateway,
  prepareDataFolder,
  probe,
  readPidFile,
  removePidFile,
  writePidFile,
} from "../../gateway/running-gateway-file.ts";
import { type TestGateway, testGateway } from "./test-gateway.ts";

let dataDir: string;
let gateway: TestGateway;
let url: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "cairn-test-"));
  gateway = testGateway({ env: { CAIRN_API_KEY: "key", CAIRN_DATA: dataDir } });
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${gateway.app.server?.port}`;
});

afterEach(async () => {
  await gateway.app.server?.stop(true);
  await rm(dataDir, { recursive: true, force: true });
});

async function cairn(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    live: false,
    overwrite: () => undefined,
    columns: 80,
  };
  const env = { CAIRN_DATA: dataDir, CAIRN_API_KEY: "key", npm_lifecycle_event: args[0] };
  return { code: await runCommandLine(args, env, terminal), out, err };
}

function present(instance = "test") {
  return writePidFile(dataDir, { pid: process.pid, command: "serve", instance, url });
}

describe("the search for the gateway of a data folder", () => {
  test("finds only the gateway that wrote its address into that folder", async () => {
    expect(await findGateway(dataDir)).toBeUndefined();
    await present();
    expect(await findGateway(dataDir)).toMatchObject({ url, pid: process.pid });
  });

  test("recognises that a different program now uses the gateway's port", async () => {
    await present("one that was killed");
    expect(await findGateway(dataDir)).toBeUndefined();
  });

  test("finds no gateway if the process has ended or the file with its address is incomplete", async () => {
    await present();
    await gateway.app.server?.stop(true);
    expect(await findGateway(dataDir)).toBeUndefined();
    await writeFile(join(dataDir, "running.json"), '{"pid":');
    expect(await findGateway(dataDir)).toBeUndefined();
  });

  test("finds no gateway that has stopped, because a stopped gateway removes its own address file", async () => {
    await present("second");
    await removePidFile(dataDir, "first");
    expect(await readPidFile(dataDir)).toMatchObject({ instance: "second" });
    await removePidFile(dataDir, "second");
    expect(await readPidFile(dataDir)).toBeUndefined();
  });

  test("finds no gateway at a port on which another program or nothing listens", async () => {
    expect(await probe(url)).toBe("test");
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
    expect(await probe(`http://127.0.0.1:${other.port}`)).toBeUndefined();
    await other.stop(true);
    expect(await probe(`http://127.0.0.1:${other.port}`)).toBeUndefined();
  });

  test("reports a data folder that cannot be created, with advice", async () => {
    await writeFile(join(dataDir, "file"), "");
    await expect(prepareDataFolder(join(dataDir, "file"))).rejects.toThrow("CAIRN_DATA");
  });
});

/** The request with which the exploration of the job was started, as the list of explorations shows it. */
const REQUEST: Parameters<typeof gateway.cairn.jobs.set>[1]["request"] = {
  start_url: "http://site/",
  max_pages: 9,
  max_depth: 1,
  strategy: "BFS",
  respect_robots: true,
  scope: "host",
  include: [],
  exclude: [],
  render: "http",
  sitemaps: true,
  mode: "links",
  max_actions: 300,
  max_seconds: 300,
};

describe("while a gateway runs, the command", () => {
  beforeEach(() => present());

  test("explore uses the gateway and ends with a summary and a suggested command", async () => {
    gateway.cairn.explorations.start = async () => {
      gateway.cairn.jobs.set("one", {
        request: REQUEST,
        status: "completed",
      });
      return { job_id: "one", status: "queued", message: "", knowledge_id: "docs", website_id: "docs" };
    };
    const { code, out, err } = await cairn("explore", "http://site/", "--max-pages", "9");
    expect(code).toBe(0);
    expect(err[0]).toContain(url);
    expect(out[0]).toStartWith("completed: 3 pages, 3 links, 0 external links, 0 failed");
    expect(out.join("\n")).toContain("npm run query -- docs navigate_to_screen http://site/1");
    expect(out.join("\n")).toContain('npm run query -- docs search "Page 1"');
  });

  test("explore sends its scope and every pattern to the gateway", async () => {
    const { code, err } = await cairn(
      ...["explore", "http://site/docs/", "--scope", "path", "--no-sitemaps"],
      ...["--include", "/docs/*", "--include", "*.html", "--exclude", "/docs/old/*"],
      ...["--resume", "one"],
    );
    // A URL and `--resume` contradict each other, so the command sends no request.
    expect([code, err.join(" ")]).toEqual([2, expect.stringContaining("--resume")]);
    gateway.cairn.explorations.start = async (request) => {
      gateway.cairn.jobs.set("one", { request, status: "completed" });
      return { job_id: "one", status: "queued", message: "", knowledge_id: "docs", website_id: "docs" };
    };
    await cairn(
      ...["explore", "http://site/docs/", "--scope", "path", "--no-sitemaps"],
      ...["--include", "/docs/*", "--include", "*.html", "--exclude", "/docs/old/*"],
    );
    expect(gateway.cairn.jobs.get("one")?.request).toMatchObject({
      scope: "path",
      include: ["/docs/*", "*.html"],
      exclude: ["/docs/old/*"],
      sitemaps: false,
    });
  });

  test("explore exits with 1 and the reason when the job fails", async () => {
    gateway.cairn.jobs.set("one", {
      request: REQUEST,
      status: "failed",
    });
    const { code, out } = await cairn("explore", "--resume", "one", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out.at(-1) ?? "")).toMatchObject({ type: "result", job_id: "one", status: "failed" });
  });

  test("query prints the returned actions as text, or the answer as JSON", async () => {
    const readable = await cairn("query", "docs", "navigate_to_screen", "orders");
    expect(readable).toMatchObject({
      code: 0,
      out: ["No action is needed or known.", "Expected then:", "  screen_id: orders"],
    });
    const json = await cairn("query", "docs", "search", "two", "words", "--json");
    expect(JSON.parse(json.out[0] ?? "")).toEqual({ success: true, data: { results: [] }, error: null });
    expect(gateway.cairn.calls.at(-1)).toMatchObject({ params: { query: "two words" } });
  });

  test("explore exits with 1 and the gateway's message for an unknown job", async () => {
    const { code, err } = await cairn("explore", "--resume", "nobody");
    expect(code).toBe(1);
    expect(err.join()).toContain('There is no job "nobody".');
  });

  test("backup lets the gateway write the backup and copies it to the given path", async () => {
    gateway.cairn.backup = async (to = join(dataDir, "backups")) => {
      await prepareDataFolder(to);
      await writeFile(join(to, "b.jsonl"), "rows");
      return { file: join(to, "b.jsonl"), records: 7 };
    };
    const { code, out } = await cairn("backup", "--to", join(dataDir, "away"), "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out[0] ?? "")).toEqual({ file: join(dataDir, "away", "b.jsonl"), records: 7 });
    expect(await readFile(join(dataDir, "away", "b.jsonl"), "utf8")).toBe("rows");
  });

  test("backup names the complete file and leaves no partial copy if the file cannot be copied to the given path", async () => {
    const file = join(dataDir, "backups", "b.jsonl");
    gateway.cairn.backup = async () => {
      await prepareDataFolder(join(dataDir, "backups"));
      await writeFile(file, "rows");
      return { file, records: 7 };
    };
    await writeFile(join(dataDir, "taken"), "");
    const { code, err } = await cairn("backup", "--to", join(dataDir, "taken"));
    expect([code, err.join()]).toEqual([1, expect.stringContaining(`The backup is complete at ${file}`)]);
    const { out } = await cairn("backup", "--to", join(dataDir, "away"));
    expect(out.join()).toContain(`Keep ${join(dataDir, "key")} apart from it`);
  });

  test("restore is refused, because the gateway uses the data folder", async () => {
    await writeFile(join(dataDir, "b.jsonl"), "rows");
    const { code, err } = await cairn("restore", join(dataDir, "b.jsonl"));
    expect(code).toBe(1);
    expect(err.join()).toContain("Stop it, then restore");
  });

  test("doctor queries the gateway and prints its status", async () => {
    const { out } = await cairn("doctor", "--json");
    const report = JSON.parse(out[0] ?? "");
    expect(report.checks).toContainEqual({ name: "store", ok: true, detail: "open" });
    expect(report.checks.map(({ name }: { name: string }) => name)).toContain("gateway");
    expect(report.settings).toContainEqual({ name: "CAIRN_DATA", value: dataDir, source: "environment" });
    expect(out[0]).not.toContain('"key"');
  });
});

test("a command of the command line with a wrong key prints the gateway's message", async () => {
  await expect(remoteClient(url, { apiKey: "wrong", apiKeys: [] }).status("one")).rejects.toThrow(
    "needs its key",
  );
});

test("a command of the command line reports that the server at the given URL is not a Cairn", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
  const operator = remoteClient(`http://127.0.0.1:${other.port}`, { apiKey: undefined, apiKeys: [] });
  await expect(operator.status("one")).rejects.toThrow("is not this version of Cairn");
  await other.stop(true);
});
