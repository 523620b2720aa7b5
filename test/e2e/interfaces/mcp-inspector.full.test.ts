/**
 * Tests a running Cairn with the MCP Inspector, which lists every tool, checks every schema, and calls every
 * tool.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { toolList } from "../../../gateway/mcp/mcp-tool-list.ts";
import { tools } from "../../../gateway/tools/index.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { type Inspected, Inspector } from "./start-mcp-inspector.ts";

const ROOT = join(import.meta.dir, "../../..");
setDefaultTimeout(180_000);

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let inspector: Inspector;
/** Makes the second site answer. Until this function is called, the job on that site keeps running. */
let open: () => void = () => {};

beforeAll(async () => {
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  site = serveSite({
    "/": html("Shop", `<h1>Shop</h1><button>Order</button><a href="/orders">Orders</a>`),
    "/orders": html("Orders", "<h1>Orders</h1><p>All of your orders are here.</p>"),
    "/held": async () => {
      await gate;
      return html("Held", "<h1>Held</h1>");
    },
  });
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path, env: { CAIRN_TOOLS: "all" } });
  inspector = await Inspector.start();
});

afterAll(async () => {
  open();
  await inspector?.stop();
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
});

/**
 * The Inspector's arguments that select a Cairn: the URL of a gateway, or a command that the Inspector
 * starts.
 */
type Target = readonly string[];
const byUrl = (): Target => [`${cairn.url}/mcp`];
const byCommand = (env: Readonly<Record<string, string>> = {}): Target => [
  ...Object.entries({ CAIRN_DATA: data.path, CAIRN_LOG_LEVEL: "error", ...env }).flatMap(([name, value]) => [
    "-e",
    `${name}=${value}`,
  ]),
  "--cwd",
  ROOT,
  process.execPath,
  "gateway/main.ts",
  "mcp",
];

type Args = Readonly<Record<string, unknown>>;

