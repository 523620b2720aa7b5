/**
 * Tests a click after typing, on pages that use the typed text of a field only after the field has lost the
 * focus, and need a moment for it. When a person clicks, the page has this moment between the press and the
 * release of the mouse button.
 */
import { expect, test } from "bun:test";
import { waitForTypedText } from "../../../../../actors/browser/session/actions/wait-for-responses-of-action.ts";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { actionOn } from "../session-in-shared-test-browser.ts";

const script = (path: string): Response =>
  new Response(Bun.file(new URL(`../../../../../node_modules/preact/${path}`, import.meta.url)), {
    headers: { "content-type": "text/javascript" },
  });

const stage = await stageOfTests({
  routes: {
    "/preact.js": () => script("dist/preact.mjs"),
    "/hooks.js": () => script("hooks/dist/hooks.mjs"),
  },
});

/**
 * A form that uses the amount only after it has lost the focus: it checks the amount for some milliseconds,
 * and then stores the amount for the button "Add".
 */
const AMOUNT_FORM = `<input id="amount" aria-label="Amount" value="0.00"><button id="add">Add</button>
  <script>let taken = "0.00";
    const rules = async (text) => { await new Promise((resolve) => setTimeout(resolve, 10)); return text };
    amount.onblur = async () => { taken = await rules(amount.value) };
    add.onclick = () => did.push(taken)</script>`;

/**
 * The form `AMOUNT_FORM` as a Preact component. The amount is stored in an effect, which runs after the page
 * has been drawn.
 */
const PREACT_FORM = `<div id="app"></div><script type="importmap">{ "imports": { "preact": "/preact.js" } }</script>
  <script type="module">import { h, render } from "preact"; import { useEffect, useState } from "/hooks.js";
    function Form() {
      const [text, setText] = useState("0.00"), [left, setLeft] = useState(text), [taken, take] = useState(text);
      useEffect(() => take(left), [left]);
      return h("div", null,
        h("input", { "aria-label": "Amount", value: text, onInput: (event) => setText(event.target.value), onBlur: () => setLeft(text) }),
        h("button", { onClick: () => did.push(taken) }, "Add"));
    }
    render(h(Form), app)</script>`;

test.each(
  [
    ["after its rules have run", AMOUNT_FORM],
    ["in an effect of a component", PREACT_FORM],
  ].slice(0, isFull ? undefined : 1),
)(
  "a click directly after typing uses the typed amount, although the page takes the amount only when the field loses the focus: %s",
  async (_, body) => {
    for (const [action, text] of [
      ["input", "-900"],
      ["type_slowly", "12.50"],
    ] as const) {
      await stage.show(body);
      await actionOn(stage, action, "Amount", { text, ...(action === "input" ? {} : { delay_ms: 1 }) });
      expect(await actionOn(stage, "click", "Add")).toMatchObject({ success: true });
      expect(await stage.run("did.join()")).toBe(text);
    }
  },
);

test("a second click on a button works after the first click has only taken the focus from a field, which opened a dialog", async () => {
  await stage.show(
    `<input aria-label="Amount" onblur="alert('Not a number')"><button onclick="did.push('add')">Add</button>`,
  );
  await actionOn(stage, "input", "Amount", { text: "x" });
  expect((await actionOn(stage, "click", "Add")).data).toMatchObject({ effect: "dialog_opened" });
  await stage.act("handle_dialog", { accept: true });
  await stage.run("did.length = 0");
  expect((await actionOn(stage, "click", "Add")).data).toMatchObject({ clicked: true });
  expect(await stage.run("did.join()")).toBe("add");
});

/** Time limit in milliseconds for a wait. It is longer than any test may take. */
const HOURS = 10 * 60 * 60 * 1_000;

test("the wait for typed text ends at once if the page does nothing when the field loses the focus", async () => {
  await stage.show(
    `<input aria-label="Amount" onblur="did.push(value)"><button onclick="did.push('add')">Add</button>`,
  );
  await actionOn(stage, "input", "Amount", { text: "x" });
  await actionOn(stage, "click", "Add");
  // The cast is safe: `openSession` returns a `ContextSession`.
  await waitForTypedText((stage.session as ContextSession).tab, HOURS);
  expect(await stage.run("did.join()")).toBe("x,add");
});

test.each(
  [
    ["that was typed into", true],
    ["that only has the focus", false],
  ].slice(0, isFull ? undefined : 1),
)(
  "a click reaches a button that moves because the field %s shows a message when it loses the focus",
  async (_which, types) => {
    await stage.show(`<label>Title <input id="title"></label><p id="why" style="margin:0"></p>
    <div style="height:30px">Status</div><button id="draft" style="display:block;height:20px">Published</button>
    <script>title.onblur = () => { why.style.height = "40px"; why.textContent = "Title is short" };
      draft.onclick = () => did.push("published"); title.focus()</script>`);
    if (types) await actionOn(stage, "input", "Title", { text: "A" });
    const clicked = await actionOn(stage, "click", "Published");
    expect(clicked).toMatchObject({ success: true });
    expect(await stage.run("did")).toEqual(["published"]);
  },
);
