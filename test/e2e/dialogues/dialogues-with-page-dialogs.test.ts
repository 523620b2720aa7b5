/**
 * Tests dialogues on pages that open alerts, confirms and prompts. An open dialog blocks the page, so the
 * dialogue has to answer it before it continues.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import type { Cairn } from "../support/cairn-test-process.ts";
import { leaveSharedCairn, sharedCairn } from "../support/shared-test-cairn.ts";

setDefaultTimeout(90_000);

/** A dialog that the page draws itself. `ask` shows it, and its second button reports `what`. */
const MODAL = `
  <style>.modal { position: fixed; inset: 0; background: #fff } [hidden] { display: none !important }</style>
  <div class="modal" role="dialog" hidden></div>
  <script>
    function ask(question, verb, what, more = "") {
      const modal = document.querySelector(".modal");
      modal.innerHTML = "<p>" + question + "</p>" + more + "<button>Cancel</button> <button>" + verb + "</button>";
      const [cancel, confirm] = modal.querySelectorAll("button");
      cancel.onclick = () => (modal.hidden = true);
      confirm.onclick = () => { modal.hidden = true; fetch("/sent?what=" + what); };
      modal.hidden = false;
    }
  </script>`;

let site: ScriptedSite;
let cairn: Cairn;
let sent: string[] = [];

beforeAll(async () => {
  const send = (what: string) => `fetch('/sent?what=${what}')`;
  site = serveSite({
    "/": html(
      "Links",
      `<h1>Links</h1>
       <button onclick="if (confirm('Delete this link?')) ${send("deleted")}">Delete link</button>
       <button onclick="if (confirm('Move to the top?')) ${send("moved")}">Move up</button>
       <button onclick="alert('Copied'); ${send("copied")}">Copy</button>
       <button onclick="if (prompt('New name?')) ${send("renamed")}">Rename</button>
       <button onclick="setTimeout(() => alert('Late'), 50)">Check</button>
       <button onclick="${send("counted")}">Count</button>`,
    ),
    "/members": html(
      "Members",
      `<h1>Members</h1>
       <button onclick="ask('Invite all guests?', 'Go', 'invited')">Guests</button>
       <table>${["Hugo Weber", "Greta Lind"]
         .map(
           (name) => `<tr><td>${name}</td><td>Reader</td><td>
             <button aria-haspopup="menu" onclick="this.nextElementSibling.hidden = false"></button>
             <div role="menu" hidden><button role="menuitem" onclick="parentElement.hidden = true">Edit</button>
             <button role="menuitem" onclick="ask('Remove ${name}?', 'Remove', 'removed ${name}')">Remove</button>
             <button role="menuitem" onclick="ask('Type the name of ${name}.', 'Erase', 'erased', '<input aria-label=Name>')">
               Erase</button></div></td></tr>`,
         )
         .join("")}</table>
       ${MODAL}`,
    ),
    "/notes": html(
      "Notes",
      `<h1>Notes</h1>
       <table>${["Alpha", "Beta"]
         .map(
           (name) =>
             `<tr><td>${name}</td><td><button onclick="ask('Delete ${name}?', 'Delete', '${name}')">Delete</button></td></tr>`,
         )
         .join("")}</table>
       <button onclick="ask('Join the beta programme?', 'Join', 'joined')">Empty trash</button>
       <button onclick="show('Alpha: Buy milk', 'Delete', 'deleted')">Details</button>
       ${MODAL}
       <script>
         const tell = fetch;
         window.fetch = (address) => { tell(address); alert("Done"); };
         function show(...all) {
           ask(...all);
           document.querySelector(".modal button").textContent = "Close";
         }
       </script>`,
    ),
    // On this page, a press replaces the control by a question, as in Miniflux.
    "/feeds": html(
      "Feeds",
      `<h1>Feeds</h1>
       <table>${["Gazette", "Tides"]
         .map((name) =>
           ["Remove", "Mark as read"]
             .map((verb) => `<td><button onclick="inPlace(this, '${verb} ${name}')">${verb}</button></td>`)
             .join(""),
         )
         .map((cells, at) => `<tr><td>${["Gazette", "Tides"][at]}</td>${cells}</tr>`)
         .join("")}</table>
       <script>
         function inPlace(control, what) {
           control.style.display = "none";
           const asked = document.createElement("span");
           asked.innerHTML = "Are you sure? <button>yes</button>, <button>no</button>";
           control.after(asked);
           const [yes, no] = asked.querySelectorAll("button");
           yes.onclick = () => { asked.remove(); fetch("/sent?what=" + what); };
           no.onclick = () => { asked.remove(); control.style.display = ""; };
         }
       </script>`,
    ),
    "/later": html(
      "Later",
      `<h1>Later</h1>
       <button onclick="if (confirm('Join the beta programme?')) ${send("joined")}">Delete draft</button>
       <button onclick="${send("counted")}">Count</button>
       <script>
         const open = { "?alert": alert, "?confirm": confirm }[location.search];
         if (open) setTimeout(() => open("Still here?"), 300);
       </script>`,
    ),
    // A guided tour with a step over the page, as React Joyride and Strapi show it. The Escape key does not end it.
    "/tour": html(
      "Tour",
      `<h1>Tour</h1><button onclick="${send("counted")}">Count</button>
       <div id="tour" style="position: fixed; inset: 0; background: #0006"><p>Step 1 of 4: count here.</p>
       <button onclick="tour.remove(); ${send("skipped")}">Skip</button><button onclick="${send("next")}">Next</button></div>`,
    ),
    "/teams": html(
      "Teams",
      `<nav><a href="/">Links</a> <a href="/members">Members</a></nav><h1>Teams</h1>
       <table><tr><td>Ushers</td><td><a href="/teams/3/delete" aria-label="trash">x</a></td></tr></table>`,
    ),
    "/teams/3/delete": html(
      "Delete team",
      `<nav><a href="/">Links</a> <a href="/members">Members</a></nav><h1>Delete team</h1>
       <form action="/sent"><input type="hidden" name="what" value="deleted Ushers">
       <p>Are you sure you want to delete the team Ushers?</p><a href="/teams">Cancel</a>
       <button>Delete</button></form>`,
    ),
    "/welcome": html("Welcome", `<h1>Welcome</h1><a href="/">Links</a><script>alert("Hello")</script>`),
    "/sent": (request) => {
      sent.push(new URL(request.url).searchParams.get("what") ?? "");
      return new Response("");
    },
  });
  cairn = await sharedCairn();
  await cairn.call("start_browser_session", { room_name: "asks", initial_url: site.url("/") });
});

