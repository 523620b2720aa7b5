/**
 * Tests that the gateway's guard refuses requests of foreign pages and hosts on every interface: REST, plain calls, MCP
 * in both revisions, WebSockets, pages. The requests are written to a socket as text, because HTTP clients set the Host header themselves.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { request } from "node:http";
import { type TestGateway, testGateway } from "./test-gateway.ts";

const KEY = "the-right-key-of-all";
const READER = "the-key-of-reading-1";

let gateway: TestGateway;
let port: number;
beforeAll(() => {
  gateway = testGateway({ env: { CAIRN_API_KEY: KEY, CAIRN_API_KEYS: `reader:read:${READER}` } });
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  port = gateway.app.server?.port ?? 0;
});
afterAll(async () => {
  await gateway.sockets.closeAll();
  await gateway.app.server?.stop(true);
});

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: unknown;
}

/**
 * Sends a request, and returns the status and body of the answer. Status 101 means that a WebSocket was
 * opened.
 */
function send(
  { method, path, headers = {}, body }: Sent,
  more: Headers,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers: { ...headers, ...more } });
    sent.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, text: "" });
    });
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const json = { "content-type": "application/json" };
const events = { ...json, accept: "application/json, text/event-stream" };
const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const newMcp = { ...events, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const readCall = { tool: "list_knowledge", arguments: {} };

/** For each interface, a request and the status that a permitted caller gets. */
const surfaces: readonly (readonly [name: string, sent: Sent, status: number])[] = [
  ["REST", { method: "GET", path: "/api/knowledge" }, 200],
  ["tool calls", { method: "POST", path: "/mcp/tools/call", headers: json, body: readCall }, 200],
  ["MCP of 2025", { method: "POST", path: "/mcp", headers: events, body: initialize }, 200],
  [
    "MCP of 2026",
    {
      method: "POST",
      path: "/mcp",
      headers: newMcp,
      body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } },
    },
    200,
  ],
  ["a room's events", { method: "GET", path: "/mcp/events/demo", headers: upgrade }, 101],
  ["a job's events", { method: "GET", path: "/ws/explorations/demo", headers: upgrade }, 101],
  ["inspection", { method: "GET", path: "/ws/inspect", headers: upgrade }, 101],
  ["pages", { method: "GET", path: "/actors" }, 200],
  ["OpenAPI", { method: "GET", path: "/openapi.json" }, 200],
  ["metrics", { method: "GET", path: "/metrics" }, 200],
];

const keyed = { authorization: `Bearer ${KEY}` };

describe.each(surfaces)("the interface %s of the gateway", (_name, sent, status) => {
  test("accepts a key with the scope read", async () => {
    expect((await send(sent, keyed)).status).toBe(status);
    expect((await send(sent, { authorization: `Bearer ${READER}` })).status).toBe(status);
  });

  test.each<[string, Headers]>([
    ["no key", {}],
    ["a wrong key", { authorization: "Bearer the-right-key-of-al" }],
    ["the key by another scheme", { authorization: `Basic ${KEY}` }],
    ["a made-up cookie", { cookie: `cairn_session=main.99999999999999.${"A".repeat(43)}` }],
  ])("refuses a request with %s", async (_what, headers) => {
    const { status: refused, text } = await send(sent, headers);
    expect(refused).toBe(401);
    expect(text).toContain("security.unauthorized");
    expect(text).not.toContain(KEY);
  });

  test.each(["https://evil.example", "null", "http://127.0.0.1.evil.example", "chrome-extension://abcdefgh"])(
    "refuses requests from pages of %s, although they send the key",
    async (origin) => {
      const { status: refused, text } = await send(sent, { ...keyed, origin });
      expect([refused, text.includes("security.origin_refused")]).toEqual([403, true]);
    },
  );

  test.each([
    "evil.example",
    "rebound.evil.example:8000",
    "169.254.169.254",
    "[2001:db8::1]:8000",
    "0.0.0.0",
  ])("refuses the host name %s, as after a DNS rebinding", async (host) => {
    const { status: refused, text } = await send(sent, { ...keyed, host });
    expect([refused, text.includes("security.host_refused")]).toEqual([403, true]);
    // A page that was loaded from this host name sends the name in two headers, Host and Origin. Cairn
    // refuses the request although the two headers agree.
    const own = await send(sent, { ...keyed, host, origin: `http://${host}` });
    expect(own.status).toBe(403);
  });
});

test("a key with the scope read cannot change anything on any interface of the gateway", async () => {
  const reader = { authorization: `Bearer ${READER}` };
  const startCall = { name: "start_browser_session", arguments: { room_name: "one" } };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...startCall, _meta } };
  const headers = { ...newMcp, "mcp-method": "tools/call", "mcp-name": startCall.name };
  const tried: readonly Sent[] = [
    {
      method: "POST",
      path: "/api/knowledge/explore/start",
      headers: json,
      body: { start_url: "https://a.example" },
    },
    { method: "DELETE", path: "/api/sessions/one" },
    {
      method: "POST",
      path: "/mcp/tools/call",
      headers: json,
      body: { tool: startCall.name, arguments: startCall.arguments },
    },
    { method: "POST", path: "/mcp", headers, body: call },
    { method: "PUT", path: "/api/secrets/shop", headers: json, body: { value: "x" } },
  ];
  for (const sent of tried) {
    const { text } = await send(sent, reader);
    expect([sent.path, text.includes("security.scope")]).toEqual([sent.path, true]);
  }
  expect([gateway.cairn.jobs.size, gateway.cairn.sessions.rooms.size]).toEqual([0, 0]);
});

test("an internal error reveals no more over MCP than over REST", async () => {
  gateway.cairn.failure = new Error("our own secret in /srv/cairn/db");
  const list = gateway.cairn.explorations.list;
  gateway.cairn.explorations.list = async () => {
    throw gateway.cairn.failure;
  };
  try {
    for (const [method, params] of [
      ["resources/list", { _meta }],
      ["resources/read", { uri: "cairn://explorations/x", _meta }],
    ] as const) {
      const body = { jsonrpc: "2.0", id: 1, method, params };
      const named = "uri" in params ? { "mcp-name": params.uri } : {};
      const headers = { ...newMcp, "mcp-method": method, ...named };
      const { text } = await send({ method: "POST", path: "/mcp", headers, body }, keyed);
      expect([method, text.includes("internal.defect"), /own secret|\/srv/.test(text)]).toEqual([
        method,
        true,
        false,
      ]);
    }
  } finally {
    gateway.cairn.failure = undefined;
    gateway.cairn.explorations.list = list;
  }
});
