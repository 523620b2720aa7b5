/**
 * Tests that a new thing is never created in a dialog that "Edit the …" opens. The dialog may be known under the name of
 * another press of the same menu, as on the board of Kanboard.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import { sketchOf } from "../../../machines/knowledge/screens/page-feature-sketch.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";

const ORIGIN = "https://board.test";
const structure = (kind: string) => sketchOf(Array.from({ length: 40 }, (_, at) => `${kind} ${at}`));
const screen = (screen_id: string, name: string, path: string, kind: string) => ({
  ...{ screen_id, name, url: `${ORIGIN}${path}`, url_patterns: [`^https?://board\\.test${path}$`] },
  structure: structure(kind),
});
const control = (role: string, name: string, attributes: Readonly<Record<string, string>>) => ({
  ...{ role, name, selector: "", xpath: "", attributes },
});
const DIALOG = "board~my_tasks_due_tomorrow";

/** Imports a map whose dialog with the field "Title" is opened by the given link. */
async function importMap(town: Town, map: string, opener: string): Promise<void> {
  const part = mapFileSchema.parse({
    ...{ format: "cairn-map", version: 1 },
    screens: [
      screen("start", "Start", "/", "start"),
      screen("board", "Board", "/board", "board"),
      screen(DIALOG, "Board: My tasks due tomorrow", "/board", "dialog"),
    ],
    actions: [
      {
        ...{ screen_id: DIALOG, action_id: `${DIALOG}.input`, action_type: "input", name: "Title" },
        target: control("textbox", "Title", { tag: "input" }),
      },
      {
        ...{ screen_id: DIALOG, action_id: `${DIALOG}.submit`, action_type: "submit_form", name: "Save" },
        target: control("button", "Save", { tag: "button", fields: "Title", submit: "Save" }),
      },
    ],
    transitions: [
      {
        from: "start",
        to: "board",
        action: { name: "Board", target: control("link", "Board", { tag: "a" }) },
      },
      {
        ...{ from: "board", to: DIALOG },
        action: { name: opener, target: control("link", opener, { tag: "a", href: "#" }) },
      },
    ],
  });
  await town.cairn.ask("knowledge", map, { type: "IMPORT", part });
  await until(async () => (await town.mapStatus(map)).state === "idle");
}

let town: Town;
beforeAll(async () => {
  town = await Town.start();
  await importMap(town, "editing", "Edit the task");
  await importMap(town, "creating", "Add a new task");
});
afterAll(() => town.stop());

test("a dialog that a link opens to edit a thing is not used to create another one", async () => {
  const context = { current_url: `${ORIGIN}/`, parameters: { Title: "Sand the mast" } };
  const editing = await town.agent("editing", "execute_task", "create a task", context);
  expect([editing.success, editing.metadata.code]).toEqual([false, "task.not_found"]);
  const creating = await town.agent("creating", "execute_task", "create a task", context);
  expect(creating.success).toBe(true);
});
