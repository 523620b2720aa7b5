/**
 * Operates the console by keyboard as the guide's page `console.md` describes it, in both themes. The focus
 * must be visible after each press of Tab, and no action may lead to a page without a focused element.
 */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { ConsoleBrowser, EXPLORED, SEEN } from "./console-test-browser.ts";

setDefaultTimeout(600_000);
/** Maximum number of presses of Tab until the focus reaches the next control that the test uses. */
const MOST_TABS = 40;
/**
 * After an action, the focus must reach the control for the next decision within this number of presses of
 * Tab.
 */
const NEAR = 6;
/**
 * Time in milliseconds by which one answer of Cairn is delayed. The test presses Tab during the delay, which
 * takes far less time.
 */
const LATE = 2_000;
/** Minimum contrast between the outline of the focused element and its surroundings (WCAG 2.2, 1.4.11). */
const LEAST_CONTRAST = 3;

const browser = await ConsoleBrowser.launch();

afterAll(async () => {
  await browser.close();
});

afterEach(async () => {
  await browser.closePages();
});

/**
 * Returns the faults of the outline around the focused element: it is missing, it is cut off, or its contrast
 * is too low.
 */
function focusProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate((leastContrast) => {
    const element = document.activeElement;
    // After the last control, Tab leaves the document and then starts at its beginning. In between, no
    // element has the focus.
    if (!(element instanceof HTMLElement) || element === document.body) return [];
    // A newly opened view moves the focus to its heading. A heading cannot be operated, so it needs no
    // outline.
    if (element.tagName === "H1") return [];
    const name = `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40)}`;
    const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(element);
    if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) return [`${name}: no outline`];
    const problems: string[] = [];
    const numbers = (colour: string): readonly number[] => colour.match(/[\d.]+/g)?.map(Number) ?? [];
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = numbers(colour).map((part) => {
        const share = part / 255;
        return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const grow = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
    let behind: Element | null = grow > 0 ? element.parentElement : element;
    while (behind && (numbers(getComputedStyle(behind).backgroundColor)[3] ?? 1) < 1)
      behind = behind.parentElement;
    const ground = luminance(behind ? getComputedStyle(behind).backgroundColor : "rgb(255, 255, 255)");
    const line = luminance(outlineColor);
    const contrast = (Math.max(ground, line) + 0.05) / (Math.min(ground, line) + 0.05);
    if (contrast < leastContrast) problems.push(`${name}: contrast ${contrast.toFixed(1)}`);
    const box = element.getBoundingClientRect();
    for (let frame = element.parentElement; frame; frame = frame.parentElement) {
      if (getComputedStyle(frame).overflowX === "visible") continue;
      const { left, right } = frame.getBoundingClientRect();
      if (box.left - grow < left - 1 || box.right + grow > right + 1) problems.push(`${name}: cut off`);
    }
    return problems;
  }, LEAST_CONTRAST);
}

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluateAll((elements) => elements.some((element) => element === document.activeElement));

/** Presses Tab until one of the elements has the focus. */
async function tabTo(page: Page, target: Locator, most = MOST_TABS): Promise<void> {
  await target.first().waitFor(SEEN);
  for (let tabs = 0; !(await isFocused(target)); tabs += 1) {
    if (tabs === most) throw new Error(`${target} is more than ${most} presses of Tab away.`);
    await page.keyboard.press("Tab");
    expect(await focusProblems(page)).toEqual([]);
  }
}

async function press(page: Page, target: Locator, most = MOST_TABS): Promise<void> {
  await tabTo(page, target, most);
  await page.keyboard.press("Enter");
}

async function fill(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

/**
 * Waits until an element has the focus again. The next press of Tab then moves the focus from that element.
 */
async function keepsFocus(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement !== document.body, undefined, SEEN);
}

/** Waits until the element has the focus. */
async function hasFocus(target: Locator): Promise<void> {
  await target.and(target.page().locator(":focus")).waitFor(SEEN);
}

/**
 * Opens the command palette, types the words, and opens the named entry: a view, an actor, a map or a
 * session.
 */
