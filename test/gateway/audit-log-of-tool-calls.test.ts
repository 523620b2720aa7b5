/**
 * Tests the audit log. It records every call that changes something, with its caller and outcome, and without
 * secrets.
 */
import { describe, expect, test } from "bun:test";
import { detailOf, outcomeOf, subjectOf } from "../../gateway/tools/audit-entry-of-call.ts";
import { tools } from "../../gateway/tools/index.ts";
import { Refused } from "../../machines/errors.ts";
import { testGateway } from "./test-gateway.ts";

const env = {
  CAIRN_API_KEY: "the-right-key",
  CAIRN_API_KEYS: "reader:read:the-key-of-reading-1,acter:act:the-key-of-acting-22",
};
const admin = { authorization: "Bearer the-right-key" };
const acter = { authorization: "Bearer the-key-of-acting-22" };
const reader = { authorization: "Bearer the-key-of-reading-1" };

describe("a tool call that changes something", () => {
  test("is recorded in the audit log with caller, subject, outcome and request id", async () => {
    const { call, cairn, logged } = testGateway({ env });
    const body = { start_url: "https://ann:pass@shop.example.com/?token=abc", job_id: "one" };
    await call("POST", "/api/knowledge/explore/start", body, { ...acter, "x-request-id": "req-1" });
    expect(cairn.audit.notes).toEqual([
      {
        at: expect.any(Number),
        caller: "acter",
        act: "start_knowledge_exploration",
        detail: "https://shop.example.com",
        subject: "exploration/one",
        outcome: "done",
        code: null,
        request_id: "req-1",
        ms: expect.any(Number),
      },
    ]);
    expect(logged.join("")).toContain('"act":"start_knowledge_exploration"');
  });

  test("is recorded in the same way from POST /mcp/tools/call and from MCP", async () => {
    const { call, cairn } = testGateway({ env });
    cairn.sessions.rooms.add("demo");
    cairn.sessions.outcome = { success: false, error: "gone", data: { code: "element_stale" } };
    const args = { room_name: "demo", action_type: "click", params: { index: 3 } };
    await call("POST", "/mcp/tools/call", { tool: "execute_action", arguments: args }, acter);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "execute_action", arguments: args, _meta };
    await call(
      "POST",
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      {
        ...acter,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "execute_action",
        "x-request-id": "req-2",
      },
    );
    const entry = { caller: "acter", act: "execute_action", detail: "click", subject: "session/demo" };
    expect(cairn.audit.notes).toMatchObject([
      { ...entry, outcome: "failed", code: "element_stale" },
      { ...entry, outcome: "failed", code: "element_stale", request_id: "req-2" },
    ]);
  });

  test("is recorded even if it is refused, while a call that only reads is not", async () => {
    const { call, cairn } = testGateway({ env });
    await call("POST", "/api/backups", undefined, acter);
    await call(
      "POST",
      "/mcp/tools/call",
      { tool: "close_browser_session", arguments: { room_name: "x" } },
      reader,
    );
    await call("POST", "/api/knowledge/explore/pause", { job: "one" }, acter);
    await call("GET", "/api/knowledge", undefined, reader);
    await call("POST", "/api/knowledge/query", { query_type: "search", params: { query: "x" } }, reader);
    // The server refuses this request because it has no key. No tool is called.
    await call("GET", "/api/knowledge");
    expect(cairn.audit.notes.map(({ caller, act, outcome, code }) => [caller, act, outcome, code])).toEqual([
      ["acter", "POST /api/backups", "refused", "security.scope"],
      ["reader", "close_browser_session", "refused", "security.scope"],
      ["acter", "pause_exploration", "refused", "request.invalid"],
    ]);
  });

  test("is recorded with only the error code if it fails by an internal error", async () => {
    const { call, cairn } = testGateway({ env });
    cairn.failure = new Error("an internal secret");
    await call("POST", "/api/knowledge/explore/pause", { job_id: "one" }, acter);
    cairn.failure = new Refused("job.not_found", "There is none.", { status: 404 });
    await call("POST", "/api/knowledge/explore/pause", { job_id: "one" }, acter);
    expect(cairn.audit.notes).toMatchObject([
      { outcome: "failed", code: "internal.defect" },
      { outcome: "refused", code: "job.not_found" },
    ]);
    expect(JSON.stringify(cairn.audit.notes)).not.toContain("an internal secret");
  });
});