async function call(target: Target, name: string, args: Args): Promise<Inspected> {
  const options = Object.entries(args).flatMap(([key, value]) => [
    "--tool-arg",
    `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  return inspector.run([...target, "--method", "tools/call", "--tool-name", name, ...options]);
}

/** A call of a tool: its name, its arguments, and, if the call must fail here, the expected error code. */
type Step = readonly [name: string, args?: Args, refusal?: string];

const room_name = "inspected";
const job_id = "inspected";
const knowledge_id = "inspected";

/** Id of an exploration job that keeps running until `open` is called. */
const held = "held";

const explorationSteps = (): readonly Step[] => [
  ["start_knowledge_exploration", { start_url: site.url("/"), max_pages: 2, job_id, knowledge_id }],
  ["wait_for_exploration", { job_id }],
  ["get_exploration_status", { job_id }],
  ["get_knowledge_results", { job_id, limit: 1 }],
  ["list_explorations"],
  ["query_knowledge", { query_type: "search", params: { query: "orders" }, knowledge_id }],
  [
    "query_knowledge_for_agent",
    { knowledge_id, instruction_type: "get_actions", target: site.url("/orders"), context: {} },
  ],
  ["ingest_document", { knowledge_id, name: "notes.md", content: "# Notes\n\nOrders are on a page." }],
  ["list_sources", { knowledge_id }],
  ["read_source", { knowledge_id, source_id: "none" }, "document.not_found"],
  ["delete_source", { knowledge_id, source_id: "none" }, "document.not_found"],
  ["fill_action_gaps", { knowledge_id, website_id: "any" }],
  ["list_knowledge"],
  ["describe_knowledge", { knowledge_id }],
  ["list_screens", { knowledge_id }],
  ["get_knowledge_graph", { knowledge_id }],
  ["diff_knowledge", { knowledge_id, against: "none" }, "knowledge.not_found"],
  ["export_knowledge", { knowledge_id }],
  ["import_knowledge", { knowledge_id, map: { format: "cairn-map", version: 1 } }],
  ["start_dialogue", { task: "Click Save", room_name: "no-such-room" }, "session.not_found"],
  ["answer_dialogue", { dialogue_id: "none", message: { action: "cancel" } }, "dialogue.not_found"],
  [
    "start_navigation",
    { prompt: "orders", seed_links: [site.url("/")], render: "http", run_id: "inspected" },
  ],
  [
    "navigate_with_intent",
    { prompt: "orders", seed_links: [site.url("/")], render: "http", run_id: "inspected" },
  ],
  ["get_navigation_result", { run_id: "none" }, "navigation.not_found"],
  ["cancel_navigation", { run_id: "none" }, "navigation.not_found"],
  ["get_dialogue", { dialogue_id: "none" }, "dialogue.not_found"],
  ["wait_for_dialogue", { dialogue_id: "none", wait_seconds: 1 }, "dialogue.not_found"],
  ["plan_with_confidence", { task: "Click Save", room_name: "no-such-room" }, "session.not_found"],
  ["list_dialogue_messages", { dialogue_id: "none" }, "dialogue.not_found"],
  ["start_knowledge_exploration", { start_url: site.url("/held"), job_id: held, knowledge_id: held }],
  ["pause_exploration", { job_id: held }],
  ["resume_exploration", { job_id: held }],
  ["cancel_exploration", { job_id: held }],
];

const browserSteps = (): readonly Step[] => [
  ["start_browser_session", { room_name, initial_url: site.url("/") }],
  ["analyze_page", { room_name }],
  ["start_recording", { room_name }],
  ["click_element_by_index", { room_name, highlightIndex: 0 }],
  ["stop_recording", { room_name }],
  ["execute_action", { room_name, action_type: "scroll", params: { direction: "down", amount: 10 } }],
  ["pause_browser_session", { room_name }],
  ["resume_browser_session", { room_name }],
  ["get_browser_context", { room_name }],
  ["get_screen_content", { room_name }],
  ["screenshot", { room_name, format: "jpeg" }],
  ["extract", { room_name }],
  ["refine_plan", { task: "Click Save", plan: {}, room_name }, "request.invalid"],
];

const outputAndOperationSteps = (): readonly Step[] => [
  ["WebToolkit_analyzePage", { room_name }],
  ["WebToolkit_clickElementByIndex", { room_name, highlightIndex: 0 }],
  ["get_console_messages", { room_name }],
  ["get_network_log", { room_name }],
  ["save_as_pdf", { room_name }],
  ["list_downloads", { room_name }],
  ["remove_download", { room_name, id: "none" }, "download.not_found"],
  ["get_storage_state", { room_name }],
  ["get_result", { result_id: "none" }, "result.not_found"],
  ["list_recordings"],
  ["get_recording", { recording_id: "none" }, "recording.not_found"],
  ["replay_recording", { room_name, steps: [] }],
  ["delete_recording", { recording_id: "none" }, "recording.not_found"],
  ["list_actors", { kind: "exploration" }],
  ["get_actor", { kind: "exploration", id: job_id }],
  ["unpark_actor", { kind: "exploration", id: job_id }],
  ["list_dead_letters"],
  ["replay_dead_letter", { id: "none" }, "dead_letter.not_found"],
  ["discard_dead_letter", { id: "none" }, "dead_letter.not_found"],
  ["list_nodes"],
  ["list_sessions"],
];

const finalSteps = (): readonly Step[] => [
  ["recover_browser_session", { room_name }],
  ["close_browser_session", { room_name }],
  ["delete_knowledge", { knowledge_id }],
  ["delete_exploration", { job_id }],
];

const allSteps = (): readonly Step[] => [
  ...explorationSteps(),
  ...browserSteps(),
  ...outputAndOperationSteps(),
  ...finalSteps(),
];

/**
 * The calls for the test of `cairn mcp`. A few tools are enough, because `cairn mcp` forwards all tool calls
 * to the gateway in the same way.
 */
const selectedSteps = (): readonly Step[] => [
  ["start_knowledge_exploration", { start_url: site.url("/"), max_pages: 2, job_id, knowledge_id }],
  ["wait_for_exploration", { job_id }],
  ["query_knowledge", { query_type: "search", params: { query: "orders" }, knowledge_id }],
  ["start_browser_session", { room_name, initial_url: site.url("/") }],
  ["analyze_page", { room_name }],
  ["click_element_by_index", { room_name, highlightIndex: 0 }],
  ["screenshot", { room_name, format: "jpeg" }],
  ["get_recording", { recording_id: "none" }, "recording.not_found"],
  ...finalSteps(),
];

async function walk(target: Target, steps: readonly Step[]): Promise<void> {
  for (const [name, args = {}, refusal] of steps) {
    const { code, out, err } = await call(target, name, args);
    const expected = refusal === undefined ? 0 : 5;
    // Exit code 1 means that the Inspector could not reach Cairn. Then Cairn's last log lines are printed.
    const more = code === 1 ? cairn.output.stderr.slice(-3_000) : "";
    expect([name, code, code === expected ? "" : `${out}${err}${more}`]).toEqual([name, expected, ""]);
    if (refusal !== undefined) expect(out).toContain(refusal);
  }
}

async function listed(target: Target): Promise<readonly string[]> {
  const { code, out, err } = await inspector.run([...target, "--method", "tools/list", "--strict"]);
  expect(code === 0 ? "" : err).toBe("");
  const answer: { readonly tools: readonly { readonly name: string }[] } = JSON.parse(out);
  return answer.tools.map(({ name }) => name);
}

const all = tools.list().map(({ name }) => name);
const defaultList = toolList(tools, ["core"]).map(({ name }) => name);

test("the MCP Inspector lists and calls every tool by URL, without an objection to its schemas", async () => {
  expect(await listed(byUrl())).toEqual(all);
  const steps = allSteps();
  // The steps above must call every tool. If this fails, a new tool is missing in them.
  expect(new Set(steps.map(([name]) => name))).toEqual(new Set(all));
  await walk(byUrl(), steps);
});

test("the MCP Inspector lists and calls every tool over standard input and output, with the tools that CAIRN_TOOLS selects", async () => {
  // The command gets a data folder of its own. In the gateway's data folder, it would forward its calls to
  // the running gateway, which does not use the command's CAIRN_TOOLS.
  const standalone = await dataFolder();
  expect(await listed(byCommand({ CAIRN_DATA: standalone.path }))).toEqual(defaultList);
  expect(await listed(byCommand({ CAIRN_DATA: standalone.path, CAIRN_TOOLS: "all" }))).toEqual(all);
  await standalone.remove();
  expect(await listed(byCommand())).toEqual(all);
  await walk(byCommand(), selectedSteps());
});

test("every kind of MCP resource has a template and can be read by its URI", async () => {
  const ask = async (...args: readonly string[]) => {
    const { code, out, err } = await inspector.run([...byUrl(), "--method", ...args]);
    expect(code === 0 ? "" : err).toBe("");
    return JSON.parse(out);
  };
  await walk(byUrl(), [
    [
      "start_knowledge_exploration",
      { start_url: site.url("/"), max_pages: 2, job_id: "read", knowledge_id: "read" },
    ],
    ["wait_for_exploration", { job_id: "read" }],
    ["start_browser_session", { room_name: "read", initial_url: site.url("/") }],
  ]);
  const question = {
    knowledge_id: "read",
    instruction_type: "find_screen",
    target: "Orders",
    context: {},
    detail: "records",
  };
  const found = JSON.parse((await call(byUrl(), "query_knowledge_for_agent", question)).out);
  const screen: string = JSON.parse(found.content[0].text).expected_result.screen_id;
  const addresses: Readonly<Record<string, readonly [uri: string, holds: string]>> = {
    "cairn://sessions/{room}": ["cairn://sessions/read", "Shop"],
    "cairn://explorations/{job}": ["cairn://explorations/read", "completed"],
    "cairn://knowledge/{id}/screens/{screen}": [`cairn://knowledge/read/screens/${screen}`, "/orders"],
    "cairn://tools/{name}": ["cairn://tools/extract", "inputSchema"],
  };
  const { resourceTemplates } = await ask("resources/templates/list");
  const templates: readonly { readonly uriTemplate: string }[] = resourceTemplates;
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(Object.keys(addresses));
  for (const [uri, holds] of Object.values(addresses)) {
    const { contents } = await ask("resources/read", "--uri", uri);
    expect([uri, contents[0].text]).toEqual([uri, expect.stringContaining(holds)]);
  }
  await walk(byUrl(), [["close_browser_session", { room_name: "read" }]]);
});
