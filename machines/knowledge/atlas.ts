/**
 * A map in memory for fast queries: screens by id, URL, content and name, and the transitions between them.
 * It is a cache of the store, built once and updated by `change`. Details of screens and clicks stay in the
 * store, except recently used steps.
 */
import { normaliseUrl, routeOf, urlKey } from "../exploration/normalise-url.ts";
import type { ScreenRecord } from "../records.ts";
import { NameIndex } from "./name-index.ts";
import { RecentSteps } from "./recent-steps.ts";
import { RecognitionIndex, type SeenScreen } from "./recognition.ts";
import { screenIdOf } from "./screen-id.ts";
import { RouteGraph } from "./shortest-route.ts";

/** Characters of a DOM summary that hold its title and first headings. */
const BEGINNING = 300;
const NEAREST = 20;

/** The fields of a screen that queries need. */
export type AtlasScreen = Pick<
  ScreenRecord,
  "screen_id" | "website_id" | "name" | "url" | "content_type" | "is_actionable" | "url_patterns" | "trail"
>;

export interface AtlasChange {
  readonly screens?: readonly AtlasScreen[];
  /** All transitions that leave a screen; they replace the previous ones. */
  readonly transitions?: readonly { readonly from: string; readonly to: readonly string[] }[];
  readonly names?: readonly { readonly screen_id: string; readonly name: string }[];
  /** Ids without a screen, because their page shows another page's screen. */
  readonly redirects?: readonly { readonly from: string; readonly to: string }[];
}

export class Atlas {
  readonly #recognition = new RecognitionIndex();
  readonly names = new NameIndex();
  readonly routes = new RouteGraph();
  readonly steps = new RecentSteps();
  readonly #screens = new Map<string, AtlasScreen>();

  get size(): number {
    return this.#screens.size;
  }

  /** Number of screens and transitions, which determine the memory. */
  get weight(): number {
    return this.#screens.size + this.routes.transitions;
  }

  change(change: AtlasChange): void {
    for (const screen of change.screens ?? []) this.#put(screen);
    for (const { from, to } of change.transitions ?? []) {
      this.routes.setTransitions(from, to);
      this.steps.forget(from);
    }
    for (const { screen_id, name } of change.names ?? []) {
      const screen = this.#screens.get(screen_id);
      if (!screen) continue;
      this.#screens.set(screen_id, { ...screen, name });
      this.names.put(screen_id, name, screen.url);
    }
    for (const { from, to } of change.redirects ?? []) this.routes.setRedirect(from, to);
  }

  get(screenId: string): AtlasScreen | undefined {
    return this.#screens.get(screenId);
  }

  screens(): IterableIterator<AtlasScreen> {
    return this.#screens.values();
  }

  /**
   * Ids of screens that the browser may show, to be scored by `recognise`. When no pattern matches the URL:
   * screens whose names the text starts with, as the nearest ones.
   */
  candidates(seen: SeenScreen): readonly string[] {
    const matching = this.#recognition.candidates(seen.url);
    if (matching.length > 0) return matching;
    return this.names.search(seen.dom?.slice(0, BEGINNING) ?? "", NEAREST).map((match) => match.screen_id);
  }

  /** The screen of a URL in any spelling, also through a known redirect. */
  byUrl(url: string): AtlasScreen | undefined {
    const normalised = normaliseUrl(url);
    if (normalised === undefined) return undefined;
    const screenId = this.routes.resolve(screenIdOf(urlKey(normalised)));
    const screen = screenId === undefined ? undefined : this.#screens.get(screenId);
    // The query of a client route may name a position on its screen, which has no screen of its own.
    const question = screen ? -1 : routeOf(normalised).indexOf("?");
    return question < 0 ? screen : this.byUrl(normalised.slice(0, normalised.indexOf("#") + question));
  }

  #put(stored: AtlasScreen): void {
    const { screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail } = stored;
    const before = this.#screens.get(screen_id);
    if (before) this.#recognition.remove(screen_id, before.url_patterns);
    const screen = { screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail };
    this.#screens.set(screen_id, screen);
    // Documents describe screens too, but only visited screens are recognised and routed (protocol
    // specification).
    if (content_type !== "web_ui" || !is_actionable) return;
    this.names.put(screen_id, name, url);
    this.#recognition.put(screen_id, url_patterns);
    this.routes.addScreen(screen_id);
  }
}
