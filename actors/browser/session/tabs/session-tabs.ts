/**
 * The tabs of a session, in the order of their indices. One of them is the active tab, on which actions run
 * and which is read.
 */
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { PreparedPage } from "../../chromium/empty-page-for-next-session.ts";
import { ActionFailure } from "../action-error.ts";
import type { Data } from "../actions/pointer-and-key-input.ts";
import type { Tab, TabOptions } from "./browser-tab.ts";
import type { PageOpener } from "./open-pages-for-session.ts";

/** How a tab is attached to a page of the browser. */
export type TabAttachment = Pick<TabOptions, "attachedSessionId" | "empty">;

export interface SessionTabsOptions {
  readonly pageOpener: PageOpener;
  /** The page that the browser has prepared for this session. The first opened tab uses it. */
  readonly preparedPage: PreparedPage | undefined;
  readonly attach: (targetId: string, attachment: TabAttachment) => Promise<Tab>;
  readonly onAdded: (tab: Tab) => void;
  readonly onRemoved: (tab: Tab) => void;
  /** Called when the last tab was removed. */
  readonly onEmpty: () => void;
}

export class SessionTabs {
  readonly #options: SessionTabsOptions;
  readonly #all: Tab[] = [];
  readonly #closed = new WeakSet<Tab>();
  #preparedPage: PreparedPage | undefined;
  #active: Tab | undefined;

  constructor(options: SessionTabsOptions) {
    this.#options = options;
    this.#preparedPage = options.preparedPage;
  }

  get all(): readonly Tab[] {
    return this.#all;
  }

  get active(): Tab | undefined {
    return this.#active;
  }

  /** Returns the active tab. Throws if the session has no tab. */
  activeOrFail(): Tab {
    if (!this.#active) throw new ActionFailure("failed", "The session has no tab that can be used.");
    return this.#active;
  }

  /**
   * Returns the index of the tab, or -1 if the tab is closed. For a tab that is not in the list of tabs yet,
   * returns the index at the end of the list, where the tab will be added.
   */
  indexOf(tab: Tab): number {
    if (this.#closed.has(tab)) return -1;
    return this.#all.includes(tab) ? this.#all.indexOf(tab) : this.#all.length;
  }

  /** Returns the indices of the tabs that are not among the earlier ones. */
  indicesWithout(earlier: ReadonlySet<Tab>): readonly number[] {
    return this.#all.flatMap((tab, index) => (earlier.has(tab) ? [] : [index]));
  }

  /** Whether one of the tabs contains the frame. */
  ownsFrame(frameId: string): boolean {
    return this.#all.some(({ targetId, frames }) => targetId === frameId || frames.get(frameId));
  }

  /** Opens an empty tab. It does not become the active tab. */
  async open(): Promise<Tab> {
    const prepared = this.#preparedPage;
    this.#preparedPage = undefined;
    if (prepared)
      return await this.#attach(prepared.targetId, { attachedSessionId: prepared.sessionId, empty: true });
    return await this.#attach(await this.#options.pageOpener.openPage(), { empty: true });
  }

  /** Opens an empty tab and makes it the active one. */
  async openActive(): Promise<void> {
    this.#active = await this.open();
  }

  /**
   * Sorts restored tabs, which were attached in any order, into their saved order, and makes the tab at the
   * index `shown` the active one.
   */
  async arrange(restored: readonly Tab[], shown: number): Promise<void> {
    this.#all.sort((left, right) => restored.indexOf(left) - restored.indexOf(right));
    this.#active = restored[shown] ?? this.#all.at(-1) ?? (await this.open());
  }

  /**
   * Adds a window that a page has opened. Returns false if the window is already a tab or a hidden page.
   * @param attachedSessionId id of the DevTools session that is already attached to the window
   */
  async adopt(targetId: string, attachedSessionId?: string): Promise<boolean> {
    const { pageOpener } = this.#options;
    if ((await pageOpener.isHidden(targetId)) || this.ownsFrame(targetId)) return false;
    if (this.#all.length >= sessionLimits.tabs) await pageOpener.refuse(targetId);
    else await this.#attach(targetId, { attachedSessionId, empty: false });
    return true;
  }

  async #attach(targetId: string, attachment: TabAttachment): Promise<Tab> {
    const tab = await this.#options.attach(targetId, attachment);
    // The window has closed itself while Cairn attached to it, so it is not added. The earlier call of
    // `remove` has reported nothing, because the tab was not in the list yet. So it is reported here if no
    // tab is left.
    if (this.#closed.has(tab)) {
      if (this.#all.length === 0) this.#options.onEmpty();
      return tab;
    }
    this.#all.push(tab);
    this.#options.onAdded(tab);
    return tab;
  }

  /** Removes a tab that was closed or has crashed. */
  remove(tab: Tab): void {
    this.#closed.add(tab);
    const index = this.#all.indexOf(tab);
    if (index < 0) return;
    this.#all.splice(index, 1);
    this.#options.onRemoved(tab);
    if (this.#active === tab) this.#active = this.#all.at(-1);
    if (this.#all.length === 0) this.#options.onEmpty();
  }

  /** Performs the action `switch`: makes another tab the active one. */
  switchTo(index: number): Data {
    const tab = this.#at(index);
    this.#active = tab;
    return { tab: index, url: tab.url, tabs: this.#all.length };
  }

  /** Performs the action `close`. Without an index, it closes the active tab. */
  async close(index: number | undefined): Promise<Data> {
    const tab = index === undefined ? this.activeOrFail() : this.#at(index);
    if (this.#all.length === 1)
      throw new ActionFailure(
        "invalid_params",
        "It is the only tab. close_browser_session closes the session.",
      );
    await tab.close();
    this.remove(tab);
    const active = this.activeOrFail();
    return { closed: true, tab: this.#all.indexOf(active), url: active.url, tabs: this.#all.length };
  }

  #at(index: number): Tab {
    const tab = this.#all[index];
    if (tab) return tab;
    const count = this.#all.length;
    throw new ActionFailure("invalid_params", `There is no tab ${index}; there are ${count}, from 0 on.`, {
      tabs: this.#all.map(({ url }, index) => ({ tab: index, url })),
    });
  }
}
