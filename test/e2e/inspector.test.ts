/** A running Cairn as the MCP Inspector sees it: every tool is listed, in schemas that every client takes, and called. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { toolList } from "../../gateway/mcp/tool-list.ts";
import { tools } from "../../gateway/tools/index.ts";
import { html, type ScriptedSite, serveSite } from "../sites/site.ts";
import { Cairn, dataFolder } from "./cairn-process.ts";
import { type Inspected, Inspector } from "./inspector.ts";

const ROOT = join(import.meta.dir, "../..");
const PATIENCE = 180_000;

let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let inspector: Inspector;
/** The second site's answers wait for this: a job is held under way. */
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
}, PATIENCE);

afterAll(async () => {
  open();
  await inspector?.stop();
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
}, PATIENCE);

/** How the Inspector reaches Cairn: by its address, or as a command that it starts. */
type Way = readonly string[];
const byAddress = (): Way => [`${cairn.url}/mcp`];
const byCommand = (env: Readonly<Record<string, string>> = {}): Way => [
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

async function call(way: Way, name: string, args: Args): Promise<Inspected> {
  const given = Object.entries(args).flatMap(([key, value]) => [
    "--tool-arg",
    `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  return inspector.run([...way, "--method", "tools/call", "--tool-name", name, ...given]);
}

/** What a tool is called with; a code where it cannot do what it is asked, and says so. */
type Step = readonly [name: string, args?: Args, refusal?: string];

const room_name = "inspected";
const job_id = "inspected";
const knowledge_id = "inspected";

/** A job that does not end by itself. */
const held = "held";

const exploring = (): readonly Step[] => [
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
  ["fill_action_gaps", { knowledge_id, website_id: "any" }, "status"],
  ["list_knowledge"],
  ["describe_knowledge", { knowledge_id }],
  ["start_knowledge_exploration", { start_url: site.url("/held"), job_id: held, knowledge_id: held }],
  ["pause_exploration", { job_id: held }],
  ["resume_exploration", { job_id: held }],
  ["cancel_exploration", { job_id: held }],
];

const browsing = (): readonly Step[] => [
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
];

const besides = (): readonly Step[] => [
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
];

const ending = (): readonly Step[] => [
  ["recover_browser_session", { room_name }],
  ["close_browser_session", { room_name }],
  ["delete_knowledge", { knowledge_id }],
  ["delete_exploration", { job_id }],
];

const everything = (): readonly Step[] => [...exploring(), ...browsing(), ...besides(), ...ending()];

/** Some of each sort, where each call starts a Cairn that hands it on: all tools take one way there. */
const someOfEach = (): readonly Step[] => [
  ["start_knowledge_exploration", { start_url: site.url("/"), max_pages: 2, job_id, knowledge_id }],
  ["wait_for_exploration", { job_id }],
  ["query_knowledge", { query_type: "search", params: { query: "orders" }, knowledge_id }],
  ["start_browser_session", { room_name, initial_url: site.url("/") }],
  ["analyze_page", { room_name }],
  ["click_element_by_index", { room_name, highlightIndex: 0 }],
  ["screenshot", { room_name, format: "jpeg" }],
  ["get_recording", { recording_id: "none" }, "recording.not_found"],
  ...ending(),
];

async function walk(way: Way, steps: readonly Step[]): Promise<void> {
  for (const [name, args = {}, refusal] of steps) {
    const { code, out, err } = await call(way, name, args);
    const expected = refusal === undefined ? 0 : 5;
    // 1: it did not even reach Cairn, whose last words are told then.
    const more = code === 1 ? cairn.output.stderr.slice(-3_000) : "";
    expect([name, code, code === expected ? "" : `${out}${err}${more}`]).toEqual([name, expected, ""]);
    if (refusal !== undefined) expect(out).toContain(refusal);
  }
}

async function listed(way: Way): Promise<readonly string[]> {
  const { code, out, err } = await inspector.run([...way, "--method", "tools/list", "--strict"]);
  expect(code === 0 ? "" : err).toBe("");
  const answer: { readonly tools: readonly { readonly name: string }[] } = JSON.parse(out);
  return answer.tools.map(({ name }) => name);
}

const all = tools.list().map(({ name }) => name);
const shown = toolList(tools, ["core"]).map(({ name }) => name);

test(
  "by its address every tool is listed without an objection to its schemas, and called",
  async () => {
    expect(await listed(byAddress())).toEqual(all);
    const steps = everything();
    // A new tool takes its place in the walk.
    expect(new Set(steps.map(([name]) => name))).toEqual(new Set(all));
    await walk(byAddress(), steps);
  },
  PATIENCE,
);

test(
  "as a command every tool is listed likewise and calls go through, and a model is shown few unless told otherwise",
  async () => {
    // Of a Cairn of its own, since one that runs says itself what it shows.
    const own = await dataFolder();
    expect(await listed(byCommand({ CAIRN_DATA: own.path }))).toEqual(shown);
    expect(await listed(byCommand({ CAIRN_DATA: own.path, CAIRN_TOOLS: "all" }))).toEqual(all);
    await own.remove();
    expect(await listed(byCommand())).toEqual(all);
    await walk(byCommand(), someOfEach());
  },
  PATIENCE,
);

test(
  "every kind of resource has its template and is read by its address",
  async () => {
    const ask = async (...args: readonly string[]) => {
      const { code, out, err } = await inspector.run([...byAddress(), "--method", ...args]);
      expect(code === 0 ? "" : err).toBe("");
      return JSON.parse(out);
    };
    await walk(byAddress(), [
      [
        "start_knowledge_exploration",
        { start_url: site.url("/"), max_pages: 2, job_id: "read", knowledge_id: "read" },
      ],
      ["wait_for_exploration", { job_id: "read" }],
      ["start_browser_session", { room_name: "read", initial_url: site.url("/") }],
    ]);
    const way = { knowledge_id: "read", instruction_type: "find_screen", target: "Orders", context: {} };
    const found = JSON.parse((await call(byAddress(), "query_knowledge_for_agent", way)).out);
    const screen: string = found.structuredContent.expected_result.screen_id;
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
    await walk(byAddress(), [["close_browser_session", { room_name: "read" }]]);
  },
  PATIENCE,
);
