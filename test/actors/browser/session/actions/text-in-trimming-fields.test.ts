/** Tests typing into fields that remove spaces at the start and end of their value after each key press. */
import { expect, test } from "bun:test";
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

/** A field as with `v-model.trim` of a Vue component: it is drawn again only if its trimmed value changes. */
const VUE_FIELD = `<input id="name" aria-label="Name"><script>let model = "";
  document.getElementById("name").oninput = ({ target }) => {
    const trimmed = target.value.trim();
    if (trimmed !== model) { model = trimmed; queueMicrotask(() => { if (target.value !== model) target.value = model }) }
  }</script>`;

const PREACT_FIELD = `<div id="app"></div><script type="importmap">{ "imports": { "preact": "/preact.js" } }</script>
  <script type="module">import { h, render } from "preact"; import { useState } from "/hooks.js";
    function Field() {
      const [text, setText] = useState("");
      return h("input", { "aria-label": "Name", value: text, onInput: ({ target }) => setText(target.value.trim()) });
    }
    render(h(Field), app)</script>`;

test.each([
  ["a Vue component", VUE_FIELD],
  ["a Preact component", PREACT_FIELD],
])(
  "typed text keeps the spaces between its words in a field of %s that trims its value after each key press",
  async (_, body) => {
    await stage.show(body);
    for (const text of ["Grade 6", "Plan  B", "House 7 b c"])
      expect(await actionOn(stage, "input", "Name", { text, clear: true })).toMatchObject({
        success: true,
        data: { value: text },
      });
  },
);