async function go(page: Page, words: string, entry: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await page.keyboard.type(words);
  const wanted = palette.getByRole("option", { name: entry, exact: true });
  await wanted.waitFor(SEEN);
  const entries = await palette.getByRole("option").count();
  for (let keys = 0; (await wanted.getAttribute("aria-selected")) !== "true"; keys += 1) {
    if (keys > entries) throw new Error(`The arrow keys do not choose ${entry}.`);
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await palette.waitFor({ ...SEEN, state: "hidden" });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`every step that the guide describes in the console can be done by keyboard, in the ${colorScheme} theme`, async () => {
    const data = await dataFolder();
    const cairn = await Cairn.start({ data: data.path });
    try {
      const page = await browser.open(cairn.url, "/", { colorScheme });
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      const link = (name: string) => page.getByRole("link", { name, exact: true });
      const state = (text: string) => page.getByText(text, { exact: true }).first();
      const address = (end: RegExp) => page.getByText(end).first().waitFor(SEEN);
      const said = (words: string) =>
        page.getByRole("list", { name: "Messages" }).getByText(words, { exact: true }).waitFor(SEEN);

      // Follows step 1 of the guide's page `console.md`: presses the button "Try it".
      await press(page, button("Try it"));
      await state("completed").waitFor(EXPLORED);

      // Follows step 2 of the guide's page `console.md`: finds a screen on the map and goes there.
      await go(page, "try-it map", "try-it map");
      await fill(page, page.getByRole("searchbox", { name: "Find a screen" }), "Invoice settings");
      // The test delays the list of sessions, as a slow machine would. The button "Take me there" needs
      // this list, and the Tab key must still reach the button.
      await page.route("**/api/actors?kind=session*", async (route) => {
        await Bun.sleep(LATE);
        await route.continue();
      });
      await press(page, link("Invoice settings"));
      await hasFocus(page.getByRole("region", { name: "Invoice settings" }));
      await press(page, button("Take me there"), NEAR);
      await page.unrouteAll({ behavior: "wait" });
      await page.getByText("Arrived").first().waitFor(SEEN);
      await keepsFocus(page);

      // Follows steps 3 and 4 of the guide's page `console.md`: opens the page with notes in the session, gives a
      // task, answers a question, and approves the plan.
      const openNotes = async (): Promise<void> => {
        await go(page, "try-it session", "try-it session");
        await fill(page, page.getByRole("searchbox", { name: "Find an element" }), "Desk");
        await press(page, page.getByRole("button", { name: /^\d+ Desk/ }));
        await press(page, button("Click"));
        await address(/\/desk$/);
        await keepsFocus(page);
        await press(page, link("Give it a task"));
      };
      const task = page.getByRole("textbox", { name: "Task" });
      await openNotes();
      await fill(page, task, "Click Edit note");
      await press(page, button("Plan it"));
      await page.getByText('Which "Edit note" is meant?').first().waitFor(SEEN);
      await tabTo(page, page.getByRole("radio"));
      await page.keyboard.press("ArrowDown");
      await press(page, button("Submit"));
      await button("Execute").waitFor(SEEN);
      await said("Edit note 2");
      await keepsFocus(page);
      await press(page, button("Execute"), NEAR);
      await state("completed").waitFor(SEEN);
      await address(/\/desk\/notes\/2$/);
      await said("Execute");
      await keepsFocus(page);

      // Follows step 5 of the guide's page `console.md`: a step of a task fails, and the person repeats it.
      await openNotes();
      await fill(page, task, 'Click "Sort by date", then click "Print list"');
      await press(page, button("Plan it"));
      await press(page, button("Execute"));
      await button("Retry").waitFor(SEEN);
      await page.getByText('Found similar: "Print sorted list" button').waitFor(SEEN);
      await keepsFocus(page);
      await press(page, button("Retry"), NEAR);
      await state("completed").waitFor(SEEN);
      await said("Retry");
      await keepsFocus(page);
      expect(browser.takeProblems()).toEqual([]);

      // Follows step 6 of the guide's page `console.md`: sends an actor a message that it cannot handle, then
      // replays and discards the dead letter.
      await go(page, "knowledge try-it", "knowledge try-it actor");
      await tabTo(page, page.getByRole("combobox", { name: "Command" }));
      await page.keyboard.type("IMP");
      await fill(page, page.getByRole("textbox", { name: "Part" }), '"no part of a map"');
      await press(page, button("Send IMPORT"));
      await page
        .getByText(/dead letter/)
        .last()
        .waitFor(SEEN);
      await keepsFocus(page);
      await go(page, "dead letters", "Dead letters view");
      await press(page, button("Replay"));
      await page.getByText("It failed again").waitFor(SEEN);
      await keepsFocus(page);
      await press(page, button("Discard"));
      await page.getByText("There are no dead letters.").waitFor(SEEN);
      await keepsFocus(page);
      // The command and the replay of its dead letter fail with status 500. The browser reports both as
      // errors of the page, and they are expected.
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