afterAll(async () => {
  await leaveSharedCairn();
  site?.stop();
});

const get = async (id: string) => (await cairn.get(`/api/dialogues/${id}`)).body;
const say = (id: string, message: object) => cairn.post(`/api/dialogues/${id}/messages`, { message });

async function until(id: string, ...states: readonly string[]) {
  for (;;) {
    const state = await get(id);
    if (states.includes(state.status)) return state;
    await Bun.sleep(50);
  }
}

/** Starts a dialogue for the task, and approves its plan. */
async function run(task: string, more: object = {}): Promise<string> {
  sent = [];
  const { body } = await cairn.post("/api/dialogues", { task, room_name: "asks", ...more });
  const { currentPlan } = await until(body.dialogue_id, "awaiting_approval");
  await say(body.dialogue_id, { action: "approvePlan", planVersion: currentPlan.version });
  return body.dialogue_id;
}

const ENDS = ["completed", "mid_exec_dialog", "error"];

test("a dialogue accepts the confirm dialog of an approved step of high risk, and reports it as evidence", async () => {
  const id = await run("Delete link");
  expect((await until(id, ...ENDS)).status).toBe("completed");
  expect(sent).toEqual(["deleted"]);
  const { messages } = (await cairn.get(`/api/dialogues/${id}/messages`)).body;
  expect(messages.find(({ type }: { type: string }) => type === "stepCompleted").evidence.dialogs).toEqual([
    { type: "confirm", message: "Delete this link?", accepted: true },
  ]);
});

