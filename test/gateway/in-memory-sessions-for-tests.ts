/**
 * Sessions in memory, for tests of the gateway. They record all calls and return the results that the test
 * has set.
 */
import type { Sessions } from "../../gateway/actor-system-interface.ts";
import { Refused } from "../../machines/errors.ts";
import type { ActionOptions, ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { DownloadRecord } from "../../machines/session/outputs/download-names.ts";
import type { AnalysisData } from "../../machines/session/page/page-snapshot.ts";
import type { BrowserContextInfo } from "../../machines/session/session-protocol.ts";

const PAGE = { url: "https://shop.test/", title: "Shop" };

export class MemorySessions implements Sessions {
  readonly rooms = new Set<string>();
  readonly calls: unknown[] = [];
  /** The content of downloaded files, by the id of the download. */
  readonly given = new Map<string, { readonly record: DownloadRecord; readonly text: string }>();
  outcome: ActionOutcome = { success: true, error: null, data: {} };

  #room(room: string): void {
    if (this.rooms.has(room)) return;
    throw new Refused("session.not_found", `There is no session ${room}.`, { status: 404 });
  }

  async start(room: string, options: unknown, environment: object = {}): Promise<ActionOutcome> {
    const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
    this.calls.push({ room, options, ...(Object.keys(given).length > 0 ? { environment: given } : {}) });
    this.rooms.add(room);
    return this.outcome;
  }

  async list() {
    const last_used_at = new Date(0).toISOString();
    const sessions = [...this.rooms].map((room_name) => ({
      room_name,
      state: "live" as const,
      url: PAGE.url,
      last_used_at,
    }));
    return { sessions, next_cursor: null };
  }

  async webhook(body: string): Promise<void> {
    this.calls.push({ webhook: body });
  }

  async close(room: string): Promise<void> {
    this.#room(room);
    this.rooms.delete(room);
  }

  async setStreaming(room: string, shown: boolean): Promise<void> {
    this.#room(room);
    this.calls.push({ room, shown });
  }

  async frame(room: string): Promise<null> {
    this.#room(room);
    return null;
  }

  async input(room: string, holder: string, events: readonly unknown[]): Promise<{ applied: number }> {
    this.calls.push({ room, holder, events });
    return { applied: events.length };
  }

  async takeControl(
    room: string,
    control: { readonly holder: string; readonly name: string },
  ): Promise<void> {
    this.#room(room);
    this.calls.push({ room, control });
  }

  async releaseControl(room: string, holder: string): Promise<void> {
    this.#room(room);
    this.calls.push({ room, released: holder });
  }

  async recover(room: string): Promise<undefined> {
    this.#room(room);
    this.calls.push({ room, recover: true });
  }

  async runAction(room: string, action: unknown, { id, called }: ActionOptions = {}): Promise<ActionOutcome> {
    this.#room(room);
    this.calls.push({ room, action, id, called });
    return this.outcome;
  }

  async analyze(room: string, options: unknown): Promise<AnalysisData> {
    this.#room(room);
    this.calls.push({ room, options });
    return {
      ...PAGE,
      segments: [],
      highlightedElements: [],
      totalElements: 0,
      clickableElementsString: "",
      revision: 1,
      scroll: {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
        viewport_width: 0,
        viewport_height: 0,
        pixels_above: 0,
        pixels_below: 0,
      },
    };
  }

  async context(room: string): Promise<BrowserContextInfo> {
    this.#room(room);
    return {
      ...PAGE,
      ready_state: "complete",
      scroll_x: 0,
      scroll_y: 0,
      viewport_width: 1_920,
      viewport_height: 1_080,
      cursor_x: 0,
      cursor_y: 0,
      tab: 0,
      tabs: [{ url: PAGE.url }],
    };
  }

  async content(room: string) {
    const { ready_state: _, ...context } = await this.context(room);
    return { ...context, dom_summary: "Shop", visible_elements_count: 0 };
  }

  async storageState(room: string) {
    this.#room(room);
    return { cookies: [], origins: [] };
  }

  async extract(room: string) {
    this.#room(room);
    return { ...PAGE, language: null, content: "Shop", next_offset: null, links: [], tables: [], frames: 0 };
  }

  async console(room: string) {
    this.#room(room);
    return { messages: [], next_since: 0, left_out: 0 };
  }

  async network(room: string) {
    this.#room(room);
    return { requests: [], next_since: 0, pending: 0, left_out: 0 };
  }

  async files(room: string) {
    this.#room(room);
    return [...this.given.values()].map(({ record }) => record);
  }

  async file(room: string, id: string) {
    this.#room(room);
    const found = this.given.get(id);
    if (!found) throw new Refused("download.not_found", `There is no file ${id}.`, { status: 404 });
    async function* bytes(text: string) {
      yield new TextEncoder().encode(text);
    }
    return { record: found.record, bytes: bytes(found.text) };
  }

  async removeFile(room: string, id: string): Promise<void> {
    await this.file(room, id);
    this.given.delete(id);
  }

  async screenshot(room: string) {
    this.#room(room);
    return { format: "png", mime_type: "image/png", data: "", url: PAGE.url };
  }
}
