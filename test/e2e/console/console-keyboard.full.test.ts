/**
 * Goes through the console's first steps with the keyboard alone, in both themes: explore, go to a screen,
 * answer a question, approve, recover a failed step, replay a dead letter.
 */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { ConsoleBrowser, EXPLORED, SEEN } from "./console-test-browser.ts";

setDefaultTimeout(600_000);
/** Maximum number of presses of the Tab key before the wanted element must have the focus. */
const MOST_TABS = 400;

const browser = await ConsoleBrowser.launch();

afterAll(async () => {
  await browser.close();
});

afterEach(async () => {
  await browser.closePages();
});

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Presses Tab until the element has the focus. Fails when the element cannot be reached, or shows no focus. */
async function focus(page: Page, target: Locator): Promise<void> {
  await target.waitFor(SEEN);
  for (let tabs = 0; !(await hasFocus(target)); tabs += 1) {
    if (tabs === MOST_TABS) throw new Error(`${target} cannot be reached with the Tab key.`);
    await page.keyboard.press("Tab");
  }
  const isShown = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  });
  expect(isShown).toBe(true);
}

async function press(page: Page, target: Locator): Promise<void> {
  await focus(page, target);
  await page.keyboard.press("Enter");
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await focus(page, target);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`a person can do the first steps in the console with the keyboard alone, in the ${colorScheme} theme`, async () => {
    const data = await dataFolder();
    const cairn = await Cairn.start({ data: data.path });
    try {
      const page = await browser.open(cairn.url, "/", { colorScheme });
      const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
      const state = (text: string) => page.locator("#state", { hasText: text }).waitFor(SEEN);
      const shows = (address: string | RegExp) =>
        page.locator(".picture figcaption", { hasText: address }).waitFor(SEEN);

      await press(page, button("Try it"));
      await page.waitForURL(/\/explorations\/./, SEEN);
      await page.locator("#state", { hasText: "completed" }).waitFor(EXPLORED);
      await press(page, page.getByRole("link", { name: "try-it", exact: true }));
      await type(page, page.getByLabel("Find a screen"), "invoice settings");
      await press(page, page.getByRole("link", { name: "Invoice settings" }));
      await press(page, button("Take me there"));
      await press(page, page.getByRole("link", { name: "see it in try-it" }));
      await shows("/settings/invoices");
      await press(page, page.getByRole("button", { name: /^\d+ Desk/ }));
      await press(page, button("Click"));
      await shows("/desk");

      await press(page, page.getByRole("link", { name: "Give it a task" }));
      await type(page, page.getByRole("textbox", { name: "Task" }), "Click Edit note");
      await press(page, button("Plan it"));
      await page.getByText(/round 1 of 3/).waitFor(SEEN);
      await focus(page, page.getByRole("radio").first());
      await page.keyboard.press("ArrowDown");
      await press(page, button("Submit"));
      await press(page, button("Execute"));
      await state("completed");
      await shows("/desk/notes/2");

      await press(page, button("Back"));
      await shows(/\/desk$/);
      await type(
        page,
        page.getByRole("textbox", { name: "Task" }),
        'Click "Sort by date", then click "Print list"',
      );
      await press(page, button("Plan it"));
      await press(page, button("Execute"));
      await state("mid_exec_dialog");
      await press(page, button("Retry"));
      await state("completed");
      expect(browser.takeProblems()).toEqual([]);

      const broken = { type: "STATES", fields: { states: [null], transitions: [] } };
      await cairn.post("/api/actors/knowledge/try-it/commands", broken);
      await press(page, page.getByRole("link", { name: "Dead letters", exact: true }));
      const letter = page.locator(".letter", { hasText: "try-it" }).first();
      await press(page, letter.getByRole("button", { name: "Replay" }));
      await page.getByText("It failed again").first().waitFor(SEEN);
      await press(page, letter.getByRole("button", { name: "Discard" }));
      await page.getByText("There are no dead letters.").waitFor(SEEN);
      // The replay of the dead letter fails with status 500, which the browser reports as an error of the
      // page. This error is expected here.
      expect(browser.takeProblems().filter((problem) => !/status of 500/.test(problem))).toEqual([]);
    } finally {
      // The pages are closed before Cairn is stopped. Otherwise their lost sockets would count as errors of
      // the pages.
      await browser.closePages();
      await cairn.stop();
      await data.remove();
    }
  });
}
