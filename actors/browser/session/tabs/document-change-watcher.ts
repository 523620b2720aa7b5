/**
 * Watches the documents of a tab while a client follows the session. For each document, a call into the page
 * returns when the document has changed. The call is then repeated.
 */
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { DocumentChange } from "../../page-script/observe/page-changes-for-event-stream.ts";
import { type Frame, Frames } from "./tab-frames.ts";

export interface ChangeWatcherOptions {
  readonly onChange: (change: DocumentChange) => void;
  /** Called when a document is observed. Its earlier changes are not reported. */
  readonly onObserved: () => void;
}

export class ChangeWatcher {
  readonly #frames: Frames;
  readonly #options: ChangeWatcherOptions;
  /** Keys of the documents with a running call that waits for changes. */
  readonly #pending = new Set<string>();
  #isEnabled = false;

  constructor(frames: Frames, options: ChangeWatcherOptions) {
    this.#frames = frames;
    this.#options = options;
  }

  setEnabled(enabled: boolean): void {
    if (enabled === this.#isEnabled) return;
    this.#isEnabled = enabled;
    for (const frame of this.#frames.all()) {
      if (enabled) this.arrived(frame);
      else if (this.#pending.has(Frames.documentKey(frame))) {
        // The call of `stop` fails if the document was replaced. The observation of that document has then
        // ended anyway, so the error is ignored.
        this.#frames.call(frame, "documentChanges", "stop").catch(() => {});
      }
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
    let isObserved = false;
    while (this.#isEnabled && Frames.documentKey(frame) === document) {
      if (!isObserved) {
        await this.#frames.call(frame, "documentChanges", "observe");
        this.#options.onObserved();
      }
      const change = await this.#frames.callAsync(frame, "documentChanges", "next", quiet, maximum);
      if (change && this.#isEnabled) this.#options.onChange(change);
      // `next` returns no change when the observation was stopped. Clients may have subscribed again since
      // then, so the loop starts the observation again.
      isObserved = change !== undefined;
    }
  }
}