describe("the audit log", () => {
  test("is returned only to keys with the scope admin", async () => {
    const { call } = testGateway({ env });
    await call("POST", "/api/backups", undefined, admin);
    const { status, body } = await call("GET", "/api/audit?limit=5", undefined, admin);
    expect(status).toBe(200);
    expect(body.entries[0]).toMatchObject({ caller: "main", act: "create_backup", outcome: "done" });
    expect((await call("GET", "/api/audit", undefined, acter)).status).toBe(403);
    expect((await call("GET", "/api/audit?outcome=lost", undefined, admin)).status).toBe(422);
  });

  test("contains no value of a secret", async () => {
    const { call, cairn, logged } = testGateway({ env });
    await call("PUT", "/api/secrets/shop", { value: "tops3cret-value", host: "shop.example.com" }, admin);
    const login = {
      url: "https://shop.example.com/login?session=tops3cret-value",
      fields: [{ label: "Password", value: "tops3cret-value" }],
      success: { text: "In" },
    };
    const args = { room_name: "demo", initial_url: "https://a:tops3cret-value@shop.example.com/", login };
    await call("POST", "/mcp/tools/call", { tool: "start_browser_session", arguments: args }, acter);
    const typed = { room_name: "demo", action_type: "type", params: { index: 1, text: "tops3cret-value" } };
    await call("POST", "/mcp/tools/call", { tool: "execute_action", arguments: typed }, acter);
    expect(cairn.audit.notes.map(({ subject }) => subject)).toEqual([
      "secret/SHOP",
      "session/demo",
      "session/demo",
    ]);
    expect(JSON.stringify(cairn.audit.notes)).not.toContain("tops3cret");
    expect(logged.join("")).not.toContain("tops3cret");
  });
});

test("the audit log takes the object of a call from its arguments, otherwise from its result", () => {
  const subject = (name: string, args: unknown, result?: unknown) => {
    const tool = tools.all.find((each) => each.name === name);
    return tool && subjectOf(tool, args, result);
  };
  expect(subject("start_knowledge_exploration", { start_url: "x" }, { job_id: "j" })).toBe("exploration/j");
  expect(subject("unpark_actor", { kind: "host", id: "a b" })).toBe("host/a b");
  expect(subject("set_secret", { name: "shop" })).toBe("secret/SHOP");
  expect(subject("discard_dead_letter", { id: "7" })).toBe("dead_letter/7");
  expect(subject("create_backup", {}, {})).toBeNull();
  expect(subject("close_browser_session", null)).toBeNull();
});

test("of a call's parameters, the audit log records only the action type and the site", () => {
  expect(detailOf({ action_type: "navigate", params: { url: "https://a.example/x?token=1" } })).toBe(
    "navigate https://a.example",
  );
  expect(detailOf({ action_type: "type", params: { text: "secret" } })).toBe("type");
  expect(detailOf({ initial_url: "data:text/html,secret" })).toBe("data:");
  expect(detailOf({ action_type: "no name, secret" })).toBeNull();
  expect(detailOf("x")).toBeNull();
});

test("a failed call is recorded as failed in the audit log, whether its result has status error or success false", () => {
  expect(outcomeOf({ success: true })).toEqual({ outcome: "done", code: null });
  expect(outcomeOf({ status: "started" })).toEqual({ outcome: "done", code: null });
  expect(outcomeOf({ status: "error", error: "x" })).toEqual({ outcome: "failed", code: null });
  expect(outcomeOf({ success: false, data: { code: "timeout" } })).toEqual({
    outcome: "failed",
    code: "timeout",
  });
});
