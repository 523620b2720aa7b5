import { describe, expect, test } from "bun:test";
import { inBrowserUseDialect } from "../../../../machines/knowledge/formats/browser-use-dialect.ts";
import {
  expectedResult,
  translateAction,
  translateControl,
  translateTransition,
} from "../../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import { browserUseActionSchema } from "../../../../machines/knowledge/knowledge-protocol.ts";
import type { TransitionRecord } from "../../../../machines/records/map-records.ts";
import type { Control } from "../../../../machines/records/page-control-records.ts";
import {
  type ActionName,
  actionNamed,
  actionNames,
} from "../../../../machines/session/actions/browser-action-names-and-risks.ts";

const target: Control = {
  role: "link",
  name: "Invoices",
  selector: "nav a:nth-of-type(2)",
  xpath: "/html/body/nav/a[2]",
  attributes: { tag: "a", href: "/invoices" },
};

function transition(name = "Invoices", to: Control | null = target): TransitionRecord {
  return {
    in: ["map", "home"],
    out: ["map", "invoices"],
    knowledge_id: "map",
    action: JSON.stringify({ action_type: "click", name, target: to, url: "https://a.example/invoices" }),
    successes: 0,
    failures: 0,
    inferred: false,
    confidence: 0.95,
  };
}

describe("the names of actions in a map", () => {
  test("become the tool names of the agent library browser-use", () => {
    const said = {
      type: "input",
      Fill: "input",
      "go to": "navigate",
      tap: "click",
      dblClick: "double_click",
      press: "send_keys",
      reload: "refresh",
      "drag-and-drop": "drag_drop",
      selectOption: "select_dropdown",
      sleep: "wait",
      back: "go_back",
    };
    for (const [name, tool] of Object.entries(said))
      expect([name, actionNamed(name)]).toEqual([name, tool as ActionName]);
  });

  test("have no browser action if sessions cannot perform them", () => {
    for (const name of actionNames) expect(actionNamed(name)).toBe(name);
    for (const unknown of ["levitate", "constructor", "zoom_in", "done"])
      expect(actionNamed(unknown)).toBeUndefined();
  });
});

describe("the browser action for a transition of a map", () => {
  test("is a click on its link by default, with selector, XPath and fingerprint and without an index", () => {
    const action = translateTransition(transition(), { name: "Your invoices" }, "click");
    expect(browserUseActionSchema.parse(action)).toEqual({
      tool_name: "click",
      parameters: {
        selector: "nav a:nth-of-type(2)",
        xpath: "/html/body/nav/a[2]",
        text: "Invoices",
        fingerprint: { role: "link", name: "Invoices", tag: "a", attributes: { href: "/invoices" } },
      },
      description: 'Click "Invoices" to go to Your invoices',
      confidence: 0.95,
      screen_id: "home",
    });
    expect(action?.parameters).not.toHaveProperty("index");
  });

  test("is a navigation if the caller prefers URLs or no link is known", () => {
    for (const action of [
      translateTransition(transition(), { name: "Invoices" }, "url"),
      translateTransition(transition("", null), { name: "Invoices" }, "click"),
    ]) {
      expect(action).toMatchObject({
        tool_name: "navigate",
        parameters: { url: "https://a.example/invoices" },
        screen_id: "home",
      });
    }
  });

  test("describes a link without a text by its target, and a target outside the map by its address", () => {
    const wordless = { ...target, name: "" };
    expect(translateTransition(transition("", wordless), { name: "Cart" }, "click")?.description).toBe(
      "Click the link to Cart",
    );
    expect(translateTransition(transition(), undefined, "click")?.description).toBe(
      'Click "Invoices" to go to https://a.example/invoices',
    );
  });

  test("describes a press without an address by its button alone if its target is not known", () => {
    const press = { action_type: "click", name: "Cancel", target, url: "" };
    const record = { ...transition(), action: JSON.stringify(press) };
    expect(translateTransition(record, undefined, "click")?.description).toBe('Click "Cancel"');
    expect(translateTransition(record, { name: "Orders" }, "click")?.description).toBe(
      'Click "Cancel" to go to Orders',
    );
  });
});

describe("the browser action for a stored action of a map", () => {
  test("has separate fields for the text to type and the text of the element", () => {
    const action = translateAction({
      action_type: "type",
      name: "Search",
      target: { ...target, name: "Search" },
      parameters: { text: "boots" },
    });
    expect(action?.tool_name).toBe("input");
    expect(action?.parameters).toMatchObject({
      text: "boots",
      selector: target.selector,
      fingerprint: { name: "Search" },
    });
    expect(translateAction({ action_type: "type", name: "Search", target })?.parameters).not.toHaveProperty(
      "text",
    );
  });

  test("accepts alternative parameter names, and adds parameters that the name of the action implies", () => {
    const parametersOf = (action_type: string, parameters: Record<string, unknown>) =>
      translateAction({ action_type, name: "", parameters })?.parameters;
    expect(parametersOf("goto", { href: "https://a.example/" })).toEqual({ url: "https://a.example/" });
    expect(parametersOf("press", { key: "Enter" })).toEqual({ keys: "Enter" });
    expect(parametersOf("sleep", { duration: 3 })).toEqual({ seconds: 3 });
    expect(parametersOf("scroll_up", { amount: 200 })).toEqual({ direction: "up", amount: 200 });
    expect(parametersOf("click", { index: 5 })).toEqual({ index: 5 });
  });

  test("has a description with the kind of action and the name of the element", () => {
    const stored = {
      id: ["map", "x"] as const,
      knowledge_id: "map",
      action_id: "x",
      target: JSON.stringify(target),
    };
    expect(translateControl({ ...stored, action_type: "click", name: "Refund" }, "orders")).toMatchObject({
      tool_name: "click",
      description: 'Click "Refund"',
      screen_id: "orders",
    });
    expect(translateControl({ ...stored, action_type: "input", name: "Number" }, "orders")?.description).toBe(
      'Type into "Number"',
    );
  });
});

test("a form without a form element is sent by its button, which browser-use clicks", () => {
  const attributes = { tag: "button", fields: "Name", submit: "Save" };
  const button = { role: "button", name: "Save", selector: "#save", xpath: "/html/body/button", attributes };
  const action = translateControl(
    {
      id: ["map", "x"],
      knowledge_id: "map",
      action_id: "x",
      action_type: "submit_form",
      name: "Save",
      target: JSON.stringify(button),
    },
    "members",
  );
  expect(action).toMatchObject({
    tool_name: "submit_form",
    parameters: { selector: "#save", text: "Save", fingerprint: { role: "button", name: "Save" } },
  });
  expect(action && inBrowserUseDialect(action)).toMatchObject({
    tool_name: "click",
    parameters: { selector: "#save", fingerprint: { name: "Save" } },
  });
});

test("the expected result of an action has URL patterns and texts by which an agent can verify it", () => {
  const signature = {
    required_indicators: [
      { type: "dom_contains", value: "Invoices", reason: "" },
      { type: "url_matches", pattern: "^https?://a\\.example/invoices$", reason: "" },
    ],
    optional_indicators: [],
  };
  const screen = {
    screen_id: "invoices",
    url_patterns: ["^https?://a\\.example/invoices$"],
    state_signature: JSON.stringify(signature),
  };
  expect(expectedResult(screen)).toEqual({
    screen_id: "invoices",
    url_patterns: ["^https?://a\\.example/invoices$"],
    verification: { dom_contains: ["Invoices"], url_matches: "^https?://a\\.example/invoices$" },
  });
});
