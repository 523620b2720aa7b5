/**
 * One map in memory, ready to be asked: screens by id, URL, sight and name, and the ways between them.
 *
 * A cache of what the store holds: built from it once and kept current by `change`, which takes what the
 * machine writes. It holds no more than finding needs (what a screen shows and how a click is made stay in the
 * store, but for steps that were told lately). Neighbours: `recognition.ts`, `words.ts`, `route.ts` and
 * `recent-steps.ts` are its parts; `actors/knowledge` loads it.
 */
import { normaliseUrl, routeOf, urlKey } from "../exploration/url.ts";
import type { ScreenRecord } from "../records.ts";
import { RecentSteps } from "./recent-steps.ts";
import { RecognitionIndex, type Seen } from "./recognition.ts";
import { RouteGraph } from "./route.ts";
import { screenIdOf } from "./screen-id.ts";
import { NameIndex } from "./words.ts";

/** Characters of a DOM summary that hold its title and first headings. */
const BEGINNING = 300;
const NEAREST = 20;

/** A screen without the parts that only the store needs. */
export type AtlasScreen = Pick<
  ScreenRecord,
  "screen_id" | "website_id" | "name" | "url" | "content_type" | "is_actionable" | "url_patterns" | "trail"
>;

export interface AtlasChange {
  readonly screens?: readonly AtlasScreen[];
  /** All transitions that leave a screen, replacing those it had. */
  readonly transitions?: readonly { readonly from: string; readonly to: readonly string[] }[];
  readonly names?: readonly { readonly screen_id: string; readonly name: string }[];
  /** Ids that no screen has because their page shows another's. */
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

  /** Screens and transitions: what its memory grows with. */
  get places(): number {
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
   * Ids of the screens that a browser may be showing, to be scored by `recognise`. When no pattern can match the
   * URL: those whose names the text begins with, of which none is it, but one comes nearest.
   */
  candidates(seen: Seen): readonly string[] {
    const matching = this.#recognition.candidates(seen.url);
    if (matching.length > 0) return matching;
    return this.names.search(seen.dom?.slice(0, BEGINNING) ?? "", NEAREST).map((match) => match.screen_id);
  }

  /** The screen of a page's URL, in whatever spelling, through a known redirect too. */
  byUrl(url: string): AtlasScreen | undefined {
    const normalised = normaliseUrl(url);
    if (normalised === undefined) return undefined;
    const screenId = this.routes.resolve(screenIdOf(urlKey(normalised)));
    const screen = screenId === undefined ? undefined : this.#screens.get(screenId);
    // A route's query may name a place on its screen, which no screen of its own answers to.
    const question = screen ? -1 : routeOf(normalised).indexOf("?");
    return question < 0 ? screen : this.byUrl(normalised.slice(0, normalised.indexOf("#") + question));
  }

  #put(stored: AtlasScreen): void {
    const { screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail } = stored;
    const before = this.#screens.get(screen_id);
    if (before) this.#recognition.remove(screen_id, before.url_patterns);
    const screen = { screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail };
    this.#screens.set(screen_id, screen);
    // Documents describe screens too, but only what can be walked is recognised and routed (the seed's filter).
    if (content_type !== "web_ui" || !is_actionable) return;
    this.names.put(screen_id, name, url);
    this.#recognition.put(screen_id, url_patterns);
    this.routes.addScreen(screen_id);
  }
}
