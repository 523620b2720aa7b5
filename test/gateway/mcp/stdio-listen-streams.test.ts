/** A Cairn of its own on standard input and output, as a client of 2026's protocol listens to it. */
import { expect, test } from "bun:test";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { loadConfig } from "../../../gateway/config.ts";
import { createLog } from "../../../gateway/log.ts";
import { serveLocal } from "../../../gateway/mcp/stdio.ts";
import { PathRedaction } from "../../../gateway/security/path-redaction.ts";
import { StartingSystem } from "../../../gateway/starting-system.ts";
import { tools } from "../../../gateway/tools/index.ts";
import { ToolCalls } from "../../../gateway/tools/tool-calls.ts";
import { sessionTopic } from "../../../machines/session/session-events.ts";
import { MemoryCairn } from "../memory-cairn.ts";

const prefix = "io.modelcontextprotocol";
const _meta = {
  [`${prefix}/protocolVersion`]: "2026-07-28",
  [`${prefix}/clientInfo`]: { name: "test", version: "1" },
  [`${prefix}/clientCapabilities`]: {},
};

function served() {
  const { config } = loadConfig({ CAIRN_LOG_LEVEL: "silent" });
  const log = createLog(config, { write: () => {} });
  const system = new StartingSystem();
  const cairn = new MemoryCairn();
  system.fill(cairn);
  const pipes = { input: new PassThrough(), output: new PassThrough() };
  const surface = {
    system,
    registry: tools,
    log,
    calls: new ToolCalls(system, log),
    places: new PathRedaction(config),
  };
  const close = serveLocal(pipes, surface, ["core"]);
  const lines = createInterface({ input: pipes.output })[Symbol.asyncIterator]();
  return {
    cairn,
    close,
    say: (message: Readonly<Record<string, unknown>>) =>
      pipes.input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    heard: async () => JSON.parse((await lines.next()).value ?? "null"),
  };
}

const [topic, uri] = [sessionTopic("demo"), "cairn://sessions/demo"];
const listening = (id: number, resourceSubscriptions: readonly string[]) => ({
  id,
  method: "subscriptions/listen",
  params: { notifications: { resourceSubscriptions }, _meta },
});

test("a client on standard input is told of what it listens to, until it gives that up", async () => {
  const { cairn, close, say, heard } = served();
  const acknowledged = { method: "notifications/subscriptions/acknowledged" };
  say(listening(1, [uri, "cairn://tools/screenshot"]));
  expect(await heard()).toMatchObject(acknowledged);
  say(listening(2, [uri]));
  expect(await heard()).toMatchObject(acknowledged);
  // Two listen, one watches.
  expect(cairn.watchers.get(topic)?.size).toBe(1);
  for (const take of cairn.watchers.get(topic) ?? []) take({ type: "page_navigation" });
  const changed = { method: "notifications/resources/updated", params: { uri } };
  const told = [await heard(), await heard()];
  expect(told).toMatchObject([changed, changed]);
  expect(told.map(({ params }) => params._meta[`${prefix}/subscriptionId`])).toEqual([1, 2]);
  const leaving = (requestId: number) => ({
    method: "notifications/cancelled",
    params: { requestId, _meta },
  });
  say(leaving(1));
  say({ id: 3, method: "tools/list", params: { _meta } });
  expect(await heard()).toMatchObject({ id: 3 });
  expect(cairn.watchers.get(topic)?.size).toBe(1);
  say(leaving(2));
  say({ id: 4, method: "tools/list", params: { _meta } });
  expect(await heard()).toMatchObject({ id: 4 });
  expect(cairn.watchers.has(topic)).toBe(false);
  await close();
});

test("nothing is watched once the connection has ended", async () => {
  const { cairn, close, say, heard } = served();
  say(listening(1, [uri]));
  await heard();
  expect(cairn.watchers.has(topic)).toBe(true);
  await close();
  expect(cairn.watchers.size).toBe(0);
});