test("a dialogue dismisses a confirm dialog for which the plan has no approval, and asks the person, even with auto_recover", async () => {
  const id = await run("Move up", { auto_recover: true });
  const { failure } = await until(id, ...ENDS);
  const error = 'The page opened a dialog (confirm): "Move to the top?" It was dismissed.';
  expect(failure).toMatchObject({
    code: "approval_needed",
    error,
    cause: "The page asks for a confirmation, and the plan has no approval for it.",
    suggestion: "Do the step again and accept the dialog.",
    recommendedAction: "retry",
    mayHaveHappened: false,
  });
  expect(sent).toEqual([]);
  await say(id, { action: "midExecDecision", decision: "retry" });
  const { status, executionState } = await until(id, "completed", "error");
  expect([status, sent]).toEqual(["completed", ["moved"]]);
  expect(executionState.failedSteps).toEqual([{ stepIndex: 0, error, retryCount: 0, resolution: "retried" }]);
});

test.if(isFull)(
  "a dialogue accepts an alert and continues, even if the alert opens after the step",
  async () => {
    expect((await until(await run("Copy"), ...ENDS)).status).toBe("completed");
    expect(sent).toEqual(["copied"]);
    expect((await until(await run("Click Check, then click Count"), ...ENDS)).status).toBe("completed");
    expect(sent).toEqual(["counted"]);
  },
);

test("a dialogue dismisses a prompt, because the plan has no text for it", async () => {
  const id = await run("Rename");
  const { failure } = await until(id, ...ENDS);
  expect([failure?.code, failure?.recoveries, sent]).toEqual(["dialog_open", ["skip", "abort"], []]);
  expect(failure.cause).toBe("The page asks for a text, and no plan has one.");
  await say(id, { action: "midExecDecision", decision: "abort" });
  await until(id, "idle");
});

test.if(isFull)("a dialogue makes its plan on a page that opens an alert when it loads", async () => {
  const id = await run("Click Links", { url: site.url("/welcome") });
  expect((await until(id, ...ENDS)).status).toBe("completed");
});

test.if(isFull)(
  "a dialogue finds a control in the menu of a row, and confirms the question of the page for an approved step",
  async () => {
    const id = await run("Remove Hugo Weber", { url: site.url("/members") });
    expect((await until(id, ...ENDS)).status).toBe("completed");
    expect(sent).toEqual(["removed Hugo Weber"]);
    const { messages } = (await cairn.get(`/api/dialogues/${id}/messages`)).body;
    const steps = messages.filter(({ type }: { type: string }) => type === "stepCompleted");
    expect(steps.at(-1).evidence.dialogs).toEqual([
      { type: "page", message: expect.stringContaining("Remove Hugo Weber?"), accepted: true },
    ]);
  },
);

test.if(isFull)(
  "a dialogue confirms a question of the page, if the plan has no approval for it, only after the person decides to retry the step",
  async () => {
    const id = await run("Click Guests", { url: site.url("/members") });
    const { failure } = await until(id, ...ENDS);
    expect([failure?.code, sent]).toEqual(["approval_needed", []]);
    expect(failure.error).toContain("Invite all guests?");
    await say(id, { action: "midExecDecision", decision: "retry" });
    expect((await until(id, "completed", "error")).status).toBe("completed");
    expect(sent).toEqual(["invited"]);
  },
);

test.if(isFull)(
  "a dialogue confirms a question that replaces the pressed control, if the person has approved the step as risky",
  async () => {
    const id = await run("Remove Gazette", { url: site.url("/feeds") });
    expect((await until(id, ...ENDS)).status).toBe("completed");
    expect(sent).toEqual(["Remove Gazette"]);
  },
);

test.if(isFull)(
  "a dialogue does not report a step as done while a question has replaced the pressed control",
  async () => {
    const id = await run("Mark Tides as read", { url: site.url("/feeds") });
    const { failure } = await until(id, ...ENDS);
    expect([failure?.code, sent]).toEqual(["approval_needed", []]);
    expect(failure.error).toContain("Are you sure?");
    await say(id, { action: "midExecDecision", decision: "retry" });
    expect((await until(id, "completed", "error")).status).toBe("completed");
    expect(sent).toEqual(["Mark as read Tides"]);
  },
);

test.if(isFull)(
  "a dialogue leaves a question of the page to the next step of the plan, if that step answers it",
  async () => {
    const id = await run("Click Guests, then click Cancel", { url: site.url("/members") });
    expect((await until(id, ...ENDS)).status).toBe("completed");
    expect(sent).toEqual([]);
  },
);

