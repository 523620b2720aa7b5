/**
 * Watches the documents of a tab while a client follows the session. For each document, a call into the page
 * returns when the document has changed. The call is then repeated.
 */
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { DocumentChange } from "../../page-script/observe/page-changes-for-event-stream.ts";
import { type Frame, Frames } from "./tab-frames.ts";

export class ChangeWatcher {
  readonly #frames: Frames;
  readonly #report: (change: DocumentChange) => void;
  /** Keys of the documents with a running call that waits for changes. */
  readonly #pending = new Set<string>();
  #isEnabled = false;

  constructor(frames: Frames, report: (change: DocumentChange) => void) {
    this.#frames = frames;
    this.#report = report;
  }

  setEnabled(enabled: boolean): void {
    if (enabled === this.#isEnabled) return;
    this.#isEnabled = enabled;
    for (const frame of this.#frames.all()) {
      if (enabled) this.arrived(frame);
      // The call fails if the document was replaced. The observation of that document has then ended anyway,
      // so the error is ignored.
      else if (this.#pending.has(Frames.documentKey(frame)))
        this.#frames.call(frame, "documentChanges", "stop").catch(() => {});
    }
  }

  /** Must be called when a frame shows another document, so that its changes are observed too. */
  arrived(frame: Frame): void {
    const document = Frames.documentKey(frame);
    if (!this.#isEnabled || this.#pending.has(document)) return;
    this.#pending.add(document);
    // The promise is not awaited: it settles only when the document is replaced or the tab is closed.
    this.#follow(frame, document)
      .catch(() => {})
      .finally(() => this.#pending.delete(document));
  }

  async #follow(frame: Frame, document: string): Promise<void> {
    const { quiet, most: maximum } = sessionLimits.watching;
    while (this.#isEnabled && Frames.documentKey(frame) === document) {
      const change = await this.#frames.callAsync(frame, "documentChanges", "next", quiet, maximum);
      if (change && this.#isEnabled) this.#report(change);
    }
  }
}
