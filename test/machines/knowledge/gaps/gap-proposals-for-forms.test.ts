/** Tests the steps that rules propose for a gap (an unknown action), without a model. */
import { expect, test } from "bun:test";
import type {
  GapContext,
  GapElement,
} from "../../../../machines/knowledge/gaps/known-facts-around-map-gap.ts";
import { propose } from "../../../../machines/knowledge/gaps/propose-steps-for-map-gap.ts";

const survey = { screen_id: "survey", name: "Survey", url: "https://app.example.com/survey" };
const end = { action_id: "a", action_type: "type", name: "form", target: "" };

function field(label: string, required: boolean): GapElement {
  const control = {
    role: "textbox",
    name: label,
    selector: "",
    xpath: "",
    attributes: { tag: "input" },
    constraints: required ? { required } : {},
  };
  return { screen_id: "survey", action_type: "input", label, control, url: "" };
}

function formGap(fields: readonly GapElement[]): GapContext {
  return {
    gap: {
      from_action_id: "a",
      to_action_id: "b",
      from_screen_id: "survey",
      to_screen_id: "survey",
      context: {},
    },
    from: end,
    to: end,
    from_screen: survey,
    to_screen: survey,
    elements: [],
    links_elsewhere: [],
    linking_screens: 0,
    fields,
  };
}

const limits = { include_screens: true, max_intermediate_steps: 3 };
const targets = (fields: readonly GapElement[]) =>
  propose(formGap(fields), limits)?.actions.map(({ target }) => target);

test("the proposed steps for a form with few fields fill in all fields", () => {
  expect(targets([field("Name", true), field("Street", false)])).toEqual(["Name", "Street"]);
});

test("the proposed steps for a form with too many fields fill in only the required fields, or the first fields if none or too many are required", () => {
  const names = ["A", "B", "C", "D", "E"];
  expect(targets(names.map((name) => field(name, name > "C")))).toEqual(["D", "E"]);
  expect(targets(names.map((name) => field(name, true)))).toEqual(["A", "B", "C"]);
  expect(targets(names.map((name) => field(name, false)))).toEqual(["A", "B", "C"]);
});
