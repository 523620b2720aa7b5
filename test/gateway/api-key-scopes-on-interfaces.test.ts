/** Tests API keys and their scopes on every interface. */
import { afterEach, describe, expect, test } from "bun:test";
import { loadConfig, shownValue } from "../../gateway/config.ts";
import { OPEN_PATHS } from "../../gateway/security/accept-or-refuse-gateway-requests.ts";
import { type Scope, scopes } from "../../gateway/security/api-key-scopes.ts";
import { Keys, keysOf, ownKey } from "../../gateway/security/api-keys.ts";
import { RouteScopes } from "../../gateway/security/http-route-scopes.ts";
import { tools } from "../../gateway/tools/index.ts";
import { connect } from "./mcp/mcp-test-clients.ts";
import { type TestGateway, testGateway } from "./test-gateway.ts";

const KEYS: Readonly<Record<Scope, string>> = {
  read: "the-key-of-reading-1",
  act: "the-key-of-acting-22",
  admin: "the-key-of-everything",
};
const env = { CAIRN_API_KEYS: scopes.map((scope) => `${scope}er:${scope}:${KEYS[scope]}`).join(", ") };
const by = (scope: Scope) => ({ authorization: `Bearer ${KEYS[scope]}` });
const tool = (name: string, args: unknown = {}) => ({ tool: name, arguments: args });

describe("the settings of API keys", () => {
  test("can give several keys names and scopes, or give every scope to a single key", () => {
    const { config } = loadConfig({ ...env, CAIRN_API_KEY: "single" });
    const keys = new Keys(keysOf(config));
    expect(keys.callerOf("single")).toEqual({ name: "main", scope: "admin" });
    expect(keys.callerOf(KEYS.act)).toEqual({ name: "acter", scope: "act" });
    expect(keys.callerOf("wrong")).toBeUndefined();
    expect(ownKey(config)).toBe("single");
    expect(ownKey(loadConfig(env).config)).toBe(KEYS.admin);
    expect(ownKey(loadConfig({}).config)).toBeUndefined();
  });

  test.each([
    "reader",
    "reader:read",
    `reader:readContext:${KEYS.read}`,
    "reader:read:short",
    `re ader:read:${KEYS.read}`,
    `main:read:${KEYS.read}`,
    `local:read:${KEYS.read}`,
    `a:read:${KEYS.read},a:act:${KEYS.act}`,
    `a:read:${KEYS.read},b:act:${KEYS.read}`,
  ])("refuse the invalid value %s without showing the key", (value) => {
    const load = () => loadConfig({ CAIRN_API_KEYS: value });
    expect(load).toThrow("CAIRN_API_KEYS");
    expect(load).not.toThrow(KEYS.read);
    expect(load).not.toThrow("short");
  });

  test("are printed without the key", () => {
    const { config } = loadConfig(env);
    expect(shownValue({ name: "apiKeys", env: "", description: "", secret: true }, config)).toBe("********");
  });

  test("refuse a list of keys that also contains the single key", () => {
    expect(() => loadConfig({ ...env, CAIRN_API_KEY: KEYS.act })).toThrow("one of them is CAIRN_API_KEY");
  });
});

