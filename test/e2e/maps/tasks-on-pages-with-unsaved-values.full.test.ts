/**
 * Tests tasks that must leave a page with values that are not saved. The page asks before it is left: by `confirm`
 * (KeystoneJS, React Admin), by `beforeunload`, or by a dialog of its own (Directus, Strapi).
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);

const QUESTION = "There are unsaved changes, are you sure you want to exit?";

/** Returns a page with a form that the server refuses. `guard` is the script that asks before the page is left. */
const draft = (title: string, guard: string, more = "") =>
  html(
    title,
    `<h1>${title}</h1><p><a href="/goal">To the goal</a></p>
     <form method="post" action="/refuse"><label>Harbour name <input name="harbour" id="harbour"></label>
     <button>Create harbour</button><p id="error" role="alert"></p></form>${more}
     <script>
       const dirty = () => harbour.value !== "";
       document.forms[0].addEventListener("submit", (event) => {
         event.preventDefault();
         fetch("/refuse", { method: "POST", body: harbour.value }).then(() => { error.textContent = "The name is taken."; });
       });
       ${guard}
     </script>`,
  );
const onLink = (body: string) =>
  `document.querySelector("a").addEventListener("click", (event) => { if (dirty()) { ${body} } });`;
const LAYER = `<div id="layer" style="display: none; position: fixed; inset: 0; background: #fff"><div role="dialog">
  <h2>Unsaved changes</h2><p>Are you sure you want to leave this page?</p>
  <button onclick="location.href = '/goal'">Discard changes</button> <button onclick="layer.style.display = 'none'">Keep editing</button></div></div>`;

const site = siteOfTests({
  "/": html(
    "Start",
    '<h1>Start</h1><p><a href="/asking">Asking</a></p><p><a href="/unloading">Unloading</a></p><p><a href="/layered">Layered</a></p>',
  ),
  "/asking": draft("Asking", onLink(`if (!confirm(${JSON.stringify(QUESTION)})) event.preventDefault();`)),
  "/unloading": draft(
    "Unloading",
    'addEventListener("beforeunload", (event) => { if (dirty()) event.preventDefault(); });',
  ),
  "/layered": draft("Layered", onLink('event.preventDefault(); layer.style.display = "block";'), LAYER),
  "/goal": html("Goal", '<h1>Goal</h1><a href="/">Home</a>'),
  "/refuse": () => new Response("The name is taken.", { status: 422 }),
});

const cairn = await cairnOfTests();

beforeAll(() => exploreIntoMap(cairn, "drafts", { start_url: site.url("/"), render: "http" }));

const query = async (room_name: string, question: object, parameters = {}) =>
  (
    await cairn.post("/api/knowledge/drafts/query", {
      execute: true,
      context: { room_name, parameters },
      ...question,
    })
  ).body;
const toGoal = (room: string, more: object = {}) =>
  query(room, { instruction_type: "navigate_to_screen", target: "Goal", ...more });
const act = (room: string, action_type: string, params: object) =>
  cairn.call("execute_action", { room_name: room, action_type, params });
const addressOf = async (room: string) =>
  (await cairn.call("get_browser_context", { room_name: room })).body.url;

const PAGES = [
  ["/asking", QUESTION],
  ["/unloading", "Leave the page? Changes may not be saved."],
  ["/layered", "Are you sure you want to leave this page?"],
] as const;

for (const [path, question] of PAGES) {
  test(`unsaved values that a caller has typed on ${path} are kept until the caller approves the page's question whether to leave`, async () => {
    const room = `caller${path.replace("/", "-")}`;
    await cairn.call("start_browser_session", { room_name: room, initial_url: site.url(path) });
    await act(room, "input", { label: "Harbour name", text: "Krakow" });
    const asked = await toGoal(room);
    expect(asked).toMatchObject({ success: false, metadata: { code: "walk.question" } });
    expect(asked.metadata.question).toContain(question);
    expect(await addressOf(room)).toBe(site.url(path));
    const { body } = await cairn.call("WebToolkit_analyzePage", { room_name: room });
    const fields = body.data.highlightedElements.map(({ value }: { value?: string }) => value);
    expect(fields).toContain("Krakow");
    const left = await toGoal(room, { approve_risk: asked.metadata.approve_risk });
    expect([left.success, left.error]).toEqual([true, null]);
    expect(await addressOf(room)).toBe(site.url("/goal"));
  });

  test(`unsaved values that a failed task has typed on ${path} do not stop the next task from leaving this page`, async () => {
    const room = `task${path.replace("/", "-")}`;
    await cairn.call("start_browser_session", { room_name: room, initial_url: site.url(path) });
    const task = { instruction_type: "execute_task", target: "create a harbour" };
    const refused = await query(room, task, { "Harbour name": "Lagos" });
    expect([refused.success, await addressOf(room)]).toEqual([false, site.url(path)]);
    const left = await toGoal(room);
    expect([left.success, left.error]).toEqual([true, null]);
    expect(await addressOf(room)).toBe(site.url("/goal"));
  });
}

test("a question that is open when a task begins is reported, and answered after its approval", async () => {
  await cairn.call("start_browser_session", { room_name: "open", initial_url: site.url("/asking") });
  await act("open", "input", { label: "Harbour name", text: "Oslo" });
  await act("open", "click", { role: "link", name: "To the goal" });
  const asked = await toGoal("open");
  expect(asked.metadata).toMatchObject({ code: "walk.question", question: QUESTION });
  expect(asked.error).toContain("handle_dialog");
  const left = await toGoal("open", { approve_risk: asked.metadata.approve_risk });
  expect([left.success, await addressOf("open")]).toEqual([true, site.url("/goal")]);
});

test("a dialogue keeps the values on a page that asks before it is left, until the person decides to retry", async () => {
  await cairn.call("start_browser_session", { room_name: "spoken", initial_url: site.url("/unloading") });
  await act("spoken", "input", { label: "Harbour name", text: "Bergen" });
  const start = {
    dialogue_id: "spoken",
    task: 'Click "To the goal"',
    room_name: "spoken",
    auto_approve: true,
  };
  await cairn.post("/api/dialogues", start);
  const reached = async (status: string) => {
    let state = (await cairn.get("/api/dialogues/spoken")).body;
    for (; state.status !== status && state.status !== "error"; await Bun.sleep(50))
      state = (await cairn.get("/api/dialogues/spoken")).body;
    return state;
  };
  expect((await reached("mid_exec_dialog")).failure.code).toBe("approval_needed");
  expect(await addressOf("spoken")).toBe(site.url("/unloading"));
  const message = { action: "midExecDecision", decision: "retry" };
  await cairn.post("/api/dialogues/spoken/messages", { message });
  expect((await reached("completed")).status).toBe("completed");
  expect(await addressOf("spoken")).toBe(site.url("/goal"));
});
