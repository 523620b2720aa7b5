/**
 * Tests resources over MCP: their templates, their list, how they are read, and subscriptions to their
 * changes.
 */
import { expect, test } from "bun:test";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { sessionTopic } from "../../../machines/session/build-session-events.ts";
import { testGateway } from "../test-gateway.ts";
import { connectTo } from "./mcp-test-clients.ts";

test("sessions, explorations, screens and tools can be read over MCP by their URIs", async () => {
  const { client, call } = await connectTo(testGateway());
  await call("start_browser_session", { room_name: "a room" });
  await call("start_knowledge_exploration", { start_url: "https://example.com", job_id: "one" });
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return JSON.parse(content && "text" in content ? String(content.text) : "null");
  };
  expect(await read("cairn://sessions/a%20room")).toMatchObject({ title: "Shop" });
  expect(await read("cairn://explorations/one")).toMatchObject({ job_id: "one", status: "queued" });
  expect(await read("cairn://knowledge/docs/screens/home")).toMatchObject({ success: expect.any(Boolean) });
  const tool = await read("cairn://tools/start_browser_session");
  expect(tool.inputSchema.properties).toHaveProperty("proxy");
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
    "cairn://knowledge/{id}/screens/{screen}",
  );
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["cairn://actions", "cairn://explorations/one"]);
  const catalogue = await read("cairn://actions");
  expect(catalogue.actions).toContainEqual(
    expect.objectContaining({ action_type: "pick_date", aliases: ["select_date", "set_date"] }),
  );
});

test("an MCP connection is notified when a session that it subscribed to changes, until it unsubscribes", async () => {
  const gateway = testGateway();
  const { client, transport } = await connectTo(gateway);
  const updated = new Promise<string>((resolve) => {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
  });
  await client.subscribeResource({ uri: "cairn://sessions/demo" });
  const topic = sessionTopic("demo");
  for (const take of gateway.cairn.watchers.get(topic) ?? []) take({ type: "page_navigation" });
  expect(await updated).toBe("cairn://sessions/demo");
  await expect(client.subscribeResource({ uri: "cairn://tools/screenshot" })).rejects.toMatchObject({
    code: -32_602,
  });
  await transport.terminateSession();
  expect(gateway.cairn.watchers.has(topic)).toBe(false);
});

test("a stream of the 2026 MCP revision is notified of changes to its resources until the stream ends", async () => {
  const gateway = testGateway();
  const prefix = "io.modelcontextprotocol";
  const _meta = {
    [`${prefix}/protocolVersion`]: "2026-07-28",
    [`${prefix}/clientInfo`]: { name: "test", version: "1" },
    [`${prefix}/clientCapabilities`]: {},
  };
  const listen = async (resourceSubscriptions: readonly string[]) => {
    const params = { notifications: { resourceSubscriptions }, _meta };
    const response = await gateway.app.handle(
      new Request("http://127.0.0.1:8000/mcp", {
        method: "POST",
        headers: {
          host: "127.0.0.1:8000",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "subscriptions/listen",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }),
      }),
    );
    expect(response.status).toBe(200);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    return {
      until: async (text: string) => {
        while (!received.includes(text)) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) throw new Error(`The stream ended after ${received}`);
          received += value;
        }
        return received;
      },
      leave: async () => reader?.cancel(),
    };
  };
  const [topic, uri] = [sessionTopic("demo"), "cairn://sessions/demo"];
  const change = () => {
    for (const take of gateway.cairn.watchers.get(topic) ?? []) take({ type: "page_navigation" });
  };
  const first = await listen([uri, "cairn://tools/screenshot"]);
  const second = await listen([uri]);
  const third = await listen(["cairn://sessions/other"]);
  await Promise.all([first, second, third].map((stream) => stream.until("subscriptions/acknowledged")));
  // Several streams for the same resource share one subscription to its events.
  expect(gateway.cairn.watchers.get(topic)?.size).toBe(1);
  change();
  await Promise.all([first, second].map((stream) => stream.until("notifications/resources/updated")));
  await first.leave();
  change();
  expect((await second.until(uri)).match(/resources\/updated/g)).toHaveLength(1);
  await second.leave();
  expect(gateway.cairn.watchers.has(topic)).toBe(false);
  await third.leave();
  expect(gateway.cairn.watchers.size).toBe(0);
});

test.each([
  "cairn://explorations/none",
  "cairn://sessions/none",
  "cairn://tools/dance",
  "cairn://sessions/%",
  "cairn://sessions",
  "file:///etc/passwd",
])("reading the missing or invalid MCP resource %s fails as not found", async (uri) => {
  const { client } = await connectTo(testGateway());
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
});
