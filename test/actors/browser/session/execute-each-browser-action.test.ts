/**
 * Tests that sessions and the table of actions agree: a session executes every action of the table, with
 * every way to name an element.
 */
import { describe, expect, test } from "bun:test";
import { inBrowserUseDialect } from "../../../../machines/knowledge/formats/browser-use-dialect.ts";
import {
  type ActionName,
  actionNamed,
  actionNames,
  actionTable,
} from "../../../../machines/session/actions/browser-action-names-and-risks.ts";
import { actionSchemas } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { exampleParams, parseAction } from "../../../../machines/session/actions/parse-action.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

const PAGE = `
  <button id="press" onclick="this.dataset.pressed = ''">Press</button>
  <label>City <input id="city" value="Graz"></label>
  <label>Country <select id="country"><option>Austria</option><option>Chile</option></select></label>
  <label>Day <input id="day" type="date"></label>
  <form id="form" onsubmit="this.append('Sent'); return false"><label>Mail <input id="mail"></label></form>
  <label>Paper <input id="paper" type="file"></label>
  <div id="drag" role="button" tabindex="0" onpointerup="this.style.marginLeft = '40px'">Card</div>
  <div style="height: 3000px"></div>`;

/**
 * For each action: the name of the element on the test page that the action uses, and the other parameters.
 */
const ON_ELEMENT: Partial<Record<ActionName, readonly [name: string, params?: Record<string, unknown>]>> = {
  click: ["Press"],
  double_click: ["Press"],
  right_click: ["Press"],
  hover: ["Press"],
  input: ["City", { text: "Linz" }],
  type_slowly: ["City", { text: "Wels", delay_ms: 1 }],
  clear: ["City"],
  select_all: ["City"],
  copy: ["City"],
  cut: ["City"],
  paste: ["City", { text: "Enns" }],
  select_dropdown: ["Country", { text: "Chile" }],
  dropdown_options: ["Country"],
  pick_date: ["Day", { date: "2026-11-24" }],
  submit_form: ["Mail"],
  reset_form: ["Mail"],
  upload_file: ["Paper", { files: [{ name: "a.txt", content: "a" }] }],
  drag_drop: ["Card", { by: { x: 30, y: 0 } }],
  scroll: ["Press", { direction: "down" }],
  screenshot: ["Press"],
};

const ROLES: Readonly<Record<string, string>> = {
  Press: "button",
  Card: "button",
  City: "textbox",
  Mail: "textbox",
  Country: "combobox",
  Day: "textbox",
  Paper: "file",
};

const stage = await stageOfTests({ uploads: "/nonexistent" });

const WAYS = ["index", "selector", "role and name", "fingerprint"] as const;
// The cast is safe: `Object.keys` returns the keys of `ON_ELEMENT`, which are names of actions.
const tried = Object.keys(ON_ELEMENT) as ActionName[];

describe.each([...WAYS])("an element that an action names by its %s", (way) => {
  // The fast test run tries each action with only one way of naming an element. The full test run tries each
  // action with all ways.
  const chosen = tried.filter((_, at) => isFull || WAYS[at % WAYS.length] === way);
  test.each(chosen)("receives the action %s", async (action) => {
    const [name, params = {}] = ON_ELEMENT[action] ?? [""];
    const element = called(await stage.show(PAGE), name);
    const role = ROLES[name] ?? "";
    const locator = {
      index: { index: element.highlight_index },
      selector: { selector: element.selector },
      "role and name": { role, name },
      fingerprint: {
        fingerprint: { role, name, tag: element.tagName, attributes: { id: element.attributes.id ?? "" } },
      },
    }[way];
    const outcome = await stage.act(action, { ...locator, ...params });
    expect(outcome).toMatchObject({ success: true });
  });
});

test("every action that takes an element index is tested on an element, except for media actions", () => {
  const players = ["play_video", "pause_video", "seek_video", "adjust_volume", "toggle_mute", "extract"];
  const indexed = actionNames.filter((name) => "index" in actionSchemas[name].shape);
  expect(indexed.filter((name) => !players.includes(name)).toSorted()).toEqual(
    Object.keys(ON_ELEMENT).toSorted() as ActionName[],
  );
});

test("every action name and alias is a session action, and each alias belongs to one action only", () => {
  const all = actionNames.flatMap((name) => [name, ...actionTable[name].aliases]);
  expect(new Set(all).size).toBe(all.length);
  for (const name of actionNames)
    for (const written of [name, ...actionTable[name].aliases]) expect(actionNamed(written)).toBe(name);
});

test("sessions accept every action that a map returns in the format of the agent library browser-use", () => {
  const examples = actionNames.flatMap((name) =>
    exampleParams(name).map((parameters) => ({
      tool_name: name,
      parameters: { ...parameters },
      description: "",
      confidence: 1,
      screen_id: null,
    })),
  );
  const translated = examples.flatMap((action) => inBrowserUseDialect(action) ?? []);
  expect(new Set(translated.map(({ tool_name }) => tool_name)).size).toBe(15);
  const complete = translated.filter(({ parameters }) => !("role" in parameters));
  for (const { tool_name, parameters } of complete)
    if (Object.keys(parameters).length > 0) expect(() => tryParse(tool_name, parameters)).not.toThrow();
});

/**
 * Parses an example of an action. An example that names its element by a label has no index, so an index is
 * added, which the action requires.
 */
function tryParse(name: string, parameters: Record<string, unknown>): void {
  const needsIndex = "index" in actionSchemas[name as ActionName].shape && !("index" in parameters);
  parseAction(name, needsIndex ? { index: 1, ...parameters } : parameters);
}
