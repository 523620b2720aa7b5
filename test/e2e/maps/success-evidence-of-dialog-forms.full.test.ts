/**
 * Tests that `execute_task` reports success for a form without a `<form>` element only if the page shows that the
 * form was accepted. An example is the fields of a dialog. The site's server refuses a member that already exists.
 */
import { beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(60_000);

const MAP = "evidence-of-dialogs";
const written: string[] = [];

/**
 * A script that opens a dialog as Vuetify does: at the end of the page, over everything else, and without a `<form>`
 * element.
 */
const SCRIPT = `<style>.over{position:fixed;inset:0;background:#0008}.box{background:#fff;margin:80px;padding:20px}</style>
<script>
function show(title, field, save, send) {
  const over = document.createElement("div"); over.className = "over";
  over.innerHTML = '<div class="box" role="dialog" aria-modal="true"><h2>' + title + '</h2>' +
    '<p><label for="f">' + field + '</label><input id="f"></p><p class="v-messages" role="alert"></p>' +
    '<button type="button">Cancel</button><button type="button">' + save + '</button></div>';
  document.body.append(over);
  const [cancel, button] = over.querySelectorAll("button");
  cancel.onclick = () => over.remove();
  button.onclick = () => send(over, over.querySelector("input").value);
  addEventListener("keydown", (event) => { if (event.key === "Escape") over.remove(); });
}
async function addMember(over, name) {
  const response = await fetch("/api/members", { method: "POST", body: JSON.stringify({ name }) });
  if (response.ok) over.remove();
  else over.querySelector("[role=alert]").textContent = await response.text();
}
function addTable(over, name) {
  over.remove();
  document.querySelector("ul").insertAdjacentHTML("beforeend", "<li>" + name + "</li>");
}
</script>`;

const MENU = `<p><a href="/members">Members</a> <a href="/guests">Guests</a> <a href="/tables">Tables</a></p>`;

const site = siteOfTests({
  "/": html("Start", `<h1>Start</h1>${MENU}`),
  "/members": html(
    "Members",
    `${SCRIPT}<h1>Members</h1>${MENU}<button type="button" onclick="show('Add member', 'Name', 'Save', addMember)">Add member</button>`,
  ),
  "/guests": html(
    "Guests",
    `${SCRIPT}<h1>Guests</h1>${MENU}<button type="button" onclick="show('Add guest', 'Guest name', 'Save', () => {})">Add guest</button>`,
  ),
  "/tables": html(
    "Tables",
    `${SCRIPT}<h1>Tables</h1>${MENU}<ul></ul><button type="button" onclick="show('Add table', 'Table name', 'Save', addTable)">Add table</button>`,
  ),
  "/api/members": async (request) => {
    const { name } = await request.json();
    if (name === "casimir") return new Response("casimir is a member already", { status: 400 });
    written.push(name);
    return new Response("", { status: 201 });
  },
});

const cairn = await cairnOfTests();

async function task(target: string, parameters: Readonly<Record<string, string>>) {
  const room_name = `${MAP}-${crypto.randomUUID()}`;
  await cairn.call("start_browser_session", { room_name, initial_url: site.url("/") });
  const { body } = await cairn.post(`/api/knowledge/${MAP}/query`, {
    instruction_type: "execute_task",
    target,
    execute: true,
    context: { room_name, parameters },
  });
  return body;
}

beforeAll(() => exploreIntoMap(cairn, MAP, { start_url: site.url("/"), mode: "interactive" }));

beforeEach(() => {
  written.length = 0;
});

test("a task with the form of a dialog succeeds if the server accepts its request, and the result names this evidence", async () => {
  const body = await task("add a member", { Name: "Berta" });
  expect([body.error, body.success]).toEqual([null, true]);
  expect(body.metadata.execution.steps.at(-1)).toMatchObject({ evidence: "request", http_status: 201 });
  expect(written).toEqual(["Berta"]);
});

test("a task with the form of a dialog fails if the server refuses its request, and the error quotes the page", async () => {
  const body = await task("add a member", { Name: "casimir" });
  expect([body.success, body.metadata.execution.status]).toEqual([false, "failed"]);
  expect(body.error).toContain("The server refused the form: it answered with the HTTP status 400.");
  expect(body.error).toContain("The page says: casimir is a member already.");
  expect(written).toEqual([]);
});

test("a task with the form of a dialog fails if the dialog's button does nothing", async () => {
  const body = await task("add a guest", { "Guest name": "Dora" });
  expect([body.success, body.metadata.execution.status]).toEqual([false, "failed"]);
  expect(body.error).toContain("the page sent no request that writes, and still shows the form");
});

test("a task with the form of a dialog succeeds without a request if the dialog closes and the page shows something new", async () => {
  const body = await task("add a table", { "Table name": "Window" });
  expect([body.error, body.success]).toEqual([null, true]);
  expect(body.metadata.execution.steps.at(-1)).toMatchObject({ evidence: "form_closed" });
});