describe("every route and tool", () => {
  test("declares its scope", () => {
    const { app } = testGateway();
    expect(app.routes.length).toBeGreaterThan(40);
    expect(new RouteScopes(app.routes).unmarked).toEqual([]);
    expect(tools.list().filter(({ scope }) => !scopes.includes(scope))).toEqual([]);
  });

  test("requires a key, except routes that reveal nothing", () => {
    const { app } = testGateway({ env });
    const routes = new RouteScopes(app.routes);
    const open = app.routes.filter(({ method, path }) => routes.of(method, path) === "open");
    expect(new Set(open.map(({ path }) => path))).toEqual(new Set(OPEN_PATHS));
  });

  test("requires the highest scope if it does not declare one", () => {
    expect(new RouteScopes([{ method: "GET", path: "/new", hooks: {} }]).of("GET", "/new")).toBe("admin");
    expect(new RouteScopes([]).of("POST", "/elsewhere")).toBe("admin");
  });

  test("requires more than the scope read if it changes something", () => {
    const changing = tools.list().filter(({ annotations }) => !annotations.readOnlyHint);
    const lax = changing.filter(({ scope }) => scope === "read");
    expect(lax.map(({ name }) => name)).toEqual([]);
  });

  test.each([
    [
      "execute",
      { instruction_type: "navigate_to_screen", target: "x", execute: true, context: { room_name: "one" } },
    ],
    ["explore_website", { instruction_type: "explore_website", target: "https://docs.example/" }],
  ])(
    "requires the scope act for the map query %s, and only the scope read for queries that change nothing",
    async (_name, query) => {
      const gateway = testGateway({ env });
      const refused = await gateway.call("POST", "/api/knowledge/docs/query", query, by("read"));
      expect([refused.status, refused.body.error]).toMatchObject([
        403,
        { code: "security.scope", details: { needed: "act" } },
      ]);
      const reading = { instruction_type: "find_screen", target: "x" };
      expect((await gateway.call("POST", "/api/knowledge/docs/query", reading, by("read"))).status).not.toBe(
        403,
      );
      expect((await gateway.call("POST", "/api/knowledge/docs/query", query, by("act"))).status).not.toBe(
        403,
      );
    },
  );

  test("refuses keys with a lower scope over REST before it reads the body", async () => {
    const gateway = testGateway({ env });
    for (const { method, path, hooks } of gateway.app.routes) {
      if (method === "WS" || hooks === undefined) continue;
      const needed = new RouteScopes(gateway.app.routes).of(method, path);
      if (needed === "open" || needed === "read") continue;
      const lesser = scopes.filter((scope) => scopes.indexOf(scope) < scopes.indexOf(needed));
      for (const scope of lesser) {
        const at = path.replace(/:\w+/g, "x");
        const body = method === "GET" ? undefined : "no json";
        const answer = await gateway.call(method, at, body, by(scope));
        expect([method, path, scope, answer.status]).toEqual([method, path, scope, 403]);
        expect(answer.body.error).toMatchObject({ code: "security.scope", details: { needed, scope } });
        expect(answer.body.error.message).toContain(`"${needed}"`);
      }
    }
  });
});

describe("the scope of an API key", () => {
  test("permits only calls of tools that need no higher scope", async () => {
    const { call, cairn } = testGateway({ env });
    const start = tool("start_browser_session", { room_name: "one" });
    const refused = await call("POST", "/mcp/tools/call", start, by("read"));
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ needed: "act", scope: "read" });
    expect(cairn.sessions.rooms.size).toBe(0);
    expect((await call("POST", "/mcp/tools/call", start, by("act"))).status).toBe(200);
    const readContext = tool("get_browser_context", { room_name: "one" });
    expect((await call("POST", "/mcp/tools/call", readContext, by("read"))).status).toBe(200);
    const letters = tool("list_dead_letters");
    expect((await call("POST", "/mcp/tools/call", letters, by("act"))).status).toBe(403);
    expect((await call("POST", "/mcp/tools/call", letters, by("admin"))).status).toBe(200);
  });

  test("lets only keys with the scope act see the credentials of a session", async () => {
    const { call, cairn } = testGateway({ env });
    cairn.sessions.rooms.add("one");
    const state = tool("get_storage_state", { room_name: "one" });
    expect((await call("POST", "/mcp/tools/call", state, by("read"))).status).toBe(403);
    expect((await call("POST", "/mcp/tools/call", state, by("act"))).status).toBe(200);
  });
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a gateway on a network port. */
function listening(options: Parameters<typeof testGateway>[0] = { env }): TestGateway & { url: string } {
  const gateway = testGateway(options);
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  stops.push(() => gateway.sockets.closeAll());
  stops.push(() => gateway.app.server?.stop(true));
  return { ...gateway, url: `http://127.0.0.1:${gateway.app.server?.port}` };
}

