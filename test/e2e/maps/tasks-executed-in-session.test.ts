/**
 * Tests tasks that Cairn executes itself in a session. The site's server records the data that it receives.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);

const sent: Record<string, string>[] = [];

const FORM = `<h1>Invite a person</h1><form method="post" action="/invite">
  <label>Email <input name="email" type="email" required></label>
  <label>Role <select name="role"><option>Reader</option><option>Editor</option></select></label>
  <label><input name="news" type="checkbox" value="yes"> Send news</label>
  <label>Note <textarea name="note"></textarea></label> <label>Picture <input type="file" name="picture"></label>
  <button>Invite</button></form>`;
const GUIDE =
  "# Ask for a role\n1. Open **Invite a person**.\n2. Enter the address in the **Email** field.\n3. Click **Invite**.\n";

/** Returns a recording as the tool `get_recording` returns it. It contains a fingerprint of each element. */
function recording() {
  const target = (role: string, name: string, tag: string, type: string, selector: string) => ({
    index: {
      role,
      name,
      text: role === "button" ? name : "",
      tag,
      type,
      interaction: role === "button" ? "click" : "input",
      attributes: tag === "input" ? { name: "email" } : {},
      selector,
      frame: [],
      words: null,
      alone: true,
    },
  });
  const url = site.url("/invite");
  return {
    recording_id: "r1",
    room_name: "by hand",
    name: "Invite by recording",
    started_at: "2026-01-01T00:00:00Z",
    ended_at: "2026-01-01T00:01:00Z",
    steps: [
      { action: "navigate", params: { url }, targets: {}, needs: [], url: site.url("/") },
      {
        action: "input",
        params: { text: "old@example.org" },
        targets: target("textbox", "Email", "input", "email", "input[name=email]"),
        needs: [],
        url,
      },
      {
        action: "click",
        params: {},
        targets: target("button", "Invite", "button", "submit", "button"),
        needs: [],
        url,
      },
    ],
  };
}

/** Returns the same recording as `recording`, but with locators in the parameters instead of fingerprints. */
function recordingWithLocators() {
  const { steps, ...head } = recording();
  const [open, type, click] = steps;
  return {
    ...head,
    name: "Invite by locators",
    steps: [
      open,
      { ...type, params: { text: "old@example.org", selector: "input[name=email]" }, targets: {} },
      { ...click, params: { role: "button", name: "Invite" }, targets: {} },
    ],
  };
}

/** A form in a closed section of the page. The form's second field is in a tab that is not selected. */
const FOLDED = `<h1>Folded report</h1><style>.shut { display: none }</style>
  <form method="post" action="/found-folded"><h3><a href="#" onclick="report.classList.toggle('shut'); return false">Write a report</a></h3>
  <div id="report" class="shut"><label>Headline <input name="headline" id="headline"></label>
  <button type="button" role="tab" aria-controls="more" onclick="more.classList.remove('shut')">Details</button>
  <div id="more" role="tabpanel" class="shut"><label>Story <textarea name="story" id="story"></textarea></label></div>
  <button>Send report</button></div></form>`;
const ORDERS = [1, 2, 3, 4, 5, 6];
/**
 * Addresses like those of `term.php` in WordPress, a script that edits tags and categories. Each link has a parameter
 * with the page to which the script returns afterwards.
 */
const TERMS = ORDERS.flatMap((id) => ["tag", "category"].map((kind) => ({ kind, id })));
/** Returns the form on the page of the order with this id. The form's address contains the id. */
const noteForm = (id: number) =>
  `<form method="post" action="/orders/${id}/note"><label>Remark <input name="remark"></label><button>Save remark</button></form>`;
/**
 * Returns a form like that of Request Tracker. Only some pages of this form have the field "Refers to", and a script
 * replaces the field of the watchers by a widget.
 */
const ticketForm = (more: string) =>
  `<h1>Open a ticket</h1><form method="post" action="/ticket"><label>Subject <input name="subject"></label>
   <input name="watchers" style="display: none"><div>Nobody</div>${more}<button>Open</button></form>`;
let ticketFields = '<label>Refers to <input name="refers_to"></label>';
/**
 * A form as in pretalx. Each text has one field for each language, and the label of a text belongs to the element
 * around these fields.
 */
