/**
 * Tests dialogues whose first plan only opens a form or a list. The dialogue plans the task again on that page,
 * and is completed only if the task is done there.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import type { Cairn } from "../support/cairn-test-process.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { leaveSharedCairn, sharedCairn } from "../support/shared-test-cairn.ts";

setDefaultTimeout(90_000);

const MENU = `
  <p>Keywords <a href="/keywords/new">Create New</a> <a href="/keywords">Edit Existing</a></p>
  <p>Colours <button onclick="document.querySelector('.modal').hidden = false">New colour</button></p>
  <p>Topics <a href="/topics/new">Create topic</a></p>
  <p><a href="/users">User List</a> <a href="/">Start</a></p>`;

let site: ScriptedSite;
let cairn: Cairn;
let sent: string[] = [];

beforeAll(async () => {
  const page = (title: string, body: string) => html(title, `${MENU}<h1>${title}</h1>${body}`);
  site = serveSite({
    "/": page(
      "Start",
      `<style>.modal { position: fixed; inset: 0; background: #fff } [hidden] { display: none !important }</style>
       <div class="modal" role="dialog" hidden><label>Colour <input name="colour"></label>
       <button onclick="fetch('/sent?colour=' + document.querySelector('[name=colour]').value); parentElement.hidden = true">
       Save</button></div>`,
    ),
    "/keywords": page("Keywords", `<p>network <a href="/manual">Manual</a></p>`),
    "/manual": html("Manual", `<h1>Manual</h1><a href="/">Start</a>`),
    "/keywords/new": page(
      "New entry",
      `<form action="/sent"><table><tr><th>Keyword</th><td><input name="keyword"></td></tr></table>
       <label><input type="checkbox"> Continue adding keywords.</label>
       <button>Submit New Entry</button></form>`,
    ),
    "/topics/new": page("New topic", "<p>Topics are closed.</p>"),
    "/users": page(
      "Users",
      `<p><a href="/users/import">Import users</a></p>
       <table><tr><td><a href="/users/7">ben.cole</a></td></tr><tr><td><a href="/users/8">ada.byron</a></td></tr></table>`,
    ),
    "/users/7": page(
      "User",
      `<p>ben.cole</p><label><input type="checkbox" checked onclick="fetch('/sent?enabled=' + checked)"> Enabled</label>`,
    ),
    "/users/8": page("User", "<p>ada.byron</p>"),
    "/users/import": page("Import users", `<input type="file" aria-label="File">`),
    "/orders": page(
      "Orders",
      `<table><tr><td><a href="/orders/1">Order 1</a></td></tr><tr><td><a href="/orders/2">Order 2</a></td></tr></table>`,
    ),
    "/orders/2": page("Order 2", `<p>State: open</p><a href="/orders/2/edit">Edit</a>`),
    "/orders/2/edit": page(
      "Edit order 2",
      `<form action="/sent"><label>State <select name="state"><option>open</option><option>paid</option></select></label>
       <button>Save order</button></form>`,
    ),
    "/tickets/3": page(
      "Ticket 3",
      `<p>The pump leaks.</p><h3><a href="#edit" onclick="edit.hidden = false">Modify Ticket</a></h3>
       <form id="edit" action="/sent" hidden><label>Priority <select name="priority"><option>minor</option><option>major</option></select></label>
       <label><input type="radio" name="action" value="leave" checked> leave</label>
       <label><input type="radio" name="action" value="resolve"> resolve</label>
       <button name="preview">Preview</button><button>Submit changes</button></form>`,
    ),
    "/sent": (request) => {
      sent.push(new URL(request.url).search);
      return page("Saved", "<p>Saved.</p>");
    },
  });
  cairn = await sharedCairn();
  await cairn.call("start_browser_session", { room_name: "continues", initial_url: site.url("/") });
});

afterAll(async () => {
  await leaveSharedCairn();
  site?.stop();
});

const ENDS = ["completed", "clarifying", "mid_exec_dialog", "error"];

/**
 * Starts a dialogue on the first page and approves each of its plans. Returns the state of the dialogue when it has
 * ended or asks a question.
 */
async function run(task: string, path = "/", knowledge_id?: string) {
  sent = [];
  const place = { room_name: "continues", url: site.url(path), ...(knowledge_id ? { knowledge_id } : {}) };
  const { body } = await cairn.post("/api/dialogues", { task, ...place });
  const id = body.dialogue_id;
  for (let approved = 0; ; ) {
    const state = (await cairn.get(`/api/dialogues/${id}`)).body;
    if (ENDS.includes(state.status)) return state;
    const { version } = state.currentPlan ?? {};
    if (state.status === "awaiting_approval" && version !== approved) {
      approved = version;
      const message = { action: "approvePlan", planVersion: version };
      await cairn.post(`/api/dialogues/${id}/messages`, { message });
    }
    await Bun.sleep(50);
  }
}

