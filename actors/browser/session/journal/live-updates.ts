/**
 * Emits the events of a session's pages to callers that follow it: navigations, changes, and contents.
 * Navigations are always emitted, because they are known anyway. Changes and contents are watched only while
 * a caller asks for them.
 */

import { sessionLimits } from "../../../../machines/session/limits.ts";
import type { ScreenContent } from "../../../../machines/session/protocol.ts";
import type { PageEvent } from "../../../../machines/session/session-events.ts";
import type { DocumentChange } from "../../page-script/observe/document-changes.ts";
import { ChangeWatcher } from "../tabs/change-watcher.ts";
import type { Tab } from "../tabs/tab.ts";

/** The events a caller asks for. */
export interface PageEvents {
  /** Emit `dom_change`. */
  readonly changes: boolean;
  /** Emit `screen_content_update`. */
  readonly content: boolean;
}

export interface ShownContent {
  readonly tab: number;
  readonly screen_content: ScreenContent;
  /** Duration of the snapshot in milliseconds, without the time in the queue. */
  readonly took: number;
}

export interface LiveUpdateOptions {
  readonly tell: (event: PageEvent) => void;
  /** The current content, read in its turn by a snapshot that counts as shown to no caller. */
  readonly content: () => Promise<ShownContent>;
  /** Index of a tab; below 0 if the tab is closed. */
  readonly numberOf: (tab: Tab) => number;
}

export class LiveUpdates {
  readonly #options: LiveUpdateOptions;
  readonly #watching = new Map<Tab, ChangeWatcher>();
  #heard: PageEvents = { changes: false, content: false };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking = false;
  /** A change arrived while the content was read. */
  #again = false;
  /** `performance.now()` before which the content is not read again. */
  #notBefore = 0;
  #shown = "";

  constructor(options: LiveUpdateOptions) {
    this.#options = options;
  }

  /** Starts to watch a tab. The tab reports through `arrived`, `went` and `loaded`. */
  add(tab: Tab): void {
    const watching = new ChangeWatcher(tab.frames, (news) => this.#changed(tab, news));
    this.#watching.set(tab, watching);
    watching.set(this.#wanted);
  }

  leave(tab: Tab): void {
    this.#watching.get(tab)?.set(false);
    this.#watching.delete(tab);
    this.touched();
  }

  /** Called when a frame of a tab shows another document. */
  arrived(tab: Tab, frame: Parameters<ChangeWatcher["arrived"]>[0]): void {
    this.#watching.get(tab)?.arrived(frame);
  }

  went(tab: Tab, url: string, within_document: boolean): void {
    this.#tell(tab, (number) => ({ type: "page_navigation", url, within_document, tab: number }));
  }

  loaded(tab: Tab, url: string): void {
    this.#tell(tab, (number) => ({ type: "page_load_complete", url, tab: number }));
  }

  failed(code: string, error: string): void {
    this.#options.tell({ type: "browser_error", code, error });
  }

  set(heard: PageEvents): void {
    this.#heard = heard;
    for (const watching of this.#watching.values()) watching.set(this.#wanted);
    if (heard.content) this.touched();
    else {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#shown = "";
    }
  }

  /** Called when the visible content may have changed. */
  touched(): void {
    if (!this.#heard.content || this.#timer !== undefined) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    const wait = Math.max(0, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // Ignored: a page that hangs, shows a dialog or is navigating is read again at its next change.
      this.#look().catch(() => {});
    }, wait);
  }

  close(): void {
    this.set({ changes: false, content: false });
    this.#watching.clear();
  }

  get #wanted(): boolean {
    return this.#heard.changes || this.#heard.content;
  }

  #tell(tab: Tab, event: (number: number) => PageEvent): void {
    const number = this.#options.numberOf(tab);
    if (number >= 0) this.#options.tell(event(number));
    this.touched();
  }

  #changed(tab: Tab, { view: _, ...news }: DocumentChange): void {
    this.touched();
    const type = changeType(news);
    const number = this.#options.numberOf(tab);
    if (type === undefined || number < 0 || !this.#heard.changes) return;
    const { added, removed, texts, url, attributes, targets, said } = news;
    this.#options.tell({
      type: "dom_change",
      change_type: type,
      tab: number,
      url,
      added,
      removed,
      texts,
      attributes: [...attributes],
      targets: [...targets],
      said: [...said],
    });
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      const { contentEvery, contentShare } = sessionLimits.watching;
      this.#notBefore = performance.now() + contentEvery;
      const { tab, took, screen_content } = await this.#options.content();
      this.#notBefore = Math.max(this.#notBefore, performance.now() + took * contentShare);
      const shown = JSON.stringify([tab, screen_content]);
      if (shown === this.#shown || !this.#heard.content) return;
      this.#shown = shown;
      this.#options.tell({ type: "screen_content_update", tab, screen_content });
    } finally {
      this.#looking = false;
      if (this.#again) {
        this.#again = false;
        this.touched();
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
