/**
 * Tests MCP over standard input and output: calls that only read a page. Cairn answers them without the MCP library
 * if the client uses a revision of MCP from 2025.
 */
import { expect, test } from "bun:test";
import { serveInMemory } from "./mcp-stdio-in-memory.ts";

const room_name = "shop";

async function initialized(logged?: (line: string) => void) {
  const served = serveInMemory(logged);
  const clientInfo = { name: "test", version: "1" };
  served.send({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  await served.nextMessage();
  served.send({ method: "notifications/initialized" });
  served.cairn.sessions.rooms.add(room_name);
  return served;
}

const call = (id: number, name: string, args: object = { room_name }, more: object = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args, ...more },
});

test("reads of a page have the same answers with and without the MCP library", async () => {
  const { close, send, nextMessage } = await initialized();
  const reads: readonly (readonly [name: string, args?: object])[] = [
    ["analyze_page"],
    ["analyze_page", { room_name, detail: "records" }],
    ["analyze_page", { room_name, detail: "all" }],
    ["analyze_page", { room_name: "none" }],
    ["get_browser_context"],
    ["get_screen_content", {}],
  ];
  for (const [name, args] of reads) {
    send(call(1, name, args));
    const direct = await nextMessage();
    // A call with the parameter `_meta` is answered by the MCP library, and not by Cairn's own fast path.
    send(call(1, name, args, { _meta: {} }));
    expect(direct).toEqual(await nextMessage());
    expect(direct.result.content[0].type).toBe("text");
  }
  await close();
});

test("arguments that are no object are refused with and without the MCP library alike", async () => {
  const { close, send, nextMessage } = await initialized();
  for (const args of [null, [], "text"]) {
    const params = { name: "get_browser_context", arguments: args };
    send({ id: 1, method: "tools/call", params });
    const direct = await nextMessage();
    send({ id: 1, method: "tools/call", params: { ...params, _meta: {} } });
    expect(direct).toEqual(await nextMessage());
    expect(direct.error.code).toBe(-32602);
  }
  await close();
});

test("a read of a page is not answered after the client has cancelled it", async () => {
  const { cairn, close, send, nextMessage } = await initialized();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const context = cairn.sessions.context.bind(cairn.sessions);
  cairn.sessions.context = async (room) => {
    await released;
    return await context(room);
  };
  send(call(1, "get_browser_context"));
  send({ method: "notifications/cancelled", params: { requestId: 1 } });
  send(call(2, "analyze_page"));
  expect(await nextMessage()).toMatchObject({ id: 2 });
  release();
  send(call(3, "get_browser_context"));
  expect(await nextMessage()).toMatchObject({ id: 3 });
  await close();
});

test("a read of a page that is requested directly after an action starts only after the action", async () => {
  const { cairn, close, send, nextMessage } = await initialized();
  send(call(1, "execute_action", { room_name, action_type: "scroll", params: { direction: "down" } }));
  send(call(2, "analyze_page"));
  const answers = [await nextMessage(), await nextMessage()];
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  expect(cairn.sessions.calls).toMatchObject([{ action: { name: "scroll" } }, { options: {} }]);
  await close();
});

test("reads of a page are answered if two arrive in one chunk, and if one arrives in two chunks", async () => {
  const { cairn, close, write, nextMessage } = await initialized();
  const line = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", ...call(id, "analyze_page") })}\n`;
  write(line(1) + line(2));
  expect([(await nextMessage()).id, (await nextMessage()).id].sort()).toEqual([1, 2]);
  write(line(3).slice(0, 40));
  write(line(3).slice(40));
  expect(await nextMessage()).toMatchObject({ id: 3, result: { content: [{ type: "text" }] } });
  expect(cairn.sessions.calls).toHaveLength(3);
  await close();
});

test("messages that are no valid requests are left to the MCP library", async () => {
  const { cairn, close, write, send, nextMessage } = await initialized();
  const request = { jsonrpc: "2.0", ...call(1, "analyze_page") };
  for (const invalid of [
    { ...request, jsonrpc: "1.0" },
    { ...request, id: 1.5 },
    { ...request, more: 1 },
    null,
  ])
    write(`${JSON.stringify(invalid)}\n`);
  write('{"jsonrpc": \n');
  send(call(2, "analyze_page"));
  expect(await nextMessage()).toMatchObject({ id: 2 });
  expect(cairn.sessions.calls).toHaveLength(1);
  await close();
});

test("a result that does not match its schema is still returned, and the mismatch is logged afterwards", async () => {
  const lines: string[] = [];
  const { cairn, close, send, nextMessage } = await initialized((line) => lines.push(line));
  const analyze = cairn.sessions.analyze.bind(cairn.sessions);
  cairn.sessions.analyze = async (room, options) => ({ ...(await analyze(room, options)), revision: -1.5 });
  send(call(1, "analyze_page"));
  expect((await nextMessage()).result.isError).toBeUndefined();
  // Cairn checks a result after sending it, and before it answers the next message. So the answer to a ping
  // shows that the check has ended.
  send({ id: 2, method: "ping" });
  await nextMessage();
  expect(lines.join("")).toContain("tool.bad_result");
  send(call(3, "analyze_page", { room_name, detail: "records" }));
  expect((await nextMessage()).result).toMatchObject({ isError: true });
  await close();
});
