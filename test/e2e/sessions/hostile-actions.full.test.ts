/**
 * Tests random actions and analyses with arbitrary parameters in a live browser. None may cause an internal
 * error, each must be answered, and the session must still work afterwards.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { actionSchemas } from "../../../machines/session/actions/browser-action-parameters.ts";
import { bodyOf, type FuzzedTool } from "../../gateway/random-openapi-requests.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { ownCairnOfTests } from "../support/own-test-cairn.ts";

const TIMEOUT = 240_000;
setDefaultTimeout(TIMEOUT);
const RUNS = 60;
const AT_ONCE = 4;

let analyses: readonly FuzzedTool[];

const room_name = "fuzzed";
const PAGE = `<h1>Desk</h1><a href="/other">Other</a><a href="#here">Here</a><button onclick="alert('yes?')">Ask</button>
<form action="/sent"><label>Name <input name=n required></label><label>When <input type=date name=d></label>
<label>What <select name=s><option>one<option>two</select></label><label>Much <input type=range name=r></label>
<label>File <input type=file name=f></label><label>All <input type=checkbox name=c></label><textarea name=t></textarea>
<button>Send</button></form><div draggable=true id=a>A</div><div contenteditable>Text</div><video></video>
<iframe srcdoc="<button>Within</button>"></iframe><table><tr><td>1</td></tr></table>`;

const site = siteOfTests({
  "/": html("Desk", PAGE),
  "/other": html("Other", `<a href="/">Back</a>`),
  "/sent": html("Sent", `<a href="/">Back</a>`),
});

const { cairn } = await ownCairnOfTests({ env: { CAIRN_EVALUATE: "yes" } });

beforeAll(async () => {
  const { body } = await cairn.get("/mcp/tools");
  const names = [
    "analyze_page",
    "click_element_by_index",
    "extract",
    "screenshot",
    "get_browser_context",
    "get_screen_content",
    "get_console_messages",
    "get_network_log",
    "get_storage_state",
    "list_downloads",
    "remove_download",
    "replay_recording",
    "save_as_pdf",
    "start_recording",
    "stop_recording",
  ];
  analyses = body.tools.filter(({ name }: FuzzedTool) => names.includes(name));
  expect(analyses.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  await start();
});

async function start(): Promise<void> {
  const { body } = await cairn.call("start_browser_session", { room_name, initial_url: site.url("/") });
  expect(body).toEqual({ status: "started", room_name });
}

/**
 * Generates browser actions with valid and nearly valid parameters. `wait` and `login` are left out, because
 * they take long.
 */
const actions = fc
  .constantFrom(...Object.entries(actionSchemas).filter(([name]) => !["wait", "login"].includes(name)))
  .chain(([action_type, schema]) =>
    bodyOf(z.toJSONSchema(schema, { unrepresentable: "any" }) as FuzzedTool["inputSchema"]).map((params) => ({
      tool: "execute_action",
      args: `{"room_name":"${room_name}","action_type":"${action_type}","params":${params}}`,
    })),
  );

const calls = fc.oneof(
  { weight: 4, arbitrary: actions },
  {
    weight: 1,
    arbitrary: fc
      .nat()
      .chain((at) => {
        const { name, inputSchema } = analyses[at % analyses.length] ?? { name: "", inputSchema: {} };
        return bodyOf(inputSchema).map((args) => ({ tool: name, args }));
      })
      // The session's name is inserted into the arguments, so that every call uses the same session.
      .map(({ tool, args }) => ({ tool, args: args.replace(/^\{(?="|\})/, `{"room_name":"${room_name}",`) }))
      .map(({ tool, args }) => ({ tool, args: args.replace(/,\}$/, "}") })),
  },
);

/** Sends a call and returns the text of its answer. */
async function send(tool: string, args: string): Promise<string> {
  const response = await fetch(`${cairn.url}/mcp/tools/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{"tool":"${tool}","arguments":${args}}`,
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  expect([tool, args.slice(0, 300), response.status < 500 || response.status === 503]).toEqual([
    tool,
    args.slice(0, 300),
    true,
  ]);
  // `evaluate` runs generated text as a script, which may fail with any error. So the error code is not checked for
  // this action.
  if (args.includes('"evaluate"')) return text;
  expect([tool, args.slice(0, 300), /"code":"(failed|internal\.\w+)"/.exec(text)?.[0]]).toEqual([
    tool,
    args.slice(0, 300),
    undefined,
  ]);
  return text;
}

test("240 random actions and analyses break neither the session nor Cairn", async () => {
  let understood = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (batch) => {
      const answers = await Promise.all(batch.map(({ tool, args }) => send(tool, args)));
      understood += answers.filter((text) => !text.includes('"error":{"code":"request.')).length;
      // If the session has ended, for example because its last tab was closed, it is started again. If it
      // has left the site, it is sent back to the first page.
      const { body } = await cairn.call("get_browser_context", { room_name });
      if (body.error) {
        await cairn.call("close_browser_session", { room_name });
        await start();
      } else if (!String(body.url).startsWith(site.url(""))) {
        await send(
          "execute_action",
          JSON.stringify({ room_name, action_type: "handle_dialog", params: { accept: false } }),
        );
        await send(
          "execute_action",
          JSON.stringify({ room_name, action_type: "navigate", params: { url: site.url("/") } }),
        );
      }
      await cairn.call("analyze_page", { room_name });
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: TIMEOUT - 60_000, markInterruptAsFailure: false },
  );
  // Most calls must have valid arguments. Otherwise the test would only test how arguments are validated.
  expect(understood).toBeGreaterThan(RUNS);
  await cairn.call("close_browser_session", { room_name });
  await start();
  const { body } = await cairn.call("analyze_page", { room_name });
  expect(body.data.clickableElementsString).toContain("Ask");
  const { stderr } = cairn.output;
  expect(
    stderr.split("\n").filter((line) => /a request failed|a tool failed|crash|"level":"error"/.test(line)),
  ).toEqual([]);
});
