/**
 * Decides whether the controls of a page are pressed. In the mode `auto` they are only if the page's links do
 * not lead to further pages.
 */
import type { Control, PageControls, PageRecord } from "../records.ts";
import { riskOf } from "../risk/risk-classes.ts";
import type { PressDecision } from "./press-batch.ts";
import { advances } from "./press-choice.ts";
import type { ExplorationMode, Rendering } from "./protocol.ts";

/** Number of buttons that a reason names. */
const NAMED = 3;
/** A button belongs to the whole site when it is on more than this share of the kinds of pages. */
const OF_SITE = 1 / 2;
/** With fewer kinds of pages, one cannot say which buttons belong to the whole site. */
const FEW_KINDS = 3;
const SWITCHES = new Set(["tab", "menuitem"]);

type Reason = Pick<PressDecision, "pressed" | "reason">;
type ReadPage = Pick<PageRecord, "controls" | "rendered_by" | "render_reason" | "internal_links">;

/**
 * Decides for one page of each kind. Buttons that are on most kinds of pages, such as those in the header of
 * a site, and buttons that an earlier page has too, are no reason to press on a page.
 *
 * @param pages the pages as they were read; `undefined` for a page that could not be read
 */
export function pressReasons(
  pages: readonly (ReadPage | undefined)[],
  { mode, render }: { readonly mode: ExplorationMode; readonly render: Rendering },
): readonly Reason[] {
  if (mode === "interactive") return pages.map(() => ({ pressed: true, reason: "asked for" }));
  if (render === "http")
    return pages.map(() => ({ pressed: false, reason: "render: http asks for no browser" }));
  const buttons = pages.map((page) => (page ? buttonsOf(page) : []));
  const kinds = new Map<string, number>();
  for (const of of buttons)
    for (const key of new Set(of.map(keyOf))) kinds.set(key, (kinds.get(key) ?? 0) + 1);
  const seen = new Set<string>();
  return pages.map((page, at) => {
    if (!page) return { pressed: true, reason: "it could not be read by its address" };
    const own = (buttons[at] ?? []).filter((button) => {
      const key = keyOf(button);
      const isOfSite = pages.length >= FEW_KINDS && (kinds.get(key) ?? 0) > pages.length * OF_SITE;
      return isPressed(button) && !isOfSite && !seen.has(key);
    });
    for (const button of own) seen.add(keyOf(button));
    return reasonOf(page, buttons[at] ?? [], own);
  });
}

function buttonsOf({ controls }: ReadPage): readonly Control[] {
  // The cast is safe: the text was written from `PageControls`.
  return (JSON.parse(controls) as PageControls).buttons;
}

/** @param own the buttons that no other page is pressed for */
function reasonOf(page: ReadPage, buttons: readonly Control[], own: readonly Control[]): Reason {
  if (page.rendered_by === "browser")
    return { pressed: true, reason: `it was rendered: ${page.render_reason ?? "asked for"}` };
  const switches = buttons.filter(({ role }) => SWITCHES.has(role)).length;
  if (switches > 0) return { pressed: true, reason: `it has ${switches} tabs or menu entries` };
  if (own.length > 0) {
    const names = own.slice(0, NAMED).map(({ name }) => `"${name}"`);
    const more = own.length > NAMED ? ` and ${own.length - NAMED} more` : "";
    return { pressed: true, reason: `it has buttons of its own: ${names.join(", ")}${more}` };
  }
  const links = `its links lead on (${page.internal_links})`;
  return { pressed: false, reason: `${links}, and it has no buttons of its own` };
}

function keyOf({ role, name }: Control): string {
  return `${role} ${name}`;
}

/** Whether an exploration presses the button: it neither sends a form nor sounds like a change of data. */
function isPressed({ role, name, xpath, attributes }: Control): boolean {
  if (SWITCHES.has(role) || name === "" || riskOf({ name, attributes }) !== undefined) return false;
  // A button in a form sends the form unless it has another type.
  const { type } = attributes;
  const submits = type === "submit" || (type === undefined && /\/form\b/.test(xpath));
  return !submits || advances(name);
}
