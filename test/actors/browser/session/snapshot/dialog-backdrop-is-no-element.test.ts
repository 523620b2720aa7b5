/** Tests that the surface behind an open dialog is no element of a snapshot, in a real Chromium. */
import { expect, test } from "bun:test";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { names } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

const SURFACE = '<div class="surface" style="position: fixed; inset: 0"></div>';
const LISTENER =
  "<script>document.querySelector('.surface').addEventListener('click', () => did.push('closed'))</script>";
const BUTTON = '<button style="position: relative">Save</button>';

test.each([
  [
    "beside the dialog (Material UI)",
    `<div role="presentation">${SURFACE}<div role="dialog">${BUTTON}</div></div>`,
  ],
  ["in the dialog (Vuetify)", `<div role="dialog" aria-modal="true">${SURFACE}<div>${BUTTON}</div></div>`],
])("the empty surface behind an open dialog is not listed if it is %s", async (_, dialog) => {
  const data = await stage.show(`${dialog}${LISTENER}`);
  expect(data.highlightedElements.map(({ tagName }) => tagName)).toEqual(["button"]);
  expect(names(data)).toEqual(["Save"]);
});

test.each([
  ["without a dialog", `<main>${SURFACE}${BUTTON}</main>`],
  ["beside a dialog that is not open", `<main>${SURFACE}${BUTTON}<dialog>Help</dialog></main>`],
  [
    "with a name",
    `<div>${SURFACE.replace("<div", '<div aria-label="Board"')}<div role="dialog">${BUTTON}</div></div>`,
  ],
])("an empty surface with a click listener is listed if it is %s", async (_, page) => {
  const data = await stage.show(`${page}${LISTENER}`);
  expect(data.highlightedElements.map(({ tagName }) => tagName).toSorted()).toEqual(["button", "div"]);
});