const ROOM = `<h1>New room</h1><form method="post" action="/rooms/new">
  ${["name", "description"].map((text) => `<label for="id_${text}">${text} <span>Optional</span></label><fieldset><div id="id_${text}"><input name="${text}_0" title="English"></div></fieldset>`).join("")}
  <button>Save</button></form>`;
/** A link in a menu that nothing opens. A crawl finds the link, because it is in the HTML. */
const CLOSED_MENUS = '<div hidden><a href="/lamp">New lamp</a></div>';
const LAMP =
  '<h1>New lamp</h1><form method="post" action="/lamp"><label>Glow <input name="glow"></label><button>Add lamp</button></form>';
/** A search form that two pages of the test site contain. */
const SITE_SEARCH = '<form action="/found" role="search"><label>Search <input name="q"></label></form>';

const site = siteOfTests({
  "/": html("Start", '<h1>Start</h1><a href="/people">People</a>'),
  "/people": html(
    "People",
    '<h1>People</h1><a href="/invite">Invite a person</a> <a href="/find">Find</a> <a href="/orders">Orders</a> <a href="/folded">Folded</a> <a href="/ticket">Open a ticket</a> <a href="/rooms/new">New room</a> <a href="/settings">Settings</a> <a href="/terms">Terms</a>' +
      CLOSED_MENUS +
      SITE_SEARCH,
  ),
  "/orders": html(
    "Orders",
    `<h1>Orders</h1>${ORDERS.map((id) => `<p><a href="/orders/${id}">Order ${id}</a></p>`).join("")}`,
  ),
  ...Object.fromEntries(
    ORDERS.flatMap((id) => [
      [`/orders/${id}`, html(`Order ${id}`, `<h1>Order ${id}</h1>${noteForm(id)}`)],
      [
        `/orders/${id}/note`,
        async (request: Request) => {
          const note = new URLSearchParams(await request.text()).get("remark") ?? "";
          sent.push({ id: String(id), remark: note });
          return html("Noted", "<h1>Noted</h1>");
        },
      ],
    ]),
  ),
  "/folded": html("Folded", FOLDED),
  "/ticket": async (request) => {
    if (request.method === "GET") return html("Open a ticket", ticketForm(ticketFields));
    sent.push(Object.fromEntries(new URLSearchParams(await request.text())));
    return html("Opened", "<h1>Opened</h1>");
  },
  "/terms": html(
    "Terms",
    `<h1>Terms</h1>${TERMS.map(({ kind, id }) => `<p><a href="/term?kind=${kind}&amp;id=${id}&amp;from=list">${kind} ${id}</a></p>`).join("")}`,
  ),
  "/term": async (request) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const title = `Edit ${query.kind}`;
    if (request.method === "GET")
      return html(
        title,
        `<h1>${title}</h1><form method="post"><label>Hint <input name="hint" value="Old"></label><button>Update</button></form>`,
      );
    sent.push({ ...query, ...Object.fromEntries(new URLSearchParams(await request.text())) });
    return html("Updated", "<h1>Updated</h1>");
  },
  "/lamp": async (request) => {
    if (request.method === "GET") return html("New lamp", LAMP);
    sent.push(Object.fromEntries(new URLSearchParams(await request.text())));
    return html("Lit", "<h1>Lit</h1>");
  },
  "/settings": async (request) => {
    if (request.method === "GET")
      return html(
        "Settings",
        '<h1>Settings</h1><form method="post" action="/settings"><label>Title <input name="title" value="Old" required></label><label>Slug <input name="slug" value="old" required></label><button>Save</button></form>',
      );
    sent.push(Object.fromEntries(new URLSearchParams(await request.text())));
    return html("Saved", "<h1>Saved</h1>");
  },
  "/rooms/new": async (request) => {
    if (request.method === "GET") return html("New room", ROOM);
    sent.push(Object.fromEntries(new URLSearchParams(await request.text())));
    return html("Room", "<h1>Saved</h1>");
  },
  "/found-folded": async (request) => {
    sent.push(Object.fromEntries(new URLSearchParams(await request.text())));
    return html("Noted", "<h1>Noted</h1>");
  },
  "/find": html(
    "Find",
    `<h1>Find</h1><form action="/found"><label>Search term <input name="term"></label>
        <label><input type="checkbox" name="exact" value="1"> Exact words</label><button>Go</button></form>${SITE_SEARCH}`,
  ),
  "/found": async (request) => {
    sent.push(Object.fromEntries(new URL(request.url).searchParams));
    return html("Found", "<h1>Found</h1>");
  },
  "/invite": async (request) => {
    if (request.method === "GET") return html("Invite a person", FORM);
    sent.push(Object.fromEntries(new URLSearchParams(await request.text())));
    return html("Invited", "<h1>Invited</h1>");
  },
});

