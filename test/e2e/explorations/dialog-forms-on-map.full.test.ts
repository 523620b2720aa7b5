/**
 * Tests that forms which a single-page application shows in a dialog come onto the map, and that tasks are
 * carried out with them. The site's server records what is written.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(60_000);

const written: string[] = [];

/** A script that opens a dialog as Material UI and Vuetify do: at the end of the page, over everything else. */
const SCRIPT = `<style>.over{position:fixed;inset:0;background:#0008}.box{background:#fff;margin:80px;padding:20px}</style>
<script>
let made = 0;
function show(title, fields, save) {
  const over = document.createElement("div"); over.className = "over";
  over.innerHTML = '<div class="box" role="dialog" aria-modal="true"><h2>' + title + '</h2>' + fields.map((label, at) =>
    '<p><label for="f' + made + at + '">' + label + '</label><input id="f' + made + at + '"></p>').join("") +
    '<button type="button">Cancel</button><button type="button">' + save + '</button></div>';
  made += 1;
  document.body.append(over);
  const [cancel, send] = over.querySelectorAll("button");
  cancel.onclick = () => over.remove();
  send.onclick = async () => {
    const values = [...over.querySelectorAll("input")].map((field) => field.value);
    await fetch("/api/" + title.replaceAll(" ", "-"), { method: "POST", body: JSON.stringify(values) });
    over.remove();
  };
  addEventListener("keydown", (event) => { if (event.key === "Escape") over.remove(); });
}
</script>`;

const MENU = `<p><a href="/flags">Flags</a> <a href="/boards">Boards</a> <a href="/people">People</a> <a href="/about">About</a></p>`;
const buttons = (names: readonly string[]) =>
  names
    .map((name) => `<p><button type="button" onclick="show('${name}', [], 'Good')">${name}</button></p>`)
    .join("");

const write = async (request: Request) => {
  written.push(`${new URL(request.url).pathname} ${await request.text()}`);
  return Response.json({});
};

/** Labels of the fields in the dialog "Create person". */
let fieldsOfPerson = ["Full name"];

const site = siteOfTests({
  "/": html(
    "Start",
    `${SCRIPT}<h1>Start</h1>${MENU}${buttons(["Hints", "News", "Terms", "Contacts", "Licence"])}`,
  ),
  "/about": html("About", `${SCRIPT}<h1>About</h1>${MENU}${buttons(["Team", "History", "Places"])}`),
  "/flags": html(
    "Flags",
    `${SCRIPT}<h1>Flags</h1>${MENU}${buttons(["Columns", "Colours"])}
    <button type="button" onclick="show('Create flag', ['Flag name', 'Description'], 'Create flag')">New flag</button>`,
  ),
  "/boards": html(
    "Boards",
    `${SCRIPT}<h1>Boards</h1>${MENU}
    <button type="button" onclick="fetch('/api/drafts', { method: 'POST', body: '{}' }).catch(() => 0); show('Create board', ['Board name'], 'Save')">Create</button>`,
  ),
  "/people": () =>
    html(
      "People",
      `${SCRIPT}<h1>People</h1>${MENU}
    <button type="button" onclick="history.replaceState(null, '', '?create=true'); show('Create person', ${JSON.stringify(fieldsOfPerson).replaceAll('"', "'")}, 'Save')">Add person</button>`,
    ),
  "/teams": html(
    "Teams",
    `<h1>Teams</h1><button type="button" onclick="location.href = '/teams/create'">New team</button>`,
  ),
  "/teams/create": html(
    "Create team",
    '<h1>Create team</h1><form method="post"><label>Team name <input name="team" required></label><button>Save</button></form>',
  ),
  "/api/Create-person": write,
  "/api/Create-flag": write,
  "/api/Create-board": write,
  "/api/drafts": write,
});

const cairn = await cairnOfTests();

const explore = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
  exploreIntoMap(cairn, id, { start_url: site.url("/"), mode: "interactive", ...more });

async function task(target: string, parameters: Readonly<Record<string, string>>, url: string) {
  const room_name = target.replaceAll(" ", "-");
  await cairn.call("start_browser_session", { room_name, initial_url: site.url(url) });
  const { body } = await cairn.post("/api/knowledge/dialog-forms/query", {
    instruction_type: "execute_task",
    target,
    execute: true,
    context: { room_name, parameters },
  });
  return body;
}

