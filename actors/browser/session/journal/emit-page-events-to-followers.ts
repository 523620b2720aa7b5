/**
 * Emits the events of a session's pages to callers that follow the session: navigations, changes and
 * contents. Navigations are always emitted, because they are known without extra work. Changes and contents
 * are observed only while a caller requests them.
 */

import type { PageEvent } from "../../../../machines/session/build-session-events.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { ScreenContent } from "../../../../machines/session/session-protocol.ts";
import type { DocumentChange } from "../../page-script/observe/page-changes-for-event-stream.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { ChangeWatcher } from "../tabs/document-change-watcher.ts";

export interface PageEventFilter {
  /** Whether the caller gets `dom_change` events. */
  readonly changes: boolean;
  /** Whether the caller gets `screen_content_update` events. */
  readonly content: boolean;
}

export interface TimedContent {
  readonly tab: number;
  readonly screen_content: ScreenContent;
  /** Milliseconds that taking the snapshot took. Waiting for earlier requests is not included. */
  readonly duration: number;
}

export interface LiveUpdateOptions {
  readonly emit: (event: PageEvent) => void;
  /**
   * Reads the visible content of the page, after all earlier requests to the session. An element in this
   * content does not count as seen by the caller.
   */
  readonly content: () => Promise<TimedContent>;
  /** Returns the index of a tab. A closed tab has a negative index. */
  readonly indexOf: (tab: Tab) => number;
}

export class LiveUpdates {
  readonly #options: LiveUpdateOptions;
  readonly #watchers = new Map<Tab, ChangeWatcher>();
  #filter: PageEventFilter = { changes: false, content: false };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  /** Whether the page has changed while its content was being read. If so, the content is read again. */
  #changedMeanwhile = false;
  /** Earliest time, as a `performance.now()` value, at which the content is read again. */
  #notBefore = 0;
  #lastContent = "";

  constructor(options: LiveUpdateOptions) {
    this.#options = options;
  }

  /**
   * Starts to observe a tab. From now on, the tab's navigations must be reported by calls of `arrived`,
   * `navigated` and `loaded`.
   */
  add(tab: Tab): void {
    const watcher = new ChangeWatcher(tab.frames, {
      onChange: (change) => this.#onChange(tab, change),
      // The page may have changed after the content was read and before the document was observed.
      onObserved: () => this.contentMayHaveChanged(),
    });
    this.#watchers.set(tab, watcher);
    watcher.setEnabled(this.#isWatching);
  }

  remove(tab: Tab): void {
    this.#watchers.get(tab)?.setEnabled(false);
    this.#watchers.delete(tab);
    this.contentMayHaveChanged();
  }

  /** Must be called when a frame of a tab shows another document. */
  arrived(tab: Tab, frame: Parameters<ChangeWatcher["arrived"]>[0]): void {
    this.#watchers.get(tab)?.arrived(frame);
  }

  navigated(tab: Tab, url: string, within_document: boolean): void {
    this.#emit(tab, (index) => ({ type: "page_navigation", url, within_document, tab: index }));
  }

  loaded(tab: Tab, url: string): void {
    this.#emit(tab, (index) => ({ type: "page_load_complete", url, tab: index }));
  }

  failed(code: string, error: string): void {
    this.#options.emit({ type: "browser_error", code, error });
  }

  setFilter(filter: PageEventFilter): void {
    this.#filter = filter;
    for (const watcher of this.#watchers.values()) watcher.setEnabled(this.#isWatching);
    if (filter.content) this.contentMayHaveChanged();
    else {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#lastContent = "";
    }
  }

  /** Called when the visible content may have changed, so that it is read and sent again. */
  contentMayHaveChanged(): void {
    if (!this.#filter.content || this.#timer !== undefined) return;
    if (this.#isReading) {
      this.#changedMeanwhile = true;
      return;
    }
    const delay = Math.max(0, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // The error is ignored: a page that hangs, navigates or shows a dialog cannot be read now. Its next
      // change starts a new read.
      this.#readContent().catch(() => {});
    }, delay);
  }

  close(): void {
    this.setFilter({ changes: false, content: false });
    this.#watchers.clear();
  }

  get #isWatching(): boolean {
    return this.#filter.changes || this.#filter.content;
  }

  #emit(tab: Tab, event: (index: number) => PageEvent): void {
    const index = this.#options.indexOf(tab);
    if (index >= 0) this.#options.emit(event(index));
    this.contentMayHaveChanged();
  }

  #onChange(tab: Tab, { view: _, ...change }: DocumentChange): void {
    this.contentMayHaveChanged();
    const type = changeType(change);
    const index = this.#options.indexOf(tab);
    if (type === undefined || index < 0 || !this.#filter.changes) return;
    const { added, removed, texts, url, attributes, targets, said } = change;
    this.#options.emit({
      type: "dom_change",
      change_type: type,
      tab: index,
      url,
      added,
      removed,
      texts,
      attributes: [...attributes],
      targets: [...targets],
      said: [...said],
    });
  }

  async #readContent(): Promise<void> {
    this.#isReading = true;
    try {
      const { contentEvery, contentShare } = sessionLimits.watching;
      this.#notBefore = performance.now() + contentEvery;
      const { tab, duration, screen_content } = await this.#options.content();
      this.#notBefore = Math.max(this.#notBefore, performance.now() + duration * contentShare);
      const content = JSON.stringify([tab, screen_content]);
      if (content === this.#lastContent || !this.#filter.content) return;
      this.#lastContent = content;
      this.#options.emit({ type: "screen_content_update", tab, screen_content });
    } finally {
      this.#isReading = false;
      if (this.#changedMeanwhile) {
        this.#changedMeanwhile = false;
        this.contentMayHaveChanged();
      }
    }
  }
}

function changeType({ added, removed, texts, attributes }: Omit<DocumentChange, "view">) {
  const kinds = [
    ...(added + removed > 0 ? (["nodes"] as const) : []),
    ...(texts > 0 ? (["text"] as const) : []),
    ...(attributes.length > 0 ? (["attributes"] as const) : []),
  ];
  return kinds.length > 1 ? "mixed" : kinds[0];
}