test("a dialogue does not report an approved step as done while the page asks for a text", async () => {
  const id = await run("Erase Greta Lind", { url: site.url("/members") });
  const { failure } = await until(id, ...ENDS);
  expect([failure?.code, sent]).toEqual(["dialog_open", []]);
  expect(failure.error).toContain("Type the name of Greta Lind.");
  await say(id, { action: "midExecDecision", decision: "abort" });
});

test.if(isFull)(
  "a dialogue that deletes two rows confirms the page's question for each row, and accepts the alert that follows",
  async () => {
    const id = await run("Delete Alpha, then delete Beta", { url: site.url("/notes") });
    expect((await until(id, ...ENDS)).status).toBe("completed");
    expect(sent).toEqual(["Alpha", "Beta"]);
  },
);

test.if(isFull)(
  "a dialogue confirms a page's question about something else than the approved step only if the person decides to retry",
  async () => {
    const id = await run("Empty trash", { url: site.url("/notes") });
    const { failure } = await until(id, ...ENDS);
    expect([failure?.code, sent]).toEqual(["approval_needed", []]);
    expect(failure.error).toContain("Join the beta programme?");
    await say(id, { action: "midExecDecision", decision: "retry" });
    expect((await until(id, "completed", "error")).status).toBe("completed");
    expect(sent).toEqual(["joined"]);
  },
);

test.if(isFull)(
  "a dialogue presses no button in a page's dialog that only shows something, and leaves this dialog open",
  async () => {
    const id = await run("Click Details", { url: site.url("/notes") });
    expect((await until(id, ...ENDS)).status).toBe("completed");
    const { body } = await cairn.call("analyze_page", { room_name: "asks" });
    expect(JSON.stringify(body)).toContain("Close");
    expect(sent).toEqual([]);
  },
);

test.if(isFull)(
  "a dialogue accepts a confirm dialog about something else than the approved step only if the person decides to retry",
  async () => {
    const id = await run("Delete draft", { url: site.url("/later") });
    const { failure } = await until(id, ...ENDS);
    expect([failure?.code, sent]).toEqual(["approval_needed", []]);
    expect(failure.error).toContain("Join the beta programme?");
    await say(id, { action: "midExecDecision", decision: "retry" });
    expect((await until(id, "completed", "error")).status).toBe("completed");
    expect(sent).toEqual(["joined"]);
  },
);

const LATER_DIALOGS = [
  ["an alert", "/later?alert"],
  ["a confirm dialog", "/later?confirm"],
] as const;

test.each(LATER_DIALOGS.slice(0, isFull ? undefined : 1))(
  "a dialogue starts, plans and continues while the page shows %p that a timer has opened",
  async (_, path) => {
    await cairn.call("execute_action", {
      room_name: "asks",
      action_type: "navigate",
      params: { url: site.url(path) },
    });
    const isOpen = async () =>
      JSON.stringify((await cairn.call("get_screen_content", { room_name: "asks" })).body);
    while (!(await isOpen()).includes("dialog_open")) await Bun.sleep(50);
    const id = await run("Click Count");
    expect((await until(id, ...ENDS)).status).toBe("completed");
    expect(sent).toEqual(["counted"]);
    const opened = await run("Click Links", { url: site.url("/welcome") });
    expect((await until(opened, ...ENDS)).status).toBe("completed");
  },
);

test.if(isFull)(
  "a dialogue ends a guided tour that covers the element of a step, and does the step",
  async () => {
    const id = await run("Count", { url: site.url("/tour") });
    expect((await until(id, ...ENDS)).status).toBe("completed");
    expect(sent).toEqual(["skipped", "counted"]);
  },
);

test.if(isFull)("a dialogue confirms the page to which an approved deletion leads", async () => {
  const id = await run("Delete the team Ushers", { url: site.url("/teams") });
  expect((await until(id, ...ENDS)).status).toBe("completed");
  expect(sent).toEqual(["deleted Ushers"]);
  const { messages } = (await cairn.get(`/api/dialogues/${id}/messages`)).body;
  const message = "Are you sure you want to delete the team Ushers?";
  expect(messages.find(({ type }: { type: string }) => type === "stepCompleted").evidence.dialogs).toEqual([
    { type: "page", message, accepted: true },
  ]);
});
