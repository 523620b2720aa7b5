/**
 * Hears what changes in the documents of a tab, while somebody follows its room, and nothing otherwise.
 *
 * Each document that is watched holds one question open, which it answers when something changed. Neighbours:
 * `injected/watch.ts` answers, `frames.ts` says which documents there are, `following.ts` tells what comes of it.
 */
import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { DocumentChange } from "../../page-script/observe/document-changes.ts";
import { type Frame, Frames } from "./frames.ts";

export class ChangeWatcher {
  readonly #frames: Frames;
  readonly #told: (news: DocumentChange) => void;
  /** The documents that hold a question open. */
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
      // One that is gone watches nothing.
      else if (this.#asked.has(Frames.document(frame)))
        this.#frames.call(frame, "documentChanges", "stop").catch(() => {});
    }
  }

  /** A frame shows another document. */
  arrived(frame: Frame): void {
    const document = Frames.document(frame);
    if (!this.#on || this.#asked.has(document)) return;
    this.#asked.add(document);
    // It ends with its document, or with the whole tab: nobody waits for it.
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