beforeAll(() => explore("dialog-forms"));

test("an exploration that opens dialogs writes nothing to the server", () => {
  expect(written).toEqual([]);
});

test("the map has the form of a dialog without a form element, with its fields and its button", async () => {
  const { body } = await cairn.post("/api/knowledge/dialog-forms/query", {
    instruction_type: "execute_task",
    target: "create a flag",
  });
  expect(body.metadata).toMatchObject({
    fields: [
      { name: "Flag name", label: "Flag name", type: "text" },
      { name: "Description", label: "Description", type: "text" },
    ],
  });
  const names = body.actions.map(
    ({ tool_name, description }: { tool_name: string; description: string }) =>
      `${tool_name}: ${description}`,
  );
  expect(names).toEqual([
    `navigate: Open Flags at ${site.url("/flags")}`,
    'click: Click "New flag" to go to Flags: New flag',
    "input: Type into Flag name",
    "input: Type into Description",
    "submit_form: Submit the form",
  ]);
});

test("a task is carried out with the form of a dialog", async () => {
  const body = await task("create a flag", { "Flag name": "dark", Description: "Night colours" }, "/about");
  expect([body.error, body.success]).toEqual([null, true]);
  expect(written).toEqual(['/api/Create-flag ["dark","Night colours"]']);
});

test("the map has the form of a dialog that stores a draft when it opens, although the exploration blocks this request", async () => {
  written.length = 0;
  const body = await task("create a board", { "Board name": "Boats" }, "/");
  expect([body.error, body.success]).toEqual([null, true]);
  expect(written).toEqual(["/api/drafts {}", '/api/Create-board ["Boats"]']);
});

test("the map has a form that adds a query to the address when it opens, even if that address by itself does not open the form", async () => {
  written.length = 0;
  const body = await task("add a person", { "Full name": "Ada" }, "/about");
  expect([body.error, body.success]).toEqual([null, true]);
  expect(written).toEqual(['/api/Create-person ["Ada"]']);
});

test("a page to which only a press leads has its form on the map, although the limit of pages is reached", async () => {
  const { progress } = await explore("dialog-forms-limit", { start_url: site.url("/teams"), max_pages: 1 });
  expect(progress.completed).toBe(1);
  const { body } = await cairn.post("/api/knowledge/dialog-forms-limit/query", {
    instruction_type: "execute_task",
    target: "create a team",
  });
  expect(body.metadata).toMatchObject({
    fields: [{ name: "team", label: "Team name", required: true }],
  });
});

test("an exploration that may press only a few controls first opens the forms for new things", async () => {
  const { interactive } = await explore("dialog-forms-first", { max_actions: 3 });
  expect(interactive?.stopped_by).toBe("max_actions");
  const { body } = await cairn.get("/api/knowledge/dialog-forms-first/export");
  const forms = body.screens.map(({ name }: { name: string }) => name);
  expect(forms).toContain("Flags: New flag");
  expect(forms).toContain("Boards: Create");
});

test("a later exploration adds a new field of a dialog to the map", async () => {
  const start_url = site.url("/people");
  await explore("dialog-forms-again", { start_url, max_pages: 1 });
  fieldsOfPerson = ["Full name", "Room"];
  await explore("dialog-forms-again", { start_url, max_pages: 1, job_id: "dialog-forms-later" });
  const { body } = await cairn.post("/api/knowledge/dialog-forms-again/query", {
    instruction_type: "execute_task",
    target: "add a person",
  });
  expect(body.metadata.fields).toMatchObject([{ name: "Full name" }, { name: "Room" }]);
});

test("a dialog is found by the label of a field, and a route leads to it", async () => {
  const { body } = await cairn.post("/api/knowledge/dialog-forms/query", {
    instruction_type: "navigate_to_screen",
    target: "Where do I enter the board name?",
    context: { current_url: site.url("/") },
  });
  expect(body).toMatchObject({ success: true, metadata: { found_by: "content" } });
  expect(body.expected_result.screen_id).toContain("~create");
  expect(body.actions.map(({ tool_name }: { tool_name: string }) => tool_name)).toEqual(["click", "click"]);
});
