/** Tests tools over plain HTTP: the list, the call, and the failure shapes of the protocol specification. */
import { describe, expect, test } from "bun:test";
import { Overloaded, Refused } from "../../machines/errors.ts";
import { testGateway } from "./test-gateway.ts";

const CALL = "/mcp/tools/call";
/** The tools of the protocol specification that this version of Cairn has. */
const SPECIFICATION_TOOLS = [
  "start_knowledge_exploration",
  "get_exploration_status",
  "pause_exploration",
  "resume_exploration",
  "cancel_exploration",
  "get_knowledge_results",
  "query_knowledge",
  "query_knowledge_for_agent",
  "fill_action_gaps",
  "start_browser_session",
  "pause_browser_session",
  "resume_browser_session",
  "recover_browser_session",
  "close_browser_session",
  "execute_action",
  "get_browser_context",
  "get_screen_content",
  "WebToolkit_analyzePage",
  "WebToolkit_clickElementByIndex",
];

test("GET /mcp/tools lists every tool with description, schemas and annotations", async () => {
  const { status, body } = await testGateway().call("GET", "/mcp/tools");
  expect(status).toBe(200);
  const names = body.tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(SPECIFICATION_TOOLS));
  expect(new Set(names).size).toBe(names.length);
  for (const tool of body.tools) {
    expect(tool.name).toMatch(/^(WebToolkit_)?[a-zA-Z_]{1,64}$/);
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.inputSchema.type).toBe("object");
    expect(tool.outputSchema.type).toBe("object");
    expect(Object.keys(tool.annotations)).toContain("readOnlyHint");
  }
});

test("the schema of start_knowledge_exploration requires only the URL, and has all specified fields", async () => {
  const { body } = await testGateway().call("GET", "/mcp/tools");
  const start = body.tools.find(({ name }: { name: string }) => name === "start_knowledge_exploration");
  expect(start.inputSchema.required).toEqual(["start_url"]);
  expect(Object.keys(start.inputSchema.properties)).toEqual(
    expect.arrayContaining(["start_url", "max_pages", "max_depth", "strategy", "job_id"]),
  );
  expect(start.inputSchema.properties.strategy.enum).toEqual(["BFS", "DFS"]);
});