const cairn = await cairnOfTests();

beforeAll(() => exploreIntoMap(cairn, "people", { start_url: site.url("/"), render: "http" }));
const execute = async (target: string, parameters: Readonly<Record<string, unknown>>, room_name: string) => {
  const context = { room_name, parameters };
  const question = {
    instruction_type: "execute_task",
    target,
    execute: true,
    id: `${room_name}-task`,
    context,
  };
  return (await cairn.post("/api/knowledge/people/query", question)).body;
};
const open = (room: string) =>
  cairn.call("start_browser_session", { room_name: room, initial_url: site.url("/") });

test("a task opens a form, fills it in and sends it, and does not run again for the same id", async () => {
  await open("form");
  const missing = await execute("invite a person email role", {}, "form");
  expect(missing).toMatchObject({ success: false, metadata: { code: "task.missing_parameters" } });
  const values = { email: "ann@example.org", Role: "Editor", news: true };
  const answer = await execute("invite a person email role", values, "form");
  expect(answer.error).toBeNull();
  expect(answer.metadata.execution.status).toBe("arrived");
  expect(sent).toEqual([{ email: "ann@example.org", role: "Editor", news: "yes", note: "", picture: "" }]);
  expect((await execute("invite a person email role", values, "form")).success).toBe(true);
  expect(sent).toHaveLength(1);
});

test.if(isFull)(
  "a task sends a form although the page does not show a field without a value, and refuses a value for a field that is not shown",
  async () => {
    sent.length = 0;
    ticketFields = "";
    await open("ticket");
    const values = { Subject: "Projector is broken" };
    const refused = await execute("open a ticket", { ...values, watchers: "bob" }, "ticket");
    expect(refused).toMatchObject({ success: false, metadata: { code: "task.unknown_parameters" } });
    expect(refused.error).toContain(
      "has no field for watchers, so nothing was done. Its fields are: subject",
    );
    expect(refused.error).not.toContain("watchers, refers_to");
    expect((await execute("open a ticket", values, "ticket")).error).toBeNull();
    expect(sent).toEqual([{ subject: "Projector is broken", watchers: "" }]);
  },
);

test("a task uses the form that has fields for all its values, and is refused if no form has them", async () => {
  sent.length = 0;
  await open("values");
  const values = { email: "ann@example.org", Role: "Editor", Colour: "red" };
  const refused = await execute("invite a person email role", values, "values");
  expect(refused).toMatchObject({ success: false, metadata: { code: "task.unknown_parameters" } });
  expect(refused.error).toContain("has no field for colour");
  await cairn.call("start_browser_session", { room_name: "search", initial_url: site.url("/people") });
  const found = await execute("search", { "Search term": "quokka" }, "search");
  expect(found.error).toBeNull();
  expect(sent).toEqual([{ term: "quokka" }]);
});

test.if(isFull)(
  "a task finds a field by the name of its group, and refuses a label that several groups have",
  async () => {
    sent.length = 0;
    await open("room");
    const refused = await execute("create a room", { English: "Hall" }, "room");
    expect(refused).toMatchObject({ success: false, metadata: { code: "task.unknown_parameters" } });
    const done = await execute("create a room", { Name: "Hall" }, "room");
    expect(done.error).toBeNull();
    expect(sent).toEqual([{ name_0: "Hall", description_0: "" }]);
  },
);

test.if(isFull)(
  "a task that edits something needs no values for the required fields that the page has filled",
  async () => {
    sent.length = 0;
    await open("settings");
    const done = await execute("edit the settings", { Title: "New" }, "settings");
    expect(done.error).toBeNull();
    expect(sent).toEqual([{ title: "New", slug: "old" }]);
  },
);