test("a dialogue enters the task's value in the form that its first plan has opened, and sends the form", async () => {
  const { status, planHistory, currentPlan } = await run("Add the keyword hardware");
  expect(status).toBe("completed");
  expect(sent).toEqual(["?keyword=hardware"]);
  expect(planHistory.at(-1)).toMatchObject({ summary: 'Click "Create New"', open: ["hardware"] });
  expect(currentPlan.summary).toBe('Type "hardware" into "keyword"; Click "Submit New Entry"');
});

test.if(isFull)(
  "a dialogue enters the task's value in a dialog that its first plan has opened on the same page, and sends it",
  async () => {
    const { status, currentPlan } = await run("Add the colour violet");
    expect([status, currentPlan.summary]).toEqual(["completed", 'Type "violet" into "Colour"; Click "Save"']);
    expect(sent).toEqual(["?colour=violet"]);
  },
);

test.if(isFull)(
  "a dialogue asks the person what to do if the page that its first plan has opened has no field for the task's value",
  async () => {
    const { status, dialogueState } = await run("Add the topic gardening");
    expect(status).toBe("clarifying");
    expect(dialogueState.pendingQuestions[0].question).toContain("Add the topic gardening");
  },
);

test.if(isFull)(
  "a dialogue whose first plan ends on a list continues to the page that the task names",
  async () => {
    const { status, currentPlan, planHistory } = await run("Open the user import page");
    expect(status).toBe("completed");
    expect(planHistory.at(-1)).toMatchObject({ summary: 'Click "User List"', open: ["import"] });
    expect(currentPlan.summary).toBe('Click "Import users"');
  },
);

test.if(isFull)(
  "a dialogue asks the person what to do if it finds no page with the name in the task",
  async () => {
    expect((await run("Open the user archive page")).status).toBe("clarifying");
  },
);

test('a dialogue opens the page for a new thing if the task names this page by a verb ("Open the create topic page")', async () => {
  const { status, currentPlan } = await run("Open the create topic page");
  expect([status, currentPlan.summary]).toEqual(["completed", 'Click "Create topic"']);
});

test.if(isFull)(
  'a dialogue opens the page of the thing in the task and does there what the task says ("Disable the user")',
  async () => {
    const { status, planHistory, currentPlan } = await run("Disable the user ben.cole", "/users");
    expect(status).toBe("completed");
    expect(planHistory.at(-1)).toMatchObject({ summary: 'Click "ben.cole"', open: ["Disable"] });
    expect(currentPlan).toMatchObject({ summary: 'Click "Enabled"', steps: [{ risk: "high" }] });
    expect(sent).toEqual(["?enabled=false"]);
  },
);

test('a dialogue asks the person what to do if the page of the object has no control for what the task says ("Disable the user")', async () => {
  const { status, dialogueState } = await run("Disable the user ada.byron", "/users");
  expect(status).toBe("clarifying");
  expect(dialogueState.pendingQuestions[0].question).toContain("ada.byron");
});

test.if(isFull)("a dialogue opens the collapsed form of an object and does the task there", async () => {
  const { status, planHistory, currentPlan } = await run("Resolve this ticket", "/tickets/3");
  expect(status).toBe("completed");
  expect(planHistory.at(-1)).toMatchObject({ summary: 'Click "Modify Ticket"' });
  expect(currentPlan.summary).toBe('Click "resolve"; Click "Submit changes"');
  expect(sent).toEqual(["?priority=minor&action=resolve"]);
});

test.if(isFull)(
  "a dialogue asks the person what to do if the collapsed form of an object has no control for the task",
  async () => {
    const { status, dialogueState } = await run("Duplicate this ticket", "/tickets/3");
    expect(status).toBe("clarifying");
    expect(dialogueState.pendingQuestions[0].question).toContain("Duplicate this ticket");
    expect(sent).toEqual([]);
  },
);

test.if(isFull)(
  "a dialogue opens the thing of its task and its form, changes it, and sends the form",
  async () => {
    const { status, planHistory, currentPlan } = await run("Change the state of order 2 to paid", "/orders");
    expect(planHistory.slice(-2).map(({ summary }: { summary: string }) => summary)).toEqual([
      'Click "Order 2"',
      'Click "Edit"',
    ]);
    expect([status, currentPlan.summary]).toEqual([
      "completed",
      'Select "paid" in "State"; Click "Save order"',
    ]);
    expect(sent).toEqual(["?state=paid"]);
  },
);

test.if(isFull)(
  "a dialogue with a map goes to the page of the thing of its task and continues there",
  async () => {
    await exploreIntoMap(cairn, "continues", { start_url: site.url("/"), mode: "links" });
    const { status, planHistory, currentPlan } = await run(
      "Disable the user ben.cole",
      "/manual",
      "continues",
    );
    expect(planHistory.at(-1)).toMatchObject({ source: "map" });
    expect(planHistory.at(-1).summary).toEndWith(
      'Click "User List" to go to Users; Click "ben.cole" to go to User',
    );
    expect([status, currentPlan.summary]).toEqual(["completed", 'Click "Enabled"']);
    expect(sent).toEqual(["?enabled=false"]);
  },
);
