/**
 * Tests tasks for things whose lists and forms are in drawers without an address of their own. The site's server keeps
 * the things and records each change, so a wrong change is seen.
 */
import { beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);

const INITIAL: Readonly<Record<string, readonly string[]>> = {
  connections: ["Alpha", "Beta", "Beta EU"],
  users: ["bert", "carl", "dora"],
  queries: ["Beta", "Sales", "Stock"],
};
let things: Record<string, string[]> = {};
const changes: string[] = [];

/** Time in milliseconds that the server takes for a list, so a drawer is empty at first. */
const LIST_TAKES = 300;
const LIST = /^\/api\/(\w+)$/;
const api = async (request: Request): Promise<Response> => {
  const url = new URL(request.url);
  const [, list = ""] = LIST.exec(url.pathname) ?? [];
  const own = things[list] ?? [];
  const name = url.searchParams.get("name") ?? "";
  if (request.method === "DELETE") {
    changes.push(`${list}: -${name}`);
    things[list] = own.filter((one) => one !== name);
  } else if (request.method === "POST") {
    const [written = ""] = (await request.json()) as string[];
    changes.push(`${list}: ${name === "" ? "+" : `${name} to `}${written}`);
    things[list] = name === "" ? [...own, written] : own.map((one) => (one === name ? written : one));
  }
  await Bun.sleep(LIST_TAKES);
  return Response.json(things[list]);
};

/**
 * A script that draws two drawers: one at the end of the page, as Reach UI does, and one with CoreUI. Their titles
 * are no headings. A drawer changes the title of the page, and does not restore it.
 */
const SCRIPT = `<style>.over{position:fixed;inset:0;background:#0008}.side{position:absolute;right:0;top:0;bottom:0;width:60%;background:#fff}.entry{display:flex}.offcanvas,.offcanvas-backdrop{transition:none!important}</style>
<script>
const layer = (title, place) => {
  const over = document.createElement("div"); over.className = "over";
  over.innerHTML = '<div class="side"><div><span>' + title + '</span> <button class="close" aria-label="Close">x</button></div><div class="body"></div></div>';
  place.append(over);
  over.querySelector(".close").onclick = () => over.remove();
  return over;
};
const button = (name, press) => { const one = document.createElement("button"); one.type = "button"; one.textContent = name; one.onclick = press; return one; };
const form = (title, caption, save, place) => {
  const over = layer(title, place); const body = over.querySelector(".body");
  body.innerHTML = '<p><label for="name">Name</label><input id="name"><label for="note">Note</label><input id="note"></p>';
  body.append(button(caption, async () => { await save([...body.querySelectorAll("input")].map((one) => one.value)); over.remove(); }));
};
const offcanvas = (title) => {
  const panel = document.createElement("div"); panel.className = "offcanvas offcanvas-end"; panel.tabIndex = -1;
  panel.innerHTML = '<div class="offcanvas-header"><span>' + title + '</span><button type="button" class="btn-close" data-coreui-dismiss="offcanvas" aria-label="Close"></button></div><div class="offcanvas-body body"></div>';
  document.body.append(panel);
  panel.addEventListener("hidden.coreui.offcanvas", () => panel.remove());
  new coreui.OffCanvas(panel).show();
  return panel;
};
const drawer = (title, list, label) => {
  document.title = "Desk - " + title;
  const over = list === "users" ? offcanvas(title) : layer(title, document.body);
  const place = list === "users" ? over : document.body;
  const body = over.querySelector(".body");
  const call = async (method, name, values) => {
    const query = name === undefined ? "" : "?name=" + encodeURIComponent(name);
    const rows = await (await fetch("/api/" + list + query, { method, body: values && JSON.stringify(values) })).json();
    entries.replaceChildren(...rows.map((name) => {
      const row = document.createElement("div"); row.className = "entry";
      row.innerHTML = '<div>' + name + '<br><span>a ' + label + '</span></div>';
      const ask = () => {
        const question = layer("", place);
        question.querySelector(".close").remove();
        question.querySelector(".body").append("Delete " + label + "?", button("Delete", () => { question.remove(); call("DELETE", name); }), button("Cancel", () => question.remove()));
      };
      row.append(button("edit", () => form(name, "Save", (given) => call("POST", name, given), place)), button("Delete", ask));
      return row;
    }));
  };
  const entries = document.createElement("div");
  body.append(button("Add " + label, () => form("Add " + label, "Create", (given) => call("POST", undefined, given), place)), entries);
  call("GET");
};
const removeQuery = (name) => fetch("/api/queries?name=" + name, { method: "DELETE" }).then(() => location.reload());
addEventListener("keydown", (event) => { if (event.key === "Escape") [...document.querySelectorAll(".over")].at(-1)?.remove(); });
</script>`;

