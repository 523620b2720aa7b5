/**
 * Decides whether an exploration presses the controls of a page. In the mode `auto`, controls are pressed
 * only on some pages: those with tabs, with content that scripts create, or with buttons that most other
 * pages do not have.
 */

import type { Control, PageControls } from "../../records/page-control-records.ts";
import type { PageRecord } from "../../records/page-records.ts";
import { riskOf } from "../../risk/risk-classes.ts";
import type { ExplorationMode, Rendering } from "../exploration-request.ts";
import { advances, createsThing } from "./controls-to-press.ts";
import type { PressDecision } from "./press-phase-input-and-result.ts";

/** Maximum number of the page's buttons that the reason for pressing its controls names. */
const NAMED = 3;
/**
 * A button that is on more than this share (0 to 1) of the site's kinds of pages belongs to the frame of the
 * site, such as its header.
 */
const OF_SITE = 1 / 2;
/**
 * The frame of a site, such as its header, is on pages of every kind. Cairn decides which buttons belong to
 * the frame only if the site has at least this number of kinds of pages.
 */
const FEW_KINDS = 3;
const SWITCHES = new Set(["tab", "menuitem"]);

type Reason = Pick<PressDecision, "pressed" | "reason">;
type ReadPage = Pick<PageRecord, "controls" | "rendered_by" | "render_reason" | "internal_links">;

/**
 * Decides for each page whether its controls are pressed. Buttons that most pages have, such as those in the
 * site's header, are no reason to press controls. Buttons that an earlier page of the list has are no reason
 * either.
 *
 * @param pages one page of each kind; `undefined` for a page that could not be read
 */
export function pressReasons(
  pages: readonly (ReadPage | undefined)[],
  { mode, render }: { readonly mode: ExplorationMode; readonly render: Rendering },
): readonly Reason[] {
  if (mode === "interactive") return pages.map(() => ({ pressed: true, reason: "asked for" }));
  if (render === "http")
    return pages.map(() => ({ pressed: false, reason: "render: http asks for no browser" }));
  const own = ownButtons(pages);
  return pages.map((page, at) => {
    if (!page) return { pressed: true, reason: "it could not be read by its address" };
    const reason = reasonOf(page, own[at] ?? []);
    const isDeadEnd = pages.length === 1 && page.internal_links === 0;
    return isDeadEnd && !reason.pressed
      ? { pressed: true, reason: "it is the only page, and no link leads on" }
      : reason;
  });
}

/**
 * Returns, for each page, whether it has controls worth pressing: tabs, menu entries, or buttons. Buttons
 * that most pages or an earlier page have do not count.
 */
export function controlOffers(pages: readonly (ReadPage | undefined)[]): readonly boolean[] {
  const own = ownButtons(pages);
  return pages.map((page, at) => page !== undefined && (switchesOf(page) > 0 || (own[at] ?? []).length > 0));
}

/**
 * Returns, for each page, the names of its buttons that probably open a form for something new, such as "New
 * project". Equal names count on each page, because the button "Create" opens another form on each page.
 */
export function formButtons(pages: readonly (ReadPage | undefined)[]): readonly (readonly string[])[] {
  const isOfSite = siteButtons(pages);
  return pages.map((page) =>
    (page ? buttonsOf(page) : []).flatMap((button) =>
      createsThing(button.name) && isPressed(button) && !isOfSite(button) ? [button.name] : [],
    ),
  );
}

/**
 * Returns for each page the buttons that no earlier page has. Buttons on the whole site, such as those in its
 * menu, are left out.
 */
function ownButtons(pages: readonly (ReadPage | undefined)[]): readonly (readonly Control[])[] {
  const isOfSite = siteButtons(pages);
  const seen = new Set<string>();
  return pages.map((page) => {
    const own = (page ? buttonsOf(page) : []).filter(
      (button) => isPressed(button) && !isOfSite(button) && !seen.has(keyOf(button)),
    );
    for (const button of own) seen.add(keyOf(button));
    return own;
  });
}

/** Returns a function that says whether a button belongs to the frame of the site, such as its header. */
function siteButtons(pages: readonly (ReadPage | undefined)[]): (button: Control) => boolean {
  const kinds = new Map<string, number>();
  for (const page of pages) {
    const keys = new Set(page ? buttonsOf(page).map(keyOf) : []);
    for (const key of keys) kinds.set(key, (kinds.get(key) ?? 0) + 1);
  }
  return (button) => pages.length >= FEW_KINDS && (kinds.get(keyOf(button)) ?? 0) > pages.length * OF_SITE;
}

function switchesOf(page: ReadPage): number {
  return buttonsOf(page).filter(({ role }) => SWITCHES.has(role)).length;
}

function buttonsOf({ controls }: ReadPage): readonly Control[] {
  // The cast is safe: the crawl wrote this text from `PageControls`.
  return (JSON.parse(controls) as PageControls).buttons;
}

/**
 * Returns whether the controls of a page are pressed, and why.
 *
 * @param own the buttons of the page that are neither on most pages nor on an earlier page of the list
 */
function reasonOf(page: ReadPage, own: readonly Control[]): Reason {
  if (page.rendered_by === "browser")
    return { pressed: true, reason: `it was rendered: ${page.render_reason ?? "asked for"}` };
  const switches = switchesOf(page);
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

/**
 * Whether an exploration may press the button: it does not submit a form, and its name does not indicate a
 * change of data.
 */
function isPressed({ role, name, xpath, attributes }: Control): boolean {
  if (SWITCHES.has(role) || name === "" || riskOf({ name, attributes }) !== undefined) return false;
  // A button inside a form submits the form if its `type` is `submit` or absent.
  const { type } = attributes;
  const submits = type === "submit" || (type === undefined && /\/form\b/.test(xpath));
  return !submits || advances(name);
}
