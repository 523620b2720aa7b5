/** Tests which texts a press (click) of an exploration has added to a page. */
import { expect, test } from "bun:test";
import { textsAddedByPress } from "../../../../machines/exploration/press/texts-added-by-press.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

function element(textContent: string, more: Partial<HighlightedElement> = {}): HighlightedElement {
  return {
    highlight_index: 0,
    tagName: "button",
    type: "button",
    interactionType: "click",
    selector: "button",
    xpath: "/html/body/main/button",
    textContent,
    role: "button",
    attributes: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
    in_viewport: true,
    frame: [],
    segment: null,
    ...more,
  };
}
const link = (text: string) => element(text, { tagName: "a", role: "link", attributes: { href: "/help" } });

test("the texts that a press adds to the page include the texts and names of controls in a new dialog, but not its links", () => {
  const before = { elements: [element("Invite"), link("Start")], text: "# Users\nTen accounts" };
  const after = {
    elements: [...before.elements, element("Send invitation"), link("Help")],
    text: `${before.text}\n## Invite a colleague\nA colleague gets an e-mail.`,
  };
  expect(textsAddedByPress(before, after)).toEqual([
    "Invite a colleague",
    "A colleague gets an e-mail.",
    "Send invitation",
  ]);
});

test("the texts that a press adds leave out controls in the rows of a list, and have a limited total length", () => {
  const rows = Array.from({ length: 5 }, (_, at) =>
    element(`Open order ${at}`, { xpath: `/html/body/ul/li[${at + 1}]/button` }),
  );
  const text = Array.from({ length: 90 }, (_, at) => `${at} ${"words ".repeat(16)}`).join("\n");
  const texts = textsAddedByPress({ elements: [], text: "" }, { elements: rows, text });
  expect(texts.length).toBeGreaterThan(30);
  expect(texts.length).toBeLessThan(45);
  expect(texts).not.toContain("Open order 1");
});