describe("a call by POST /mcp/tools/call", () => {
  test("returns the tool's own result", async () => {
    const { call } = testGateway();
    const started = await call("POST", CALL, {
      tool: "start_knowledge_exploration",
      arguments: { start_url: "https://example.com", job_id: "one" },
    });
    expect(started.body).toMatchObject({ job_id: "one", status: "queued", message: expect.any(String) });
    const state = await call("POST", CALL, { tool: "get_exploration_status", arguments: { job_id: "one" } });
    expect(state.body).toMatchObject({ job_id: "one", progress: { completed: 3 } });
    const results = await call("POST", CALL, {
      tool: "get_knowledge_results",
      arguments: { job_id: "one", partial: true },
    });
    expect(results.body).toMatchObject({ results: { pages_stored: 3 }, pages: { length: 3 } });
  });

  test("may have null for fields that the caller does not use", async () => {
    const { call } = testGateway();
    const started = await call("POST", CALL, {
      tool: "start_knowledge_exploration",
      arguments: { start_url: "https://example.com", job_id: null, max_pages: null, strategy: null },
    });
    expect(started).toMatchObject({ status: 200, body: { job_id: expect.any(String), status: "queued" } });
    const context = { current_url: "https://example.com/", current_screen_id: null, dom_summary: null };
    const found = await call("POST", "/api/knowledge/docs/query", {
      instruction_type: "find_screen",
      target: null,
      context,
    });
    expect(found.status).toBe(200);
    expect((await call("POST", CALL, { tool: "list_knowledge", arguments: null })).status).toBe(200);
    const needed = await call("POST", CALL, { tool: "get_exploration_status", arguments: { job_id: null } });
    expect(needed).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining("job_id is needed") } },
    });
  });

  test("gets 404 for an unknown tool, and the answer names all tools", async () => {
    const { status, body } = await testGateway().call("POST", CALL, { tool: "dance", arguments: {} });
    expect(status).toBe(404);
    expect(body.error.code).toBe("tool.unknown");
    expect(body.error.details.tools).toEqual(expect.arrayContaining(SPECIFICATION_TOOLS));
  });

  test.each([
    [{ tool: "get_exploration_status", arguments: {} }],
    [{ tool: "get_exploration_status", arguments: { job_id: 5 } }],
    [{ tool: "get_exploration_status", arguments: { job_id: "a", more: 1 } }],
    [{ tool: "query_knowledge", arguments: { query_type: "dance" } }],
    [{ tool: "query_knowledge_for_agent", arguments: { knowledge_id: "docs" } }],
    [{ tool: "get_exploration_status", arguments: [] }],
    [{ arguments: {} }],
    [[]],
  ])("gets 422 for the invalid arguments %j, and the answer names each problem", async (body) => {
    const answer = await testGateway().call("POST", CALL, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.issues.length).toBeGreaterThan(0);
  });

  test("fails with the HTTP status of the error, if the specification has no failure shape for the tool", async () => {
    const { status, body } = await testGateway().call("POST", CALL, {
      tool: "pause_exploration",
      arguments: { job_id: "unknown" },
    });
    expect(status).toBe(404);
    expect(body.error.code).toBe("job.not_found");
  });

  test("gets 200 and the specified failure shape, if query_knowledge fails", async () => {
    const { call, cairn } = testGateway();
    cairn.failure = new Refused("knowledge.not_found", "There is no map.", { status: 404 });
    const { status, body } = await call("POST", CALL, {
      tool: "query_knowledge",
      arguments: { query_type: "page", params: { url: "http://x" } },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, data: null, error: "There is no map." });
  });

  test("gets 200 and an answer with success: false, no actions and the error, if query_knowledge_for_agent fails", async () => {
    const { status, body } = await testGateway().call("POST", CALL, {
      tool: "query_knowledge_for_agent",
      arguments: { knowledge_id: "nowhere", instruction_type: "find_screen", target: "x" },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: false,
      actions: [],
      expected_result: {},
      error: 'There is no map "nowhere".',
      metadata: { code: "knowledge.not_found" },
    });
  });

  test("is answered in the usual form of failures, without details, after an internal error", async () => {
    const { call, cairn, logged } = testGateway();
    cairn.failure = new Error("at /var/secret/place");
    const { status, body } = await call("POST", CALL, {
      tool: "query_knowledge",
      arguments: { query_type: "page" },
    });
    expect(status).toBe(200);
    expect(body.success).toBe(false);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(logged.join("")).toContain("/var/secret/place");
  });

  test("gets the HTTP status of the error if it is refused before the tool starts", async () => {
    const { call, cairn } = testGateway();
    cairn.failure = new Overloaded("actor.mailbox_full", "Too much at once.");
    const { status, headers } = await call("POST", CALL, {
      tool: "query_knowledge",
      arguments: { query_type: "page" },
    });
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("1");
  });
});

describe("the tools of sessions", () => {
  test("accept room_name as well as session_id, and aliases of actions", async () => {
    const { call, cairn } = testGateway();
    await call("POST", CALL, { tool: "start_browser_session", arguments: { session_id: "r" } });
    expect(cairn.sessions.calls.at(-1)).toEqual({
      room: "r",
      options: { initial_url: null, viewport_width: 1_920, viewport_height: 1_080 },
    });
    const args = { room_name: "r", action_type: "type", params: { index: 1, text: "a" }, id: "one" };
    await call("POST", CALL, { tool: "execute_action", arguments: args });
    expect(cairn.sessions.calls.at(-1)).toEqual({
      room: "r",
      action: { name: "input", params: { index: 1, text: "a", clear: true } },
      id: "one",
      called: "type",
    });
  });

  test("return a failed click in the specified shape, and an unknown session as an error", async () => {
    const { call, cairn } = testGateway();
    await call("POST", CALL, { tool: "start_browser_session", arguments: { room_name: "r" } });
    cairn.sessions.outcome = { success: false, error: "It went.", data: { code: "element_stale", index: 3 } };
    const click = { tool: "click_element_by_index", arguments: { room_name: "r", highlightIndex: 3 } };
    expect((await call("POST", CALL, click)).body).toEqual({
      success: false,
      data: {
        code: "element_stale",
        index: 3,
        clicked: false,
        elementFound: true,
        elementStillExists: false,
      },
      error: "It went.",
    });
    const unknownRoom = { ...click, arguments: { room_name: "s", highlightIndex: 3 } };
    expect(await call("POST", CALL, unknownRoom)).toMatchObject({
      status: 404,
      body: { error: { code: "session.not_found" } },
    });
  });
});
