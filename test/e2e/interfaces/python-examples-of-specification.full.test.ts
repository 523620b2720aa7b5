/**
 * Runs the Python examples of the protocol specification against a running Cairn, with `bullmq`, `redis` and
 * `httpx` from PyPI. The specification is not in this repository: CAIRN_PROTOCOL_TEXT is the path of its part
 * about protocols and interfaces. Without this path, the test is skipped.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RedisServer, redisBinary } from "../../support/test-redis-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

const run = promisify(execFile);
const TIMEOUT = 300_000;
setDefaultTimeout(TIMEOUT);
const VENV = join(import.meta.dirname, "../../../node_modules/.cache/cairn/python");
const SCRIPT = join(import.meta.dirname, "python/protocol-examples.py");

const text = process.env.CAIRN_PROTOCOL_TEXT;
const binary = await redisBinary();
const missing =
  text === undefined
    ? "CAIRN_PROTOCOL_TEXT is not set"
    : binary === undefined
      ? "there is no redis-server"
      : "";
if (missing) console.warn(`The Python examples of the protocol specification are skipped: ${missing}.`);

async function python(): Promise<string> {
  const path = join(VENV, "bin/python");
  if (!existsSync(join(VENV, "ready"))) {
    await run("python3", ["-m", "venv", VENV]);
    await run(path, ["-m", "pip", "install", "-q", "bullmq", "redis", "httpx"]);
    await Bun.write(join(VENV, "ready"), "");
  }
  return path;
}

describe.skipIf(missing !== "")("the Python example client of the protocol specification", () => {
  let redis: RedisServer;
  let site: ScriptedSite;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let cairn: Cairn;
  /** The results that each Python example has reported. The key is the example's name. */
  const observed = new Map<string, Record<string, unknown>>();

  beforeAll(async () => {
    redis = await RedisServer.start(binary ?? "");
    site = serveSite({
      "/": html("Start", `<h1>Start</h1><a href="/two">Two</a>`),
      "/two": html("Two", `<h1>Two</h1><a href="/">Back</a>`),
      "*": async (request) => {
        await Bun.sleep(100);
        const n = Number(new URL(request.url).pathname.split("/").at(-1));
        return html(
          `Page ${n}`,
          `<h1>Page ${n}</h1><a href="/slow/${2 * n + 1}">a</a> <a href="/slow/${2 * n + 2}">b</a>`,
        );
      },
    });
    data = await dataFolder();
    cairn = await Cairn.start({ data: data.path, env: { REDIS_URL: redis.url } });
    const args = [SCRIPT, text ?? "", cairn.url, String(redis.port), site.url("/").replace(/\/$/, "")];
    const { stdout } = await run(await python(), args);
    for (const line of stdout.trim().split("\n")) {
      const { example, ...rest } = JSON.parse(line);
      observed.set(example, rest);
    }
  });

  afterAll(async () => {
    await cairn?.stop();
    site?.stop();
    await redis?.remove();
    await data?.remove();
  });

  test("starts a session, navigates, explores, and receives the navigation event over Redis", () => {
    expect(observed.get("mcp client")).toMatchObject({
      status: "started",
      moved: true,
      job: "python-tool",
    });
  });

  test("receives the events of a session on its Redis channel", () => {
    expect(observed.get("event subscription")?.types).toContain("page_navigation");
  });

  test("starts, pauses, resumes and reads an exploration, and receives its progress", () => {
    expect(observed.get("knowledge client")).toMatchObject({
      started: "queued",
      paused: "paused",
      resumed: expect.stringMatching(/running|queued/),
      partial: true,
      status: "completed",
      pages: 40,
      told: 40,
      fields: expect.arrayContaining(["job_id", "status", "completed", "queued", "failed", "timestamp"]),
    });
    expect(observed.get("progress subscription")?.printed).toMatch(/^Progress: \d+\/\d+$/);
  });

  test("sends commands through BullMQ, and receives their completion", () => {
    const { printed, url } = observed.get("queues") ?? {};
    expect(printed).toContain("Action completed: navigate");
    expect(printed).toContain("Action completed: click");
    expect(url).toBe(site.url("/"));
  });

  test("controls a browser over REST, and cannot click an element index that no analysis has returned", () => {
    const answers = observed.get("rest")?.answers as readonly string[];
    expect(answers).toHaveLength(3);
    expect(answers[0]).toContain("'status': 'started'");
    expect(answers[1]).toContain("'code': 'no_analysis'");
    expect(answers[2]).toContain(site.url("/"));
  });
});