test.if(isFull)(
  "a task for a thing without a form sends nothing; it names the nearest forms, or leads to the thing's screen",
  async () => {
    sent.length = 0;
    await open("other");
    const values = { email: "ann@example.org", Role: "Editor" };
    const company = await execute("invite a company", values, "other");
    expect(company).toMatchObject({ success: false, metadata: { code: "task.not_found" } });
    expect(company.metadata.suggestions).toMatchObject([{ screen_name: "Invite a person" }]);
    expect(company.error).toContain(company.metadata.suggestions[0].task_id);
    const context = { room_name: "other", parameters: {} };
    const plan = { instruction_type: "execute_task", target: "create an order", context };
    const { body: order } = await cairn.post("/api/knowledge/people/query", plan);
    expect(order).toMatchObject({
      success: false,
      actions: [{ tool_name: "click" }, { tool_name: "click" }],
      metadata: { code: "task.form_unknown", screen: { name: "Orders" } },
    });
    expect(sent).toEqual([]);
  },
);

test.if(isFull)(
  "a task opens a link of its route by the link's address if the link is in a menu that nothing opens",
  async () => {
    sent.length = 0;
    await open("lamp");
    const done = await execute("create a lamp", { Glow: "Warm" }, "lamp");
    expect(done.error).toBeNull();
    expect(sent).toEqual([{ glow: "Warm" }]);
    expect(done.metadata.execution.steps[1]).toMatchObject({
      tool_name: "navigate",
      description: expect.stringContaining("opened by its address"),
    });
  },
);

test.if(isFull)(
  "a task opens the closed section and the tab that contain the fields for its values",
  async () => {
    sent.length = 0;
    await open("folded");
    const done = await execute("folded headline story", { Headline: "Rain", Story: "It rained." }, "folded");
    expect(done.error).toBeNull();
    expect(sent).toEqual([{ headline: "Rain", story: "It rained." }]);
  },
);

test.if(isFull)(
  "a task for a form that exists on every order's page is refused, unless the task or the session selects the order",
  async () => {
    sent.length = 0;
    await open("which");
    const refused = await execute("order remark", { Remark: "Late" }, "which");
    expect(refused).toMatchObject({ success: false, metadata: { code: "task.which_page" } });
    expect(refused.metadata.pages[0].url).toContain("/orders/");
    expect(sent).toEqual([]);
    await cairn.call("start_browser_session", { room_name: "order", initial_url: site.url("/orders/3") });
    const done = await execute("order remark", { Remark: "Late" }, "order");
    expect(done.error).toBeNull();
    expect(sent).toEqual([{ id: "3", remark: "Late" }]);
  },
);

test.if(isFull)(
  "a task uses the object's page that the session shows, although the map has only other pages with its form",
  async () => {
    sent.length = 0;
    const show = (room_name: string, path: string) =>
      cairn.call("start_browser_session", { room_name, initial_url: site.url(path) });
    await show("category", "/term?kind=category&id=77");
    const done = await execute("edit the category", { Hint: "Boats" }, "category");
    expect([done.error, sent]).toEqual([null, [{ kind: "category", id: "77", hint: "Boats" }]]);
    await show("tag", "/term?kind=tag&id=78");
    const refused = await execute("edit the category", { Hint: "Boats" }, "tag");
    expect(refused.metadata.code).toBe("task.which_page");
    expect(sent).toHaveLength(1);
  },
);

test.if(isFull)(
  "a task that names an object goes to the object's page from the page of another object with the same form",
  async () => {
    sent.length = 0;
    await cairn.call("start_browser_session", { room_name: "named", initial_url: site.url("/orders/3") });
    const done = await execute("change the remark of order 5", { Remark: "Soon" }, "named");
    expect([done.error, sent]).toEqual([null, [{ id: "5", remark: "Soon" }]]);
  },
);

test.if(isFull)(
  "a task finds a form that was added to the map after an earlier task, among many other forms",
  async () => {
    const form = (thing: string) => {
      const url = `http://forms.example/${thing}s/new`;
      const at = { screen_id: `${thing}_new` };
      const attributes = { tag: "form", action: url, method: "post", fields: "title" };
      const field = {
        role: "textbox",
        name: "Title",
        attributes: { tag: "input", name: "title", type: "text" },
      };
      return {
        screens: [{ ...at, name: `New ${thing}`, url }],
        actions: [
          { ...at, action_id: `${thing}_new.submit`, action_type: "submit_form", target: { attributes } },
          { ...at, action_id: `${thing}_new.title`, action_type: "input", name: "Title", target: field },
        ],
      };
    };
    const add = async (things: readonly string[]) => {
      const forms = things.map(form);
      const map = {
        format: "cairn-map",
        version: 1,
        websites: [{ website_id: "forms.example", base_url: "http://forms.example/" }],
        screens: forms.flatMap(({ screens }) => screens),
        actions: forms.flatMap(({ actions }) => actions),
        transitions: [],
      };
      const { status } = await cairn.post("/api/knowledge/forms/import", { map });
      expect(status).toBe(200);
    };
    const ask = async (target: string) => {
      const context = { parameters: { Title: "First" } };
      const question = { instruction_type: "execute_task", target, context };
      return (await cairn.post("/api/knowledge/forms/query", question)).body;
    };
    await add(
      Array.from(
        { length: 60 },
        (_, at) => `part${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`,
      ),
    );
    expect((await ask("create a lantern")).metadata.code).toBe("task.unknown_kind");
    await add(["lantern"]);
    const found = await ask("create a lantern");
    expect([found.error, found.metadata.screen_name]).toEqual([null, "New lantern"]);
    expect(found.metadata.fields).toMatchObject([{ name: "title", label: "Title" }]);
  },
);

