/**
 * Reports changes in the documents of a tab while a caller follows the session. Each watched document has one
 * pending call, which returns when something has changed.
 */
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { DocumentChange } from "../../page-script/observe/document-changes.ts";
import { type Frame, Frames } from "./frames.ts";

export class ChangeWatcher {
  readonly #frames: Frames;
  readonly #told: (news: DocumentChange) => void;
  /** Keys of the documents with a pending call. */
  readonly #asked = new Set<string>();
  #on = false;

  constructor(frames: Frames, told: (news: DocumentChange) => void) {
    this.#frames = frames;
    this.#told = told;
  }

  set(on: boolean): void {
    if (on === this.#on) return;
    this.#on = on;
    for (const frame of this.#frames.all()) {
      if (on) this.arrived(frame);
      // A document that is gone watches nothing.
      else if (this.#asked.has(Frames.document(frame)))
        this.#frames.call(frame, "documentChanges", "stop").catch(() => {});
    }
  }

  /** Called when a frame shows another document. */
  arrived(frame: Frame): void {
    const document = Frames.document(frame);
    if (!this.#on || this.#asked.has(document)) return;
    this.#asked.add(document);
    // Not awaited: the loop ends with its document or with the tab.
    this.#follow(frame, document)
      .catch(() => {})
      .finally(() => this.#asked.delete(document));
  }

  async #follow(frame: Frame, document: string): Promise<void> {
    const { quiet, most } = sessionLimits.watching;
    while (this.#on && Frames.document(frame) === document) {
      const news = await this.#frames.later(frame, "documentChanges", "next", quiet, most);
      if (news && this.#on) this.#told(news);
    }
  }
}
