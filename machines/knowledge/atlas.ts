/**
 * One map in memory, ready to be asked: screens by id, URL, sight and name, and the ways between them.
 *
 * A cache of what the store holds: built from it once and kept current by `change`, which takes what the
 * machine writes. Neighbours: `recognition.ts`, `words.ts`, `route.ts` are its parts; `actors/knowledge` loads it.
 */
import { normaliseUrl, urlKey } from "../exploration/url.ts";
import type { ScreenRecord, StateSignature } from "../records.ts";
import { type Recognition, RecognitionIndex, type Seen } from "./recognition.ts";
import { RouteGraph } from "./route.ts";
import { screenIdOf } from "./screen-id.ts";
import { NameIndex } from "./words.ts";

/** Characters of a DOM summary that hold its title and first headings. */
const BEGINNING = 300;
const NEAREST = 20;

/** A screen without the parts that only the store needs. */
export type AtlasScreen = Pick<
  ScreenRecord,
  "screen_id" | "website_id" | "name" | "url" | "content_type" | "is_actionable"
>;

export interface AtlasChange {
  readonly screens?: readonly ScreenRecord[];
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
  readonly #screens = new Map<string, AtlasScreen>();

  get size(): number {
    return this.#screens.size;
  }

  change(change: AtlasChange): void {
    for (const screen of change.screens ?? []) this.#put(screen);
    for (const { from, to } of change.transitions ?? []) this.routes.setTransitions(from, to);
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

  /** The screen that a browser shows; below the threshold, the nearest among those whose names its text begins with. */
  recognise(seen: Seen): Recognition {
    const beginning = seen.dom?.slice(0, BEGINNING) ?? "";
    return this.#recognition.recognise(seen, () =>
      this.names.search(beginning, NEAREST).map((match) => match.screen_id),
    );
  }

  /** The screen of a page's URL, in whatever spelling, through a known redirect too. */
  byUrl(url: string): AtlasScreen | undefined {
    const normalised = normaliseUrl(url);
    if (normalised === undefined) return undefined;
    const screenId = this.routes.resolve(screenIdOf(urlKey(normalised)));
    return screenId === undefined ? undefined : this.#screens.get(screenId);
  }

  #put(screen: ScreenRecord): void {
    const { screen_id, website_id, name, url, content_type, is_actionable } = screen;
    this.#screens.set(screen_id, { screen_id, website_id, name, url, content_type, is_actionable });
    // Written by this kind as JSON of `StateSignature`.
    const signature = JSON.parse(screen.state_signature) as StateSignature;
    // Documents describe screens too, but only what can be walked is recognised and routed (the seed's filter).
    if (content_type !== "web_ui" || !is_actionable) return;
    this.names.put(screen_id, name, url);
    this.#recognition.put({
      screen_id,
      name,
      url,
      url_patterns: screen.url_patterns,
      // Selector and reason are for people; leaving them out halves the memory of a large map.
      indicators: signature.required_indicators.map(({ type, value, pattern }) => ({
        type,
        reason: "",
        ...(value === undefined ? {} : { value }),
        ...(pattern === undefined ? {} : { pattern }),
      })),
    });
    this.routes.addScreen(screen_id);
  }
}
