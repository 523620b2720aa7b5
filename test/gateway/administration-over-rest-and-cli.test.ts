/** Tests the administration of Cairn (actors, dead letters, nodes) over REST and on the command line. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { runCommandLine } from "../../gateway/cli.ts";
import type { Terminal } from "../../gateway/commands/cli-command-interface.ts";
import { type TestGateway, testGateway } from "./test-gateway.ts";

describe("the REST routes for administration", () => {
  test("list actors by kind and state, and parse numbers in the query string", async () => {
    const { call, cairn } = testGateway();
    const { status, body } = await call(
      "GET",
      "/api/actors?kind=exploration&state=parked&limit=5&cursor=a%2Fb",
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ actors: [{ kind: "exploration", id: "one/two", state: "parked" }] });
    expect(cairn.operations.calls).toEqual([
      { kind: "exploration", state: "parked", limit: 5, cursor: "a/b" },
    ]);
    await call("GET", "/api/actors");
    expect(cairn.operations.calls.at(-1)).toEqual({ limit: 100 });
  });

  test("refuse an invalid limit with 422", async () => {
    const { call } = testGateway();
    for (const limit of ["0", "-1", "many", "1001", "1.5"]) {
      expect((await call("GET", `/api/actors?limit=${limit}`)).status).toBe(422);
      expect((await call("GET", `/api/dead-letters?limit=${limit}`)).status).toBe(422);
    }
  });

  test("list the actors that changed last, and refuse a cursor for this list, which has one page", async () => {
    const { call, cairn } = testGateway();
    expect((await call("GET", "/api/actors?kind=dialogue&order=updated&limit=8")).status).toBe(200);
    expect(cairn.operations.calls).toEqual([{ kind: "dialogue", order: "updated", limit: 8 }]);
    const { status, body } = await call("GET", "/api/actors?order=updated&cursor=a%2Fb");
    expect([status, body.error.message]).toEqual([422, expect.stringContaining("Leave cursor out")]);
  });

  test("return one actor whatever characters its id has, and 404 for an unknown actor", async () => {
    const { call } = testGateway();
    const { status, body } = await call("GET", "/api/actors/exploration/one%2Ftwo");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "one/two",
      parked: { code: "internal.defect" },
      mailbox: { waiting: 0 },
    });
    const missing = await call("GET", "/api/actors/exploration/unknown");
    expect(missing).toMatchObject({ status: 404, body: { error: { code: "actor.not_found" } } });
    expect((await call("GET", "/api/actors/exploration/newer")).status).toBe(503);
  });

  test("unpark an actor, and a second request to unpark it has no effect", async () => {
    const { call } = testGateway();
    const path = "/api/actors/exploration/one%2Ftwo/unpark";
    expect((await call("POST", path)).body).toMatchObject({ id: "one/two", unparked: true });
    expect((await call("POST", path)).body).toMatchObject({ unparked: false });
  });

  test("list dead letters in pages, and replay or discard each one once", async () => {
    const { call } = testGateway();
    const first = await call("GET", "/api/dead-letters?limit=2");
    expect(first.body).toMatchObject({ dead_letters: [{ id: "dl-1" }, { id: "dl-2" }], next_cursor: "dl-2" });
    const rest = await call("GET", `/api/dead-letters?limit=2&cursor=${first.body.next_cursor}`);
    expect(rest.body).toMatchObject({ dead_letters: [{ id: "dl-3" }], next_cursor: null });
    const replayed = await call("POST", "/api/dead-letters/dl-1/replay");
    expect(replayed.body).toMatchObject({ id: "dl-1", outcome: { ok: true, result: { n: 1 } } });
    expect((await call("POST", "/api/dead-letters/dl-1/replay")).status).toBe(404);
    expect((await call("DELETE", "/api/dead-letters/dl-2")).body).toEqual({ id: "dl-2", discarded: true });
    expect((await call("DELETE", "/api/dead-letters/dl-2")).status).toBe(404);
  });

  test("list the nodes, and mark the node that answers", async () => {
    const { body } = await testGateway().call("GET", "/api/nodes");
    expect(body.nodes).toMatchObject([{ self: true, workers: [{ shards: [1, 2] }] }]);
  });

  test("return metrics in the Prometheus format, and only those of the process while Cairn starts", async () => {
    const gateway = testGateway();
    const response = await gateway.app.handle(
      new Request("http://127.0.0.1:8000/metrics", { headers: { host: "127.0.0.1:8000" } }),
    );
    expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const text = await response.text();
    expect(text).toContain('cairn_commands_total{kind="exploration",result="o\\"k\\\\"} 3\n');
    expect(text).not.toContain("cairn_empty_total");
    expect(text).toContain(
      [
        "# TYPE cairn_step_seconds histogram",
        'cairn_step_seconds_bucket{kind="host",le="0.1"} 2',
        'cairn_step_seconds_bucket{kind="host",le="1"} 3',
        'cairn_step_seconds_bucket{kind="host",le="+Inf"} 4',
        'cairn_step_seconds_sum{kind="host"} 7.5',
        'cairn_step_seconds_count{kind="host"} 4',
        "",
      ].join("\n"),
    );
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{.+\})? [\d.e+-]+)$/);
    }
    const starting = await testGateway({ starting: true }).app.handle(
      new Request("http://127.0.0.1:8000/metrics", { headers: { host: "127.0.0.1:8000" } }),
    );
    expect(await starting.text()).toContain("process_resident_memory_bytes");
  });

  test("require the API key if one is configured", async () => {
    const { call } = testGateway({ env: { CAIRN_API_KEY: "key" } });
    for (const path of ["/api/actors", "/api/dead-letters", "/api/nodes", "/api/actors/a/b", "/metrics"]) {
      expect((await call("GET", path)).status).toBe(401);
    }
  });
});

describe("the command cairn dead-letters with a running gateway", () => {
  let gateway: TestGateway;
  let url: string;
  beforeEach(() => {
    gateway = testGateway();
    gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
    url = `http://127.0.0.1:${gateway.app.server?.port}`;
  });
  afterEach(async () => {
    await gateway.app.server?.stop(true);
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
    const code = await runCommandLine(["dead-letters", ...args, "--url", url], {}, terminal);
    return { code, out, err };
  }

  test("lists dead letters as text and as JSON", async () => {
    const { code, out } = await cairn("--limit", "2");
    expect(code).toBe(0);
    expect(out.join("\n")).toContain("exploration/one/two");
    expect(out.join("\n")).toContain("actor.step_failed: It broke.");
    expect(out.at(-1)).toContain("--cursor dl-2");
    const json = await cairn("list", "--json");
    expect(JSON.parse(json.out[0] ?? "").dead_letters).toHaveLength(3);
  });

  test("replays a dead letter, and fails for a dead letter that no longer exists", async () => {
    const { code, out } = await cairn("replay", "dl-1");
    expect({ code, line: out[0] }).toEqual({
      code: 0,
      line: 'dl-1: exploration/one/two is back in service; answered {"n":1} (now paused)',
    });
    const again = await cairn("replay", "dl-1");
    expect(again).toMatchObject({ code: 1, err: [expect.stringContaining("dl-1")] });
  });

  test("continues after a dead letter that fails, and exits with 1", async () => {
    const { code, out, err } = await cairn("discard", "dl-1", "nothing", "dl-3");
    expect({ code, done: out.length, failed: err.length }).toEqual({ code: 1, done: 2, failed: 1 });
    expect([...gateway.cairn.operations.letters.keys()]).toEqual(["dl-2"]);
  });

  test("handles every dead letter with --all", async () => {
    expect((await cairn("replay", "--all")).out).toHaveLength(3);
    expect((await cairn()).out).toEqual(["There are no dead letters."]);
  });

  test("reports contradictory arguments as wrong usage", async () => {
    for (const args of [["eat"], ["replay"], ["discard", "a", "--all"], ["list", "extra"]]) {
      expect((await cairn(...args)).code).toBe(2);
    }
  });
});
