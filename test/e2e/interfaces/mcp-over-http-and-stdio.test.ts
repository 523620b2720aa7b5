/** Tests a running Cairn over MCP, with the official client. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { connect, type TestClient, textOf } from "../../gateway/mcp/mcp-test-clients.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { dataFolder } from "../support/cairn-test-process.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);
const ROOM = "over-mcp";

const site = siteOfTests({
  "/": html(
    "Shop",
    `<h1>Shop</h1><p id=said></p><button onclick="said.textContent='Ordered'">Order</button>`,
  ),
});

const cairn = await cairnOfTests();

interface Analysis {
  readonly revision: number;
  readonly clickableElementsString: string;
}

async function analyze(client: TestClient, args: Readonly<Record<string, unknown>> = {}): Promise<Analysis> {
  const result = await client.call("analyze_page", { room_name: ROOM, detail: "records", ...args });
  // The cast is safe: the output schema of the tool describes this shape.
  return (JSON.parse(textOf(result)) as { readonly data: Analysis }).data;
}

const indexOf = ({ clickableElementsString }: Analysis, text: string): number =>
  Number(new RegExp(`\\[(\\d+)\\][^\\n]*${text}`).exec(clickableElementsString)?.[1]);

test("a session can be started, analysed, used, captured and closed over MCP, and outlives its client", async () => {
  const first = await connect(`${cairn.url}/mcp`);
  await first.client.listTools();
  const started = await first.call("start_browser_session", {
    room_name: ROOM,
    initial_url: site.url("/"),
  });
  expect(JSON.parse(textOf(started))).toEqual({ status: "started", room_name: ROOM });
  const seen = await analyze(first);
  const order = indexOf(seen, "Order");
  // The client closes the connection without deleting its session.
  await first.transport.close();

  const second = await connect(`${cairn.url}/mcp`);
  await second.client.listTools();
  expect(second.transport.sessionId).not.toBe(first.transport.sessionId);
  const delta = await analyze(second, { since_revision: seen.revision });
  expect(delta).toHaveProperty("delta");
  expect(indexOf(await analyze(second), "Order")).toBe(order);
  const clicked = await second.call("click_element_by_index", { room_name: ROOM, highlightIndex: order });
  expect(textOf(clicked)).toMatch(/^Done <button>Order: the page changed\n(.*\n)*New text: Ordered$/);
  const content = await second.call("get_screen_content", { room_name: ROOM });
  expect(textOf(content)).toContain("\nOrdered");
  const { content: parts } = await second.call("screenshot", { room_name: ROOM, format: "jpeg" });
  expect(parts[1]).toMatchObject({ type: "image", mimeType: "image/jpeg" });
  const closed = await second.call("close_browser_session", { room_name: ROOM });
  expect(JSON.parse(textOf(closed))).toEqual({ status: "closed", room_name: ROOM });
  expect(await second.call("get_browser_context", { room_name: ROOM })).toMatchObject({ isError: true });
  await second.transport.terminateSession();
  await second.client.close();
});

async function overPipes(env: Readonly<Record<string, string>>) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["gateway/main.ts", "mcp"],
    cwd: join(import.meta.dir, "../../.."),
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (text: Buffer) => {
    said += text.toString();
  });
  const wrong: Error[] = [];
  // The client fails on every line of standard output that is not a protocol message.
  client.onerror = (error) => wrong.push(error);
  await client.connect(transport);
  return { client, wrong, said: () => said };
}

test.if(isFull)(
  "cairn mcp over standard input and output runs its own Cairn, and writes its log to standard error",
  async () => {
    const own = await dataFolder();
    const { client, wrong, said } = await overPipes({ CAIRN_DATA: own.path });
    expect(client.getServerVersion()?.name).toBe("browser-automation-service");
    await client.listTools();
    const jobs = await client.callTool({ name: "list_knowledge", arguments: {} });
    expect(jobs.content).toEqual([{ type: "text", text: "There are no maps." }]);
    await client.close();
    expect(wrong).toEqual([]);
    expect(said()).toContain("serving over standard input and output");
    await own.remove();
  },
);

test("cairn mcp over standard input and output forwards to the gateway of its data folder", async () => {
  const { client, wrong, said } = await overPipes({ CAIRN_DATA: cairn.data });
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
  const job = { start_url: site.url("/"), max_pages: 1, job_id: "piped" };
  await client.callTool({ name: "start_knowledge_exploration", arguments: job });
  const waiting = { name: "wait_for_exploration", arguments: { job_id: "piped" } };
  const { content } = await client.callTool(waiting);
  expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^Job piped of .*: completed/) }]);
  const { body } = await cairn.get("/api/knowledge/explore/status/piped");
  expect(body.status).toBe("completed");
  await expect(client.callTool({ name: "dance", arguments: {} })).rejects.toThrow("There is no tool");
  await client.close();
  expect(wrong).toEqual([]);
  expect(said()).toContain("carrying to a Cairn that runs");
});

test.if(isFull)(
  "cairn mcp over standard input and output lets the client choose its tools even if a gateway runs",
  async () => {
    const { client } = await overPipes({ CAIRN_DATA: cairn.data, CAIRN_TOOLS: "operations" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("list_actors");
    await client.close();
  },
);
