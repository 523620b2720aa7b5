/** Tests tasks whose form is in a dialog that the pages of several objects have. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import { sketchOf } from "../../../machines/knowledge/screens/page-feature-sketch.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";

const ORIGIN = "https://app.test";
const structure = (kind: string) => sketchOf(Array.from({ length: 40 }, (_, at) => `${kind} ${at}`));
const screen = (screen_id: string, name: string, path: string, kind: string) => ({
  screen_id,
  name,
  url: `${ORIGIN}${path}`,
  url_patterns: [`^https?://app\\.test${path}$`],
  structure: structure(kind),
  state_signature: {
    required_indicators: [
      { type: "dom_contains", value: name },
      { type: "url_matches", pattern: `^https?://app\\.test${path}$` },
    ],
  },
});
const control = (role: string, name: string, attributes: Readonly<Record<string, string>>) => ({
  role,
  name,
  selector: "",
  xpath: "",
  attributes,
});
const DIALOG = "projects_1~new_token";

let town: Town;
beforeAll(async () => {
  town = await Town.start();
  const fields = { fields: "Label", submit: "Create token" };
  const part = mapFileSchema.parse({
    format: "cairn-map",
    version: 1,
    screens: [
      screen("start", "Start", "/", "start"),
      screen("projects_1", "Ada", "/projects/1", "project"),
      screen("projects_2", "Bert", "/projects/2", "project"),
      screen("projects_3", "Cora", "/projects/3", "project"),
      screen(DIALOG, "Ada: New token", "/projects/1", "dialog"),
    ],
    actions: [
      {
        screen_id: DIALOG,
        action_id: `${DIALOG}.input`,
        action_type: "input",
        name: "Label",
        target: control("textbox", "Label", { tag: "input" }),
      },
      {
        screen_id: DIALOG,
        action_id: `${DIALOG}.submit`,
        action_type: "submit_form",
        name: "Create token",
        target: control("button", "Create token", { tag: "button", ...fields }),
      },
    ],
    transitions: [
      {
        from: "projects_1",
        to: DIALOG,
        action: { name: "New token", target: control("button", "New token", { tag: "button" }) },
      },
    ],
  });
  await town.cairn.ask("knowledge", "app", { type: "IMPORT", part });
  await until(async () => (await town.mapStatus("app")).state === "idle");
});
afterAll(() => town.stop());

const createToken = async (path: string) => {
  const context = { current_url: ORIGIN + path, parameters: { Label: "ci" } };
  const { actions, metadata } = await town.agent("app", "execute_task", "create a token", context);
  return {
    actions: actions.map(({ tool_name, description }) => `${tool_name}: ${description}`),
    pages: metadata.pages,
  };
};

test("the answer to a task whose form is in a dialog of several pages lists these pages if the agent is on none of them", async () => {
  const { pages } = await createToken("/");
  expect(pages).toMatchObject([
    { url: `${ORIGIN}/projects/1` },
    { url: `${ORIGIN}/projects/2` },
    { url: `${ORIGIN}/projects/3` },
  ]);
});

test.each(["/projects/1", "/projects/2", "/projects/9"])(
  "the dialog with the form is opened on the page %s where the agent is, although the exploration opened it on one page only",
  async (path) => {
    expect(await createToken(path)).toEqual({
      actions: [
        expect.stringContaining('click: Click "New token"'),
        "input: Type into Label",
        expect.stringContaining("Submit the form"),
      ],
      pages: undefined,
    });
  },
);
