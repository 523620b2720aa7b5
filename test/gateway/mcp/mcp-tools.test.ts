/** Tests tools over MCP with the official client: the list, calls, failures, images, progress. */
import { expect, test } from "bun:test";
import { toolResult } from "../../../gateway/mcp/mcp-tool-result.ts";
import { tools } from "../../../gateway/tools/index.ts";
import { Defect, Refused } from "../../../machines/errors.ts";
import {
  actionAliases,
  actionNames,
} from "../../../machines/session/actions/browser-action-names-and-risks.ts";
import { testGateway } from "../test-gateway.ts";
import { connectTo, textOf } from "./mcp-test-clients.ts";

const specificationTools = tools.list().flatMap(({ name, sets }) => (sets === "always" ? [name] : []));
/**
 * Number of characters for each estimated token. Common tokenizers need fewer tokens for text and JSON, so
 * the estimate is an upper bound.
 */
const CHARACTERS_A_TOKEN = 4;

test("the MCP server reports its name and its instructions", async () => {
  const { client } = await connectTo(testGateway());
  expect(client.getServerVersion()).toMatchObject({ name: "browser-automation-service", title: "Cairn" });
  expect(client.getInstructions()).toContain("start_browser_session");
});

test("the default MCP tool list has the specified tools and the few that an agent needs, within 4,000 tokens", async () => {
  const { client } = await connectTo(testGateway());
  const { tools: listed } = await client.listTools();
  const names = listed.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([...specificationTools, "analyze_page", "click_element_by_index"]),
  );
  expect(names).toEqual(expect.arrayContaining(["query_knowledge_for_agent", "fill_action_gaps"]));
  expect(names).not.toContain("list_actors");
  // `params` must not be required: by the protocol specification, an action such as `refresh` has no parameters.
  const act = listed.find(({ name }) => name === "execute_action");
  expect(act?.inputSchema.required).toEqual(["room_name", "action_type"]);
  expect(JSON.stringify(listed).length / CHARACTERS_A_TOKEN).toBeLessThan(4_000);
  for (const { description, inputSchema } of listed) {
    expect(description?.length).toBeGreaterThan(20);
    expect(Object.keys(inputSchema.properties ?? {})).not.toContain("session_id");
  }
});

test("CAIRN_TOOLS selects which tools are listed over MCP, and tools that are not listed can still be called", async () => {
  const names = async (chosen: string) => {
    const { client } = await connectTo(testGateway({ env: { CAIRN_TOOLS: chosen } }));
    return (await client.listTools()).tools;
  };
  expect((await names("operations")).map(({ name }) => name)).toEqual(
    expect.arrayContaining([...specificationTools, "list_actors"]),
  );
  const all = await names("all");
  expect(all.map(({ name }) => name)).toEqual(tools.list().map(({ name }) => name));
  const start = all.find(({ name }) => name === "start_browser_session");
  expect(start?.inputSchema.properties).toHaveProperty("session_id");
  const { call } = await connectTo(testGateway());
  expect(JSON.parse(textOf(await call("list_nodes")))).toEqual({ nodes: expect.any(Array) });
});

test("an MCP client over HTTP selects its tool sets in the URL, and unknown sets are refused", async () => {
  const gateway = testGateway();
  const { client } = await connectTo(gateway, "/mcp?tools=operations");
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("list_actors");
  const { status, body } = await gateway.call("POST", "/mcp?tools=everything", {});
  expect([status, body.error.code]).toEqual([422, "request.invalid"]);
});

test("a tool result over MCP is sent in one form only: as lines of text, or as JSON on request", async () => {
  const { call, client } = await connectTo(testGateway());
  const started = await call("start_knowledge_exploration", {
    start_url: "https://example.com",
    job_id: "one",
  });
  expect(started).not.toHaveProperty("structuredContent");
  expect(started).not.toHaveProperty("isError");
  expect(textOf(started)).toStartWith("Job one is queued");
  const results = { job_id: "one", partial: true };
  expect(textOf(await call("get_knowledge_results", results))).toContain("Job one: queued, 3 pages");
  const records = await call("get_knowledge_results", { ...results, detail: "records" });
  expect(records).not.toHaveProperty("structuredContent");
  expect(JSON.parse(textOf(records))).toMatchObject({ job_id: "one", pages: { length: 3 } });
  const { tools: listed } = await client.listTools();
  expect(listed.filter((tool) => "outputSchema" in tool)).toEqual([]);
});