const page = () => {
  const tools = Array.from(
    "ABCDEFGHIJKL",
    (letter) => `<button type="button" disabled>Tool ${letter}</button>`,
  );
  const queries = (things.queries ?? []).map(
    (name) => `<li>${name} <button type="button" onclick="removeQuery('${name}')">Delete</button></li>`,
  );
  return html(
    "Desk",
    `<link rel="stylesheet" href="/coreui.css"><script src="/coreui.js"></script>${SCRIPT}<div id="app"><p>${tools.join(" ")}</p>
     <p><button type="button" onclick="drawer('Connections', 'connections', 'connection')">Connections</button>
     <button type="button" onclick="drawer('Users', 'users', 'user')">Users</button></p>
     <p>Queries</p><ul>${queries.join("")}</ul></div>`,
  );
};

const coreui = (path: string, type: string) => () =>
  new Response(Bun.file(new URL(`../../../node_modules/@coreui/coreui/dist/${path}`, import.meta.url)), {
    headers: { "content-type": type },
  });

const site = siteOfTests({
  "/coreui.js": coreui("js/coreui.bundle.min.js", "text/javascript"),
  "/coreui.css": coreui("css/coreui.min.css", "text/css"),
  "/": page,
  "/api/connections": api,
  "/api/users": api,
  "/api/queries": api,
});
const cairn = await cairnOfTests();

beforeAll(async () => {
  things = structuredClone(INITIAL) as Record<string, string[]>;
  await exploreIntoMap(cairn, "drawers", {
    start_url: site.url("/"),
    mode: "interactive",
    max_pages: 2,
    max_actions: 16,
    respect_robots: false,
  });
  expect(changes).toEqual([]);
}, 120_000);

beforeEach(() => {
  things = structuredClone(INITIAL) as Record<string, string[]>;
  changes.length = 0;
});

let rooms = 0;
const ask = async (target: string, parameters: Readonly<Record<string, string>> = {}) => {
  rooms += 1;
  const room_name = `drawers-${rooms}`;
  await cairn.call("start_browser_session", { room_name, initial_url: site.url("/") });
  const query = async (more: object) => {
    const question = { instruction_type: "execute_task", target, execute: true, ...more };
    const context = { room_name, parameters };
    return (await cairn.post("/api/knowledge/drawers/query", { ...question, context })).body;
  };
  const asked = await query({});
  const { approve_risk } = asked.metadata;
  if (approve_risk === undefined) return { asked, done: asked };
  expect(changes).toEqual([]);
  return { asked, done: await query({ approve_risk }) };
};

test("the map has two drawers of one page as two states, although they differ only in the name of a button", async () => {
  const { body } = await cairn.get("/api/knowledge/drawers/screens");
  const names = JSON.stringify(body);
  for (const name of ["Desk: Connections", "Desk: Users", "Desk: Connections, Add connection"])
    expect(names).toContain(`"${name}"`);
});

test("a task creates a thing with the form of its own drawer", async () => {
  const user = await ask("add a user", { Name: "ida" });
  expect([user.done.error, changes]).toEqual([null, ["users: +ida"]]);
  changes.length = 0;
  const connection = await ask("create a connection", { Name: "Mirror" });
  expect([connection.done.error, changes]).toEqual([null, ["connections: +Mirror"]]);
});

test("a task edits the row that it names, if this row is in a drawer", async () => {
  const { done } = await ask('edit the connection "Beta"', { Name: "Gamma" });
  expect([done.error, changes]).toEqual([null, ["connections: Beta to Gamma"]]);
});

test("a task removes the row of a drawer, and not the row with the same name behind it", async () => {
  const { asked, done } = await ask('delete the connection "Beta"');
  expect(asked.metadata).toMatchObject({
    code: "task.approval_needed",
    object: { text: "Beta · a connection" },
  });
  expect([done.error, changes]).toEqual([null, ["connections: -Beta"]]);
  expect(done.metadata.execution.steps.at(-1)).toMatchObject({
    evidence: "gone_from_list",
    confirmed: [expect.stringContaining("Delete connection?")],
  });
});

test("a task removes and edits rows of a drawer of CoreUI", async () => {
  const removal = await ask('delete the user "carl"');
  expect([removal.done.error, changes]).toEqual([null, ["users: -carl"]]);
  changes.length = 0;
  const edit = await ask('edit the user "dora"', { Name: "doris" });
  expect([edit.done.error, changes]).toEqual([null, ["users: dora to doris"]]);
});

test("a task in a drawer removes nothing if its row is only on the page behind the drawer", async () => {
  const { done } = await ask('delete the connection "Sales"');
  expect([done.metadata.code, changes]).toEqual(["task.object_not_found", []]);
});

test("a task that names no row of a drawer edits none", async () => {
  const { done } = await ask("edit the connection", { Name: "Gamma" });
  expect([done.metadata.code, changes]).toEqual(["task.which_page", []]);
});

test("the refusal of a task for an unknown kind of thing names the kinds that the map knows", async () => {
  const { done } = await ask("create a sprocket", { Name: "Cog" });
  expect(done.metadata).toMatchObject({ code: "task.unknown_kind", known_kinds: ["connection", "user"] });
  expect(done.error).toContain("connection, user");
  expect(changes).toEqual([]);
});
