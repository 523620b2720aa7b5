/**
 * Decides whether the controls of a page are pressed. In the mode `auto` they are only if the page's links do
 * not lead to further pages.
 */
import type { PageControls, PageRecord } from "../records.ts";
import type { PressDecision } from "./press-batch.ts";
import type { ExplorationMode } from "./protocol.ts";

/**
 * An ordinary page has up to this number of buttons, such as a search, a theme switch, a menu for small
 * screens.
 */
const FEW_BUTTONS = 4;
const SWITCHES = new Set(["tab", "menuitem"]);

type Reason = Pick<PressDecision, "pressed" | "reason">;

/** @param page the page as it was read; `undefined` when it could not be read */
export function pressReason(
  page: Pick<PageRecord, "controls" | "rendered_by" | "render_reason" | "internal_links"> | undefined,
  mode: ExplorationMode | undefined,
): Reason {
  if (mode === "interactive") return { pressed: true, reason: "asked for" };
  if (!page) return { pressed: true, reason: "it could not be read by its address" };
  if (page.rendered_by === "browser") {
    return { pressed: true, reason: `scripts make it: ${page.render_reason ?? "it was rendered"}` };
  }
  // The cast is safe: the text was written from `PageControls`.
  const { buttons } = JSON.parse(page.controls) as PageControls;
  const switches = buttons.filter(({ role }) => SWITCHES.has(role)).length;
  if (switches > 0) return { pressed: true, reason: `it has ${switches} tabs or menu entries` };
  const plain = buttons.filter(({ attributes: { type } }) => type !== "submit").length;
  if (plain > FEW_BUTTONS) return { pressed: true, reason: `it has ${plain} buttons outside of forms` };
  return { pressed: false, reason: `its links lead on: ${page.internal_links}, and ${plain} buttons` };
}