test("the parameter `detail` is listed only for tools that can answer in lines, and unknown values of it are refused", async () => {
  const { call, client } = await connectTo(testGateway());
  const { tools: listed } = await client.listTools();
  const detailed = listed.flatMap(({ name, inputSchema }) =>
    "detail" in (inputSchema.properties ?? {}) ? [name] : [],
  );
  expect(detailed).toEqual(
    expect.arrayContaining(["analyze_page", "execute_action", "extract", "query_knowledge_for_agent"]),
  );
  expect(detailed).not.toContain("close_browser_session");
  const refused = await call("get_exploration_status", { job_id: "one", detail: "all" });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain("detail is one of lines, records");
});

test("a model is offered every action except `evaluate`, which is off by default", async () => {
  const { client } = await connectTo(testGateway());
  const { tools: listed } = await client.listTools();
  const { inputSchema } = listed.find(({ name }) => name === "execute_action") ?? {};
  expect(inputSchema?.properties?.action_type).toMatchObject({
    type: "string",
    enum: actionNames.filter((name) => name !== "evaluate"),
  });
  expect(JSON.stringify(listed)).not.toContain("evaluate");
});

test("the complete schema of execute_action lists the names of all actions with their aliases", () => {
  const { properties } = tools.get("execute_action").inputSchema;
  const names = [...actionNames, ...Object.keys(actionAliases)];
  expect(properties).toMatchObject({ action_type: { type: "string", enum: names } });
});

test("the MCP tool list states the smallest token limit of an analysis, and so does the error for a smaller limit", async () => {
  const { call, client } = await connectTo(testGateway());
  const { tools: listed } = await client.listTools();
  const analyze = listed.find(({ name }) => name === "analyze_page");
  expect(analyze?.inputSchema.properties?.max_tokens).toMatchObject({
    description: expect.stringMatching(/^At least 400\b/),
  });
  const refused = await call("analyze_page", { room_name: "a", max_tokens: 399 });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain("400");
});

test("a failed tool call over MCP is returned as a result with its error code", async () => {
  const gateway = testGateway();
  const { call, client } = await connectTo(gateway);
  const code = async (name: string, args: Record<string, unknown>) => {
    const { isError, content } = await call(name, args);
    expect(isError).toBe(true);
    const [text] = content;
    return JSON.parse(text?.type === "text" ? text.text : "{}").error.code;
  };
  expect(await code("get_exploration_status", { job_id: "none" })).toBe("job.not_found");
  expect(await code("get_exploration_status", { job_id: 5 })).toBe("request.invalid");
  expect(await code("analyze_page", { room_name: "none" })).toBe("session.not_found");
  await expect(client.callTool({ name: "dance", arguments: {} })).rejects.toThrow('There is no tool "dance"');
  gateway.cairn.failure = new Refused("knowledge.busy", "It is busy.", { status: 409 });
  const gaps = await call("fill_action_gaps", { knowledge_id: "docs", website_id: "docs" });
  expect(gaps.isError).toBe(true);
  expect(JSON.parse(textOf(gaps)).error.code).toBe("knowledge.busy");
});

test("a failed browser action over MCP is returned as an error result with its code", async () => {
  const gateway = testGateway();
  const { call } = await connectTo(gateway);
  await call("start_browser_session", { room_name: "demo" });
  gateway.cairn.sessions.outcome = {
    success: false,
    error: "Gone.",
    data: { code: "element_stale", candidates: [{ highlight_index: 4, score: 1, line: "[4]<a>Next</a>" }] },
  };
  const click = { room_name: "demo", highlightIndex: 3 };
  const failed = await call("click_element_by_index", click);
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toBe("element_stale: Gone.\n[4]<a>Next");
  const records = await call("click_element_by_index", { ...click, detail: "records" });
  expect(records.isError).toBe(true);
  expect(JSON.parse(textOf(records))).toMatchObject({
    success: false,
    data: { clicked: false, candidates: [{ highlight_index: 4 }] },
  });
});

