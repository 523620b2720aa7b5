/**
 * Tests notifications about changed resources on standard input and output. A client of the 2026 MCP revision requests
 * them with `subscriptions/listen`.
 */
import { expect, test } from "bun:test";
import { sessionTopic } from "../../../machines/session/build-session-events.ts";
import { serveInMemory } from "./mcp-stdio-in-memory.ts";

const prefix = "io.modelcontextprotocol";
const _meta = {
  [`${prefix}/protocolVersion`]: "2026-07-28",
  [`${prefix}/clientInfo`]: { name: "test", version: "1" },
  [`${prefix}/clientCapabilities`]: {},
};

const [topic, uri] = [sessionTopic("demo"), "cairn://sessions/demo"];
const listening = (id: number, resourceSubscriptions: readonly string[]) => ({
  id,
  method: "subscriptions/listen",
  params: { notifications: { resourceSubscriptions }, _meta },
});

test("an MCP client on standard input is notified of changes to its resources until it cancels the stream", async () => {
  const { cairn, close, send, nextMessage } = serveInMemory();
  const acknowledged = { method: "notifications/subscriptions/acknowledged" };
  send(listening(1, [uri, "cairn://tools/screenshot"]));
  expect(await nextMessage()).toMatchObject(acknowledged);
  send(listening(2, [uri]));
  expect(await nextMessage()).toMatchObject(acknowledged);
  // Two streams for the same resource share one subscription to its events.
  expect(cairn.watchers.get(topic)?.size).toBe(1);
  for (const take of cairn.watchers.get(topic) ?? []) take({ type: "page_navigation" });
  const changed = { method: "notifications/resources/updated", params: { uri } };
  const notifications = [await nextMessage(), await nextMessage()];
  expect(notifications).toMatchObject([changed, changed]);
  expect(notifications.map(({ params }) => params._meta[`${prefix}/subscriptionId`])).toEqual([1, 2]);
  const leaving = (requestId: number) => ({
    method: "notifications/cancelled",
    params: { requestId, _meta },
  });
  send(leaving(1));
  send({ id: 3, method: "tools/list", params: { _meta } });
  expect(await nextMessage()).toMatchObject({ id: 3 });
  expect(cairn.watchers.get(topic)?.size).toBe(1);
  send(leaving(2));
  send({ id: 4, method: "tools/list", params: { _meta } });
  expect(await nextMessage()).toMatchObject({ id: 4 });
  expect(cairn.watchers.has(topic)).toBe(false);
  await close();
});

test("watching MCP resources ends when the connection of standard input closes", async () => {
  const { cairn, close, send, nextMessage } = serveInMemory();
  send(listening(1, [uri]));
  await nextMessage();
  expect(cairn.watchers.has(topic)).toBe(true);
  await close();
  expect(cairn.watchers.size).toBe(0);
});