test("the numbered steps of a document run as a task, and a recorded task runs with another value", async () => {
  sent.length = 0;
  await cairn.post("/api/knowledge/people/documents", {
    name: "guide.md",
    content: GUIDE,
  });
  await open("guide");
  const answer = await execute("Ask for a role", { email: "bob@example.org" }, "guide");
  expect(answer.error).toBeNull();
  expect(sent.map(({ email }) => email)).toEqual(["bob@example.org"]);
  const { body: ingested } = await cairn.post("/api/knowledge/people/documents", {
    name: "recording.json",
    content: JSON.stringify(recording()),
  });
  expect(ingested.sources).toMatchObject([{ kind: "recording", tasks: 1 }]);
  await open("replayed");
  const replayed = await execute("Invite by recording", { email: "eve@example.org" }, "replayed");
  expect(replayed.error).toBeNull();
  expect(sent.map(({ email }) => email)).toEqual(["bob@example.org", "eve@example.org"]);
});

test.if(isFull)(
  "an uploaded recording whose steps have CSS and role locators can be run as a task",
  async () => {
    sent.length = 0;
    const { body: ingested } = await cairn.post("/api/knowledge/people/documents", {
      name: "locators.json",
      content: JSON.stringify(recordingWithLocators()),
    });
    expect(ingested.sources).toMatchObject([{ kind: "recording", tasks: 1 }]);
    await open("locators");
    const answer = await execute("Invite by locators", { email: "joe@example.org" }, "locators");
    expect(answer.error).toBeNull();
    expect(sent.map(({ email }) => email)).toEqual(["joe@example.org"]);
    const plan = { instruction_type: "execute_task", target: "Invite by locators", context: {} };
    const { body } = await cairn.post("/api/knowledge/people/query", plan);
    expect(body.actions).toMatchObject([
      { tool_name: "navigate" },
      { tool_name: "input", parameters: { fingerprint: { tag: "input", name: "Email" } } },
      { tool_name: "click", parameters: { fingerprint: { tag: "button", name: "Invite" } } },
    ]);
  },
);

test("an uploaded document keeps its bytes, is found by search, and is the source of an answer", async () => {
  const place = `/api/knowledge/people/documents/${encodeURIComponent("house rules.md")}`;
  const put = async (body: string, type: string) =>
    await fetch(new URL(place, cairn.url), { method: "PUT", headers: { "content-type": type }, body });
  const response = await put("# House rules\n\nQuokkas are fed on Mondays.\n", "text/markdown");
  expect(response.status).toBe(200);
  expect((await response.json()).sources).toMatchObject([
    { name: "house rules.md", status: "ready", chunks: 1 },
  ]);
  const question = {
    query_type: "agent_query",
    params: { question: "When are quokkas fed?" },
    knowledge_id: "people",
  };
  const { body } = await cairn.post("/api/knowledge/query", question);
  expect(body.data).toMatchObject({
    answered_by: "structure",
    answer: "House rules: Quokkas are fed on Mondays.",
  });
  expect(body.data.sources[0]).toMatchObject({ kind: "passage", title: "House rules" });
  const refused = await put("%PDF-1.4 nothing", "application/pdf");
  expect([refused.status, (await refused.json()).error.code]).toEqual([422, "document.unreadable"]);
  const { body: gaps } = await cairn.post("/api/knowledge/people/gaps", { website_id: "any" });
  expect(gaps).toMatchObject({ gaps_filled: 0, errors: [] });
});
