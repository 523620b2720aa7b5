/** Tests that the published parameters of each action are the same as the validated parameters. */
import { expect, test } from "bun:test";
import { actionCatalogue, actionSchema } from "../../../../machines/session/actions/action-catalogue.ts";
import { actionNames } from "../../../../machines/session/actions/browser-action-names-and-risks.ts";
import { parseAction } from "../../../../machines/session/actions/parse-action.ts";

test("the action catalogue contains every action with a schema of its parameters", () => {
  const catalogue = actionCatalogue();
  expect(catalogue.map(({ action_type }) => action_type)).toEqual([...actionNames]);
  for (const { params } of catalogue) expect(params).toMatchObject({ type: "object" });
  expect(catalogue.find(({ action_type }) => action_type === "drag_drop")?.params.properties).toHaveProperty(
    "to_selector",
  );
});

test("the action catalogue names only aliases and examples that are accepted", () => {
  let examples = 0;
  for (const { action_type, aliases, params } of actionCatalogue()) {
    for (const example of (params.examples ?? []) as Record<string, unknown>[]) {
      for (const name of [action_type, ...aliases]) expect(parseAction(name, example).name).toBe(action_type);
      examples++;
    }
  }
  expect(examples).toBeGreaterThan(20);
});

test("the action catalogue is one schema with a branch for each action", () => {
  expect(actionSchema().oneOf).toHaveLength(actionNames.length);
});
