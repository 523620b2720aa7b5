import { expect, test } from "bun:test";
import {
  controlOffers,
  formButtons,
  pressReasons,
} from "../../../../machines/exploration/press/whether-to-press-controls.ts";
import type { Control } from "../../../../machines/records/page-control-records.ts";

const button = (name: string, more: Partial<Control> = {}): Control => ({
  role: "button",
  name,
  selector: "button",
  xpath: "/html/body/main/button",
  attributes: {},
  ...more,
});
const page = (buttons: readonly Control[], rendered_by: "http" | "browser" = "http") => ({
  controls: JSON.stringify({ headings: [], inputs: [], forms: [], buttons }),
  rendered_by,
  render_reason: "an empty element waits for an application",
  internal_links: 7,
});
const AUTO = { mode: "auto", render: "auto" } as const;

test("no controls are pressed on a page that has no buttons but links to further pages", () => {
  expect(pressReasons([page([])], AUTO)[0]).toEqual({
    pressed: false,
    reason: "its links lead on (7), and it has no buttons of its own",
  });
});

test.each([
  ["that was rendered", page([], "browser"), "it was rendered: an empty element waits for an application"],
  ["with tabs", page([button("Team", { role: "tab" })]), "it has 1 tabs or menu entries"],
  ["with a button", page([button("Photos")]), 'it has buttons of its own: "Photos"'],
  [
    "with the next step of a form",
    page([button("Next: guest", { xpath: "/html/body/form/button" })]),
    'it has buttons of its own: "Next: guest"',
  ],
  [
    "that is the only one and has no links",
    { ...page([]), internal_links: 0 },
    "it is the only page, and no link leads on",
  ],
  ["that could not be read", undefined, "it could not be read by its address"],
])("controls are pressed on a page %s", (_, one, reason) => {
  expect(pressReasons([one], AUTO)[0]).toEqual({ pressed: true, reason });
});

test.each([
  ["deletes", button("Delete")],
  ["submits by its type", button("Search", { attributes: { type: "submit" } })],
  ["submits because it is in a form", button("Search", { xpath: "/html/body/form/p/button" })],
])("a page whose only button %s gives no reason to press controls on it", (_, one) => {
  expect(pressReasons([page([one])], AUTO)[0]?.pressed).toBe(false);
});

test("controls are pressed on pages that have buttons besides those in the header of the site", () => {
  const header = [button("Theme"), button("Menu")];
  const pages = [page(header), page([...header, button("Photos")]), page([button("Photos")]), page(header)];
  expect(pressReasons(pages, AUTO).map(({ pressed }) => pressed)).toEqual([false, true, false, false]);
});

test("an exploration without a browser presses no controls, and one in the mode interactive presses controls on every page", () => {
  const some = page([button("Photos")]);
  expect(pressReasons([some], { mode: "auto", render: "http" })[0]?.pressed).toBe(false);
  expect(pressReasons([page([])], { mode: "interactive", render: "auto" })[0]?.pressed).toBe(true);
});

test("a page has controls worth pressing if it has tabs, or a button that no earlier page has", () => {
  const menu = button("Menu");
  const pages = [
    page([menu]),
    page([menu, button("Photos")]),
    page([menu, button("Team", { role: "tab" })]),
    page([menu, button("Photos")]),
    undefined,
  ];
  expect(controlOffers(pages)).toEqual([false, true, true, false, false]);
});

test("a page probably has a form for something new if it has a button such as Create that is not on most pages", () => {
  const [create, header] = [button("Create"), button("New message")];
  const pages = [
    page([header]),
    page([header, create]),
    page([header, button("New project")]),
    page([header, create]),
    page([header, button("Add to calendar", { attributes: { type: "submit" } })]),
  ];
  expect(formButtons(pages)).toEqual([[], ["Create"], ["New project"], ["Create"], []]);
});
