/**
 * Tests the REST routes. Results have the shapes of the protocol specification, and all errors have the same
 * shape.
 */
import { describe, expect, test } from "bun:test";
import { Refused, Unavailable } from "../../machines/errors.ts";
import { testGateway } from "./test-gateway.ts";

const START = "/api/knowledge/explore/start";
const site = { start_url: "https://example.com" };

test("an exported map that is not sent in the field `map` of the body is refused, and the error names this field", async () => {
  const { status, body } = await testGateway().call("POST", "/api/knowledge/m/import", {
    format: "cairn.map",
  });
  expect(status).toBe(422);
  expect(body.error.message).toContain("map: send the whole document that export_knowledge answers");
});

describe("the REST routes of explorations", () => {
  test("start a job and return it with the map to which it writes", async () => {
    const { call, cairn } = testGateway();
    const { status, body } = await call("POST", START, { ...site, job_id: "one" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ job_id: "one", status: "queued", message: expect.any(String) });
    expect(body.knowledge_id).toBe("docs");
    expect(cairn.calls).toEqual([
      {
        ...site,
        job_id: "one",
        max_pages: 100,
        max_depth: 3,
        strategy: "BFS",
        respect_robots: true,
        scope: "host",
        include: [],
        exclude: [],
        render: "auto",
        sitemaps: true,
        mode: "auto",
        max_actions: 300,
        max_seconds: 300,
      },
    ]);
  });

  test("return status, pause, resume, cancel, list and delete in the shapes of the protocol specification", async () => {
    const { call } = testGateway();
    await call("POST", START, { ...site, job_id: "one" });
    const { body: status } = await call("GET", "/api/knowledge/explore/status/one");
    expect(status).toMatchObject({
      job_id: "one",
      status: "queued",
      progress: { completed: 3, queued: 0, failed: 0, current_url: null },
      started_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const ref = { job_id: "one" };
    expect((await call("POST", "/api/knowledge/explore/pause", ref)).body).toEqual({
      ...ref,
      status: "paused",
    });
    expect((await call("POST", "/api/knowledge/explore/resume", ref)).body).toEqual({
      ...ref,
      status: "running",
    });
    expect((await call("POST", "/api/knowledge/explore/cancel", ref)).body).toEqual({
      ...ref,
      status: "cancelled",
    });
    const { body: list } = await call("GET", "/api/knowledge/explore/jobs");
    expect(list.jobs[0]).toMatchObject({ job_id: "one", status: "cancelled", start_url: site.start_url });
    expect((await call("DELETE", "/api/knowledge/explore/jobs/one")).body).toEqual({ ...ref, deleted: true });
    expect((await call("GET", "/api/knowledge/explore/status/one")).status).toBe(404);
  });

  test("refuse results before the end of the job with 409, unless partial results are requested", async () => {
    const { call } = testGateway();
    await call("POST", START, { ...site, job_id: "one" });
    const early = await call("GET", "/api/knowledge/explore/results/one");
    expect(early.status).toBe(409);
    expect(early.body.error.code).toBe("job.not_finished");
    for (const partial of ["true", "True", "1"]) {
      const { status, body } = await call("GET", `/api/knowledge/explore/results/one?partial=${partial}`);
      expect(status).toBe(200);
      expect(body.pages).toHaveLength(3);
    }
  });

  test("return results with the summary, every page and every link", async () => {
    const { call, cairn } = testGateway();
    await call("POST", START, { ...site, job_id: "one" });
    for (const job of cairn.jobs.values()) job.status = "completed";
    cairn.pages = 20_000;
    const { body } = await call("GET", "/api/knowledge/explore/results/one");
    expect(body).toMatchObject({
      job_id: "one",
      status: "completed",
      results: {
        pages_stored: 20_000,
        links_stored: 20_000,
        external_links_detected: 0,
        errors: [],
        traps: [],
      },
      next_cursor: null,
    });
    expect(body.pages).toHaveLength(20_000);
    expect(body.pages[19_999]).toEqual({
      url: "http://site/19999",
      title: "Page 19999",
      content: 'Text "of" page 19999\n',
    });
    expect(body.links[0]).toEqual({ from: "http://site/0", to: "http://site/1", type: "internal" });
  });

  test("return results in pages by a cursor", async () => {
    const { call, cairn } = testGateway();
    await call("POST", START, { ...site, job_id: "one" });
    for (const job of cairn.jobs.values()) job.status = "completed";
    const first = await call("GET", "/api/knowledge/explore/results/one?limit=2");
    expect(first.body.pages).toHaveLength(2);
    const second = await call(
      "GET",
      `/api/knowledge/explore/results/one?limit=2&cursor=${first.body.next_cursor}`,
    );
    expect(second.body.pages).toHaveLength(1);
    expect(second.body.next_cursor).toBeNull();
  });

  test("cut the connection if reading results fails after the response has started", async () => {
    const { app, cairn, call, logged } = testGateway();
    await call("POST", START, { ...site, job_id: "one" });
    cairn.explorations.results = async () => ({
      summary: {
        job_id: "one",
        status: "completed",
        results: { pages_stored: 9, links_stored: 0, external_links_detected: 0, errors: [], traps: [] },
      },
      pages: (async function* () {
        yield { url: "http://site/1", title: "One", content: "x".repeat(100_000) };
        throw new Unavailable("store.unavailable", "The store went away.");
      })(),
      links: (async function* () {})(),
      next_cursor: null,
    });
    const response = await app.handle(new Request("http://127.0.0.1/api/knowledge/explore/results/one"));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(logged.join("")).toContain("an answer broke off");
  });

  test("return an ordinary error if reading results fails before the first chunk", async () => {
    const { cairn, call } = testGateway();
    cairn.explorations.results = async () => ({
      summary: {
        job_id: "one",
        status: "completed",
        results: { pages_stored: 9, links_stored: 0, external_links_detected: 0, errors: [], traps: [] },
      },
      // biome-ignore lint/correctness/useYield: it fails before it has anything
      pages: (async function* () {
        throw new Unavailable("store.unavailable", "The store went away.");
      })(),
      links: (async function* () {})(),
      next_cursor: null,
    });
    const { status, body, headers } = await call("GET", "/api/knowledge/explore/results/one");
    expect(status).toBe(503);
    expect(body.error.code).toBe("store.unavailable");
    expect(headers.get("retry-after")).not.toBeNull();
  });

  test("refuse an invalid scope or pattern with the reason", async () => {
    const { call, cairn } = testGateway();
    const bad: [Record<string, unknown>, path: string, says: string][] = [
      [{ scope: "planet" }, "scope", "subdomains"],
      [{ include: "/docs/*" }, "include", "array"],
      [{ include: ["docs/*"] }, "include.0", "begins with /"],
      [{ exclude: ["/a b"] }, "exclude.0", "no space"],
      [{ exclude: [`/${"a".repeat(600)}`] }, "exclude.0", "500"],
      [{ include: Array.from({ length: 101 }, () => "/a") }, "include", "100"],
    ];
    for (const [field, path, says] of bad) {
      const { status, body } = await call("POST", START, { ...site, ...field });
      expect(status).toBe(422);
      expect(body.error.details.issues).toMatchObject([{ path }]);
      expect(body.error.message).toContain(says);
    }
    expect(cairn.jobs.size).toBe(0);
  });

  test("name every invalid argument with its path", async () => {
    const { call } = testGateway();
    const { status, body } = await call("POST", START, { start_url: 7, max_pages: "x", surprise: true });
    expect(status).toBe(422);
    expect(body.error.code).toBe("request.invalid");
    const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
    expect(paths).toContain("start_url");
    expect(paths).toContain("max_pages");
    expect(JSON.stringify(body.error.details.issues)).toContain("surprise");
  });

  test("name a missing argument as required", async () => {
    const { call } = testGateway();
    const { body } = await call("POST", "/api/knowledge/explore/pause", {});
    expect(body.error.message).toBe("The arguments are not valid. job_id is needed");
    expect(body.error.details.issues).toEqual([{ path: "job_id", message: "job_id is needed" }]);
  });

  test("list the existing kinds of actors if a request names an unknown kind", async () => {
    const { status, body } = await testGateway().call("GET", "/api/actors?kind=bogus");
    expect([status, body.error.code]).toEqual([422, "request.invalid"]);
    expect(body.error.message).toContain("exploration");
  });

  test("refuse a state that no actor of the kind can have, and list the possible states", async () => {
    const { call } = testGateway();
    const bogus = await call("GET", "/api/actors?kind=exploration&state=bogus");
    expect([bogus.status, bogus.body.error.code]).toEqual([422, "request.invalid"]);
    expect(bogus.body.error.message).toContain("active.queued");
    expect((await call("GET", "/api/actors?state=bogus")).status).toBe(422);
    for (const state of ["active", "active.queued", "parked"])
      expect((await call("GET", `/api/actors?kind=exploration&state=${state}`)).status).toBe(200);
  });

  test.each(["limit=0", "limit=many", "limit=1001", "limit=1.5", "partial=perhaps", "cursor="])(
    "refuse a request for results with the invalid query %s",
    async (query) => {
      const { call } = testGateway();
      expect((await call("GET", `/api/knowledge/explore/results/one?${query}`)).status).toBe(422);
    },
  );
});

describe("the REST routes of maps", () => {
  test("return the fields success, data and error for a query", async () => {
    const { call, cairn } = testGateway();
    const query = { query_type: "search", params: { query: "invoice", top_k: 3 } };
    const { status, body } = await call("POST", "/api/knowledge/query", query);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { results: [] }, error: null });
    expect(cairn.calls).toEqual([query]);
  });

  test.each(["/api/knowledge/docs/query", "/knowledge/docs/query"])(
    "accept an agent's instruction at %s, and return the actions and the expected result",
    async (path) => {
      const { call, cairn } = testGateway();
      const { status, body } = await call("POST", path, {
        instruction_type: "navigate_to_screen",
        target: "orders",
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        actions: [],
        expected_result: { screen_id: "orders" },
        error: null,
        metadata: {},
      });
      expect(cairn.calls).toEqual([
        { instruction_type: "navigate_to_screen", target: "orders", knowledge_id: "docs", context: {} },
      ]);
    },
  );

  test("accept the complete AgentInstruction of the specification, and its older field names", async () => {
    const { call } = testGateway();
    const instruction = {
      knowledge_id: "docs",
      target: "orders",
      context: { current_url: "http://x/" },
      response: {},
    };
    for (const name of [{ instruction_type: "get_actions" }, { query_type: "navigate_to" }]) {
      expect((await call("POST", "/api/knowledge/docs/query", { ...instruction, ...name })).status).toBe(200);
    }
  });

  test("refuse an instruction without a type, of an unknown type, or for another map", async () => {
    const { call } = testGateway();
    for (const body of [
      { target: "x" },
      { instruction_type: "dance", target: "x" },
      { instruction_type: "find_screen", knowledge_id: "other" },
    ]) {
      expect((await call("POST", "/api/knowledge/docs/query", body)).status).toBe(422);
    }
  });

  test("return 404 for an unknown map", async () => {
    const { call } = testGateway();
    const ask = await call("POST", "/api/knowledge/nowhere/query", { instruction_type: "get_actions" });
    expect(ask.status).toBe(404);
    expect(ask.body.error).toMatchObject({ code: "knowledge.not_found" });
    expect((await call("GET", "/api/knowledge/nowhere")).status).toBe(404);
    expect((await call("DELETE", "/api/knowledge/nowhere")).status).toBe(404);
  });

  test("list, describe and delete maps", async () => {
    const { call } = testGateway();
    expect((await call("GET", "/api/knowledge")).body.knowledge[0].knowledge_id).toBe("docs");
    expect((await call("GET", "/api/knowledge/docs")).body).toMatchObject({ knowledge_id: "docs", pages: 3 });
    expect((await call("DELETE", "/api/knowledge/docs")).body).toEqual({
      knowledge_id: "docs",
      deleted: true,
    });
  });
});

