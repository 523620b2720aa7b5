/**
 * Decides whether an exploration waits until an opened page shows one of the buttons that the crawl has found
 * in the page's HTML.
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { explorationLimits } from "../exploration-limits.ts";
import { nameOf } from "./page-state-by-visible-controls.ts";

export class ExpectedButtons {
  #pages = 0;

  /** Whether to wait for these buttons: none of them is shown yet, and they may still appear. */
  areAwaited(elements: readonly HighlightedElement[], names: readonly string[]): boolean {
    if (names.length === 0 || this.#pages >= explorationLimits.pressing.pagesWithoutButtons) return false;
    return !elements.some((element) => names.includes(nameOf(element)));
  }

  /** Records that the buttons of a page have not appeared in time. */
  giveUp(): void {
    this.#pages += 1;
  }
}