describe("the scope of an API key over MCP", () => {
  const keyed = (scope: Scope) => ({
    fetch: (to: string | URL, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${KEYS[scope]}`);
      return fetch(to, { ...init, headers });
    },
  });

  test("makes a call beyond the scope fail with a typed error, and the tool does not run", async () => {
    const { url, cairn } = listening();
    const reader = await connect(`${url}/mcp`, keyed("read"));
    stops.push(() => reader.client.close());
    const refused = await reader.call("start_browser_session", { room_name: "one" });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("security.scope");
    expect(cairn.sessions.rooms.size).toBe(0);
    const actor = await connect(`${url}/mcp`, keyed("act"));
    stops.push(() => actor.client.close());
    expect((await actor.call("start_browser_session", { room_name: "one" })).isError).not.toBe(true);
    expect((await reader.call("get_browser_context", { room_name: "one" })).isError).not.toBe(true);
  });

  test("applies even in the 2026 revision of MCP, which has no sessions", async () => {
    const { call, cairn } = testGateway({ env });
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const ask = (scope: Scope) =>
      call(
        "POST",
        "/mcp",
        {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "start_browser_session", arguments: { room_name: "one" }, _meta },
        },
        {
          ...by(scope),
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "start_browser_session",
        },
      );
    const refused = await ask("read");
    expect(JSON.stringify(refused.body)).toContain("security.scope");
    expect(cairn.sessions.rooms.size).toBe(0);
    expect(JSON.stringify((await ask("act")).body)).toContain("started");
  });

  test("belongs to the connection, so a different key cannot use that connection", async () => {
    const { url } = listening();
    const actor = await connect(`${url}/mcp`, keyed("act"));
    stops.push(() => actor.client.close());
    const borrowed = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        ...by("read"),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": actor.transport.sessionId ?? "",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/list" }),
    });
    expect(borrowed.status).toBe(404);
  });
});

/** Resolves with the first message on a WebSocket; `undefined` if the socket was not opened. */
function greeting(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  // The cast is needed: Bun's `WebSocket` accepts headers, and the type of the standard constructor does not.
  const socket = new WebSocket(url.replace("http", "ws"), { headers } as unknown as string[]);
  stops.push(() => socket.close());
  return new Promise((resolve) => {
    socket.onmessage = ({ data }) => resolve(JSON.parse(data));
    socket.onerror = () => resolve(undefined);
  });
}

describe("authentication of WebSockets", () => {
  test("accepts for each socket a key or a single-use ticket", async () => {
    const { url, call } = listening();
    for (const path of ["/ws/inspect", "/mcp/events/one", "/ws/explorations/one"]) {
      expect(await greeting(`${url}${path}`)).toBeUndefined();
      expect(await greeting(`${url}${path}`, { authorization: "Bearer wrong" })).toBeUndefined();
      expect(await greeting(`${url}${path}`, by("read"))).toMatchObject({ type: "hello" });
      const { body } = await call("POST", "/api/tickets", undefined, by("read"));
      const ticketed = `${url}${path}?ticket=${body.ticket}`;
      expect(await greeting(ticketed)).toMatchObject({ type: "hello" });
      expect(await greeting(ticketed)).toBeUndefined();
    }
  });

  test("accepts a ticket only for a WebSocket", async () => {
    const { call } = testGateway({ env });
    const { body } = await call("POST", "/api/tickets", undefined, by("admin"));
    expect((await call("GET", `/api/knowledge?ticket=${body.ticket}`)).status).toBe(401);
  });
});

describe("a console session in a browser", () => {
  const signIn = (gateway: TestGateway, key: string) =>
    gateway.app.handle(
      new Request("http://127.0.0.1:8000/sign-in", {
        method: "POST",
        headers: { host: "127.0.0.1:8000" },
        body: new URLSearchParams({ key, next: "/actors" }),
      }),
    );

  test("has the scope of its key, and can change something only with the token of its page", async () => {
    const gateway = testGateway({ env });
    const cookies = await Promise.all(
      scopes.map(async (scope) => (await signIn(gateway, KEYS[scope])).headers.get("set-cookie") ?? ""),
    );
    const [reader = "", , admin = ""] = cookies.map((cookie) => cookie.split(";")[0] ?? "");
    for (const cookie of [reader, admin])
      expect((await gateway.call("GET", "/api/knowledge", undefined, { cookie })).status).toBe(200);
    expect((await gateway.call("GET", "/api/secrets", undefined, { cookie: reader })).status).toBe(403);
    expect((await gateway.call("GET", "/api/secrets", undefined, { cookie: admin })).status).toBe(200);
    expect(await gateway.call("POST", "/api/backups", undefined, { cookie: admin })).toMatchObject({
      status: 403,
      body: { error: { code: "security.csrf" } },
    });
    expect(cookies.join()).not.toContain("the-key-of");
  });

  test("is not accepted if its cookie was changed to the name of another key", async () => {
    const gateway = testGateway({ env });
    const cookie = ((await signIn(gateway, KEYS.read)).headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const forged = cookie.replace("=reader.", "=adminer.");
    expect(forged).not.toBe(cookie);
    expect((await gateway.call("GET", "/api/knowledge", undefined, { cookie: forged })).status).toBe(401);
  });
});