test("starting a session over MCP fails if its first page does not load, and the error states that the browser runs", async () => {
  const gateway = testGateway();
  const { call } = await connectTo(gateway);
  gateway.cairn.sessions.outcome = {
    success: false,
    error: "Wrong password.",
    data: { code: "login_failed" },
  };
  const started = await call("start_browser_session", { room_name: "demo" });
  expect(started.isError).toBe(true);
  expect(JSON.parse(textOf(started))).toMatchObject({
    status: "error",
    code: "login_failed",
    error: expect.stringContaining("Wrong password. The room's browser runs"),
  });
});

test("an internal error over MCP is reported without its details", async () => {
  const gateway = testGateway();
  const { call } = await connectTo(gateway);
  gateway.cairn.failure = new Defect("store.broken", "the secret path /var/lib");
  const { isError, content } = await call("get_exploration_status", { job_id: "one" });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain("store.broken");
  expect(JSON.stringify(content)).not.toContain("/var/lib");
  expect(gateway.logged.join("")).toContain("a tool failed");
});

test("a model receives a page over MCP as lines, and its element records on request", async () => {
  const { call } = await connectTo(testGateway());
  await call("start_browser_session", { room_name: "demo" });
  const { content } = await call("analyze_page", { room_name: "demo" });
  expect(content).toEqual([{ type: "text", text: expect.stringContaining("Shop https://shop.test/") }]);
  const records = await call("analyze_page", { room_name: "demo", detail: "records" });
  expect(JSON.parse(textOf(records))).toMatchObject({ success: true, data: { highlightedElements: [] } });
  const specified = await call("WebToolkit_analyzePage", { room_name: "demo" });
  expect(JSON.parse(textOf(specified))).toMatchObject({ success: true, data: { segments: [] } });
});

test("an image is returned over MCP as image content and not as text", async () => {
  const { call } = await connectTo(testGateway());
  await call("start_browser_session", { room_name: "demo" });
  const shot = await call("screenshot", { room_name: "demo" });
  expect(shot.content[1]).toMatchObject({ type: "image", mimeType: "image/png", data: expect.any(String) });
  expect(JSON.parse(textOf(shot))).toMatchObject({ mime_type: "image/png" });
  expect(JSON.parse(textOf(shot))).not.toHaveProperty("data");
});

test("the image of the action screenshot is returned over MCP as image content and not as text", async () => {
  const tool = tools.list().find(({ name }) => name === "execute_action");
  const picture = { format: "png", mime_type: "image/png", data: "iVBORw0KGgo" };
  const output = { success: true, action: "screenshot", data: picture };
  const { content } = await toolResult(output, AbortSignal.timeout(5_000), (result) =>
    tool?.modelText(result),
  );
  expect(content).toEqual([
    { type: "text", text: expect.not.stringContaining("iVBORw0KGgo") },
    { type: "image", mimeType: "image/png", data: "iVBORw0KGgo" },
  ]);
});

test("wait_for_exploration over MCP reports progress, and returns when the job has ended", async () => {
  const gateway = testGateway();
  const { client, call } = await connectTo(gateway);
  await call("start_knowledge_exploration", { start_url: "https://example.com", job_id: "one" });
  const reports: unknown[] = [];
  const args = { job_id: "one" };
  const status = await client.callTool({ name: "wait_for_exploration", arguments: args }, undefined, {
    onprogress: (progress) => {
      reports.push(progress);
      const job = gateway.cairn.jobs.get("one");
      if (job) job.status = "completed";
    },
  });
  expect(status.content).toEqual([
    { type: "text", text: expect.stringMatching(/^Job one of .*: completed/) },
  ]);
  expect(reports[0]).toMatchObject({
    progress: expect.any(Number),
    message: expect.stringContaining("pages"),
  });
});

test("cancelling wait_for_exploration over MCP ends the wait and not the exploration", async () => {
  const gateway = testGateway();
  const { client, call } = await connectTo(gateway);
  await call("start_knowledge_exploration", { start_url: "https://example.com", job_id: "one" });
  const gone = new AbortController();
  const waiting = client.callTool({ name: "wait_for_exploration", arguments: { job_id: "one" } }, undefined, {
    signal: gone.signal,
    onprogress: () => gone.abort(new Error("enough")),
  });
  await expect(waiting).rejects.toThrow("enough");
  expect(gateway.cairn.jobs.get("one")?.status).toBe("queued");
  expect(textOf(await call("get_exploration_status", { job_id: "one" }))).toContain(": queued");
});
