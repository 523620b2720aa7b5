/**
 * Tests clicks on suggestions of a field after typing. The list closes a moment after the field has lost the focus,
 * as in Bootstrap's typeahead and in Wagtail's autocomplete, so a click that lasts too long misses it.
 */
import { expect, test } from "bun:test";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { actionOn } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

/**
 * Returns a page with the field "City", which shows the list after typing, and hides it after the loss of the focus.
 */
const field = (attributes: string, list: string): string => `
  <div style="padding: 20px"><input aria-label="City" ${attributes}><div id="place"></div></div><script>
    const city = document.querySelector("input"), list = \`${list}\`;
    city.oninput = () => {
      place.innerHTML = list;
      for (const entry of place.querySelectorAll(".entry")) entry.onclick = () => did.push(entry.textContent);
    };
    city.onblur = () => setTimeout(() => { place.innerHTML = "" }, 60)</script>`;
const entry = (attributes = ""): string =>
  `<div class="entry" tabindex="0" ${attributes}>Verona</div><div class="entry" tabindex="0">Venice</div>`;
const FLOATING = `style="position: absolute; background: white"`;

test.each([
  ["to which the field refers", `aria-controls="l"`, `<div id="l">${entry()}</div>`],
  [
    "whose entry is the active one of the field",
    `aria-activedescendant="e"`,
    `<div role="listbox">${entry(`id="e" role="option"`)}</div>`,
  ],
  ["that has the role of a list", "", `<div role="listbox" ${FLOATING}>${entry(`role="option"`)}</div>`],
  ["that has appeared below the field", "", `<div ${FLOATING}>${entry()}</div>`],
])("a click after typing reaches a suggestion in a list %s", async (_, attributes, list) => {
  await stage.show(field(attributes, list));
  await actionOn(stage, "input", "City", { text: "ve" });
  expect(await actionOn(stage, "click", "Verona")).toMatchObject({ success: true });
  expect(await stage.run("did.join()")).toBe("Verona");
});

test("a click on a button that always lies over the end of a field gives the page time to take the typed text", async () => {
  await stage.show(`<div style="position: relative; width: 200px"><input id="amount" aria-label="Amount" style="width: 200px">
    <button id="add" style="position: absolute; right: 0; top: 0">Add</button></div><script>let taken;
    amount.onblur = () => setTimeout(() => { taken = amount.value }, 10);
    add.onclick = () => did.push(taken)</script>`);
  await actionOn(stage, "input", "Amount", { text: "12" });
  await actionOn(stage, "click", "Add");
  expect(await stage.run("did.join()")).toBe("12");
});
