/** Tests which button outside of a form sends the form. */
import { expect, test } from "bun:test";
import { buttonOutsideForm } from "../../../../machines/session/controls/button-outside-form.ts";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, field } from "../../dialogue/support/test-page-elements.ts";

const at = (one: HighlightedElement, xpath: string, more: Partial<HighlightedElement> = {}) => ({
  ...one,
  xpath,
  ...more,
});
const PAGE = "/html/body/main/section";
const name = at(field("Name"), `${PAGE}/form/div/input`);
const create = at(button("Create"), `${PAGE}/header/div/button`);

const sent = (...elements: readonly HighlightedElement[]) => {
  const found = buttonOutsideForm(name, [name, ...elements]);
  return found && nameOf(found);
};

test("a form without a button is sent by the only button such as Create in the title bar above it", () => {
  expect(sent(create)).toBe("Create");
  expect(sent(at(button("Save changes"), `${PAGE}/header/div/button`))).toBe("Save changes");
});

test("a field beside the form does not change which button sends the form", () => {
  expect(sent(create, at(field("Note"), `${PAGE}/div/textarea`))).toBe("Create");
});

test("a button that belongs to other fields does not send the form", () => {
  expect(sent(create, at(field("Theme"), `${PAGE}/header/div/input`))).toBeUndefined();
});

test("a button outside of a form that names a thing (Create product) does not send the form", () => {
  expect(sent(at(button("Create product"), `${PAGE}/header/div/button`))).toBeUndefined();
});

test("none of two buttons that are equally near sends the form", () => {
  expect(sent(create, at(button("Save"), `${PAGE}/header/button`))).toBeUndefined();
});

test("a form with a submit button of its own is not sent by a button beside it", () => {
  const own = at(button("Go"), `${PAGE}/form/button`, { interactionType: "submit" });
  expect(sent(create, own)).toBeUndefined();
});

test("a form that searches is not sent by a button beside it", () => {
  const search = at(field("Search by name"), `${PAGE}/form/input`);
  expect(buttonOutsideForm(search, [search, create])).toBeUndefined();
});

test("a form is not treated as a search form if it has a text field besides a list with its own search field", () => {
  const tags = at(field(""), `${PAGE}/form/div[2]/ul/input`, { type: "search" });
  const email = at(field("Email"), `${PAGE}/form/div[3]/input`, { type: "email" });
  expect(sent(create, tags, email)).toBe("Create");
  expect(sent(create, tags)).toBeUndefined();
});

test("a form whose only buttons add or remove a part, or show only an icon, is sent by the button outside", () => {
  const own = (text: string) => at(button(text), `${PAGE}/form/button`, { interactionType: "submit" });
  expect(sent(create, own("Remove"), own("Add condition"), own(""))).toBe("Create");
});
