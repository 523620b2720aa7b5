/** Finds out whether a page has a control with a name, even if the page does not show the control. */
import type { Tab } from "../tabs/browser-tab.ts";

/** Whether the page has a link or a button with exactly this name, even if it is hidden. */
export async function hasHiddenControl(tab: Tab, name: string): Promise<boolean> {
  const script = `[...document.querySelectorAll("a[href], button, [role=menuitem], input[type=submit]")]
    .some((element) => [element.textContent, element.value, element.getAttribute("aria-label")]
      .some((text) => text && text.replace(/\\s+/g, " ").trim().toLowerCase() === ${JSON.stringify(plainName(name))}))`;
  // If the page cannot be read right now, the result is `false`. The login then checks again until its time
  // limit.
  return (await tab.answer(tab.frames.evaluate(tab.frames.main, script)).catch(() => false)) === true;
}

function plainName(name: string): string {
  return name.replace(/\s+/g, " ").trim().toLowerCase();
}