describe("a REST error response", () => {
  test("describes an internal error in one sentence, while the log contains all of it", async () => {
    const { call, cairn, logged } = testGateway();
    cairn.failure = new Error("cannot open /var/secret/place");
    const { status, body, headers } = await call("GET", "/api/knowledge/explore/status/one");
    expect(status).toBe(500);
    expect(body.error.code).toBe("internal.defect");
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(logged.join("")).toContain("/var/secret/place");
    expect(logged.join("")).toContain(headers.get("x-request-id") ?? "none");
  });

  test("is an internal error if the tool's result does not match the tool's schema", async () => {
    const { call, cairn } = testGateway();
    cairn.pages = 1.5;
    expect((await call("GET", "/api/knowledge/docs")).body.error.code).toBe("tool.bad_result");
  });

  test("keeps the status, code and details with which a tool refuses", async () => {
    const { call, cairn } = testGateway();
    cairn.failure = new Refused("job.exists", "There is a job of that name.", {
      status: 409,
      details: { a: 1 },
    });
    const { status, body } = await call("POST", START, site);
    expect(status).toBe(409);
    expect(body).toEqual({
      error: { code: "job.exists", message: "There is a job of that name.", details: { a: 1 } },
    });
  });

  test.each([
    ["GET", "/nothing/here"],
    ["POST", "/healthy"],
    ["GET", "/openapi"],
  ])("is 404 in the usual shape for the unknown route %s %s", async (method, path) => {
    const { status, body } = await testGateway().call(method, path);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: "request.not_found", message: expect.stringContaining(path) });
  });

  test.each([
    ["POST", "/health", "GET, HEAD"],
    ["PUT", "/api/knowledge", "GET, HEAD"],
    ["GET", "/api/knowledge/explore/start", "POST"],
    ["PATCH", "/api/knowledge/any-map", "DELETE, GET, HEAD"],
  ])("is 405 and names the methods that exist for %s %s", async (method, path, allow) => {
    const { status, headers, body } = await testGateway().call(method, path);
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe(allow);
    expect(body.error).toMatchObject({
      code: "request.wrong_method",
      message: expect.stringContaining(allow),
    });
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "text/json",
  ])("is 415 for JSON that is sent as %s, which any page can send without a preflight", async (type) => {
    const { call, cairn } = testGateway();
    const { status, body } = await call("POST", START, site, { "content-type": type });
    expect(status).toBe(415);
    expect(body.error).toMatchObject({
      code: "request.not_json",
      message: expect.stringContaining("content-type: application/json"),
    });
    expect(cairn.jobs.size).toBe(0);
  });

  test("is not 415 for other notations of the JSON type", async () => {
    const { call } = testGateway();
    for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/ld+json"])
      expect((await call("POST", START, site, { "content-type": type })).status).toBe(200);
  });

  test("is 400 for a body that is not JSON, and 413 for one that is too large", async () => {
    const { call } = testGateway();
    for (const body of ["{", '{"start_url":', "start_url=x"]) {
      const { status, body: answer } = await call("POST", START, body);
      expect(status).toBe(400);
      expect(answer.error.code).toBe("request.bad_json");
    }
    const large = JSON.stringify({ start_url: "x".repeat(1_100_000) });
    // The requests differ in the header `content-length`: it is absent, right, or too small.
    for (const headers of [{}, { "content-length": String(large.length) }, { "content-length": "10" }]) {
      const { status, body } = await call("POST", START, large, headers);
      expect([status, body.error.code]).toEqual([413, "request.too_large"]);
    }
  });

  test("does not depend on whether the request declares the length of its body", async () => {
    const { call } = testGateway();
    for (const [text, status] of [
      [JSON.stringify(site), 200],
      ["{", 400],
      ["", 422],
    ] as const) {
      const answer = await call("POST", START, text, { "content-length": String(text.length) });
      expect(answer.status).toBe(status);
    }
  });
});

describe("a REST response", () => {
  test("is JSON with the id of the request", async () => {
    const { call } = testGateway();
    const { status, headers } = await call("GET", "/api/knowledge/docs", undefined, {
      "x-request-id": "one",
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("x-request-id")).toBe("one");
  });
});
