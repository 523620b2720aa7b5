/**
 * Calls one tool over each interface of Cairn: REST, MCP and WebSocket. The requests are written by hand, so
 * that the bench measures Cairn and not a client library.
 */

export type Caller = () => Promise<void>;

const json = { "content-type": "application/json" };
const mcpHeaders = { ...json, accept: "application/json, text/event-stream" };
const clientInfo = { name: "bench", version: "1" };

async function whole(response: Response, expected: string): Promise<string> {
  const text = await response.text();
  if (!response.ok || !text.includes(expected)) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
  return text;
}

export interface ToolCall {
  readonly url: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
  /** Path of the tool's REST route. */
  readonly route: string;
  /** A text that every right answer contains. */
  readonly expectedText: string;
}

/**
 * Returns a function that requests `/health`, the smallest route of the server. The bench compares its time
 * with the times of tool calls.
 */
export function health({ url }: ToolCall): Caller {
  return async () => void (await whole(await fetch(`${url}/health`), "ok"));
}

export function rest({ url, route, expectedText: expected }: ToolCall): Caller {
  return async () => void (await whole(await fetch(url + route), expected));
}

export function plainCall({ url, tool, args, expectedText: expected }: ToolCall): Caller {
  const body = JSON.stringify({ tool, arguments: args });
  return async () => {
    await whole(await fetch(`${url}/mcp/tools/call`, { method: "POST", headers: json, body }), expected);
  };
}

/** Returns a caller that calls the tool over MCP of the 2026-07-28 revision, whose requests are stateless. */
export function mcpStateless({ url, tool, args, expectedText: expected }: ToolCall): Caller {
  const version = "2026-07-28";
  const prefix = "io.modelcontextprotocol";
  const _meta = {
    [`${prefix}/protocolVersion`]: version,
    [`${prefix}/clientInfo`]: clientInfo,
    [`${prefix}/clientCapabilities`]: {},
  };
  const params = { name: tool, arguments: args, _meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = {
    ...mcpHeaders,
    "mcp-protocol-version": version,
    "mcp-method": "tools/call",
    "mcp-name": tool,
  };
  return async () => {
    await whole(await fetch(`${url}/mcp`, { method: "POST", headers, body }), expected);
  };
}

/** Returns a caller that calls the tool over MCP of the 2025-11-25 revision, in a session. */
export async function mcpSession({ url, tool, args, expectedText: expected }: ToolCall): Promise<Caller> {
  const version = "2025-11-25";
  const send = (headers: Readonly<Record<string, string>>, message: object) =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: { ...mcpHeaders, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const params = { protocolVersion: version, capabilities: {}, clientInfo };
  const begun = await send({}, { id: 0, method: "initialize", params });
  await whole(begun, version);
  const session = {
    "mcp-session-id": begun.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": version,
  };
  await (await send(session, { method: "notifications/initialized" })).text();
  let id = 0;
  return async () => {
    id += 1;
    await whole(
      await send(session, { id, method: "tools/call", params: { name: tool, arguments: args } }),
      expected,
    );
  };
}

/** Opens a socket that subscribes to the events of a session. */
export async function follow(url: string, room: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/mcp/events/${room}`);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("message", () => resolve(), { once: true });
    socket.addEventListener("close", ({ reason }) => reject(new Error(`closed: ${reason}`)), { once: true });
  });
  return socket;
}

/**
 * Measures the message `ping` over a WebSocket, whose answer contains the newest cursor. These sockets
 * receive events and cannot call tools, so no tool call is measured here.
 */
export async function socketPing({ url }: ToolCall): Promise<Caller> {
  const socket = await follow(url, "pinged");
  return () =>
    new Promise((resolve) => {
      socket.addEventListener("message", () => resolve(), { once: true });
      socket.send('{"type":"ping"}');
    });
}
