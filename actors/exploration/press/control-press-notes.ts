/**
 * Collects what an exploration finds by pressing (clicking) elements: states, transitions and addresses. They
 * are sent as notes to the machine of the job, which stores the notes and passes the states to the map.
 */

import { languageSwitches } from "../../../machines/exploration/crawl/language-switch-links.ts";
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import { type Scope, scopeOf } from "../../../machines/exploration/exploration-scope.ts";
import type {
  FrontierState,
  PressFrontier,
  PressNote,
  PressResult,
} from "../../../machines/exploration/press/next-control-to-press.ts";
import { nameOf } from "../../../machines/exploration/press/page-state-by-visible-controls.ts";
import type {
  PressCounts,
  PressInput,
} from "../../../machines/exploration/press/press-phase-input-and-result.ts";
import { shortSketch } from "../../../machines/knowledge/screens/page-feature-sketch.ts";
import {
  type FoundState,
  type FoundTransition,
  STATE_NAME_SEPARATOR,
} from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { ActionControls } from "../../../machines/knowledge/screens/page-to-screen.ts";
import {
  isFailedRequest,
  sharedHeadings,
  tidy,
  titleParts,
} from "../../../machines/knowledge/screens/screen-name-from-title.ts";
import type { UrlKey } from "../../../machines/records/record-ids.ts";
import { isWritingAddress } from "../../../machines/risk/risk-classes.ts";
import type { EffectScope } from "../../runtime/index.ts";
import type { CairnServices } from "../../worker-services.ts";
import type { Shown } from "./control-press-session.ts";
import { controlOfStep, ends, linkAddress, linkTransitions } from "./control-press-transitions.ts";

const { pressing } = explorationLimits;

export interface Findings {
  readonly states: readonly FrontierState[];
  readonly transitions: readonly FoundTransition[];
  /**
   * A snapshot of the page in the new state, for example with an open dialog. The map gets the links and
   * elements of this state from it.
   */
  readonly shown?: Shown;
  /** The controls that the press has added to the page, or all controls of a page with another address. */
  readonly controls?: ActionControls | undefined;
  /** The texts that the press has added to the page. */
  readonly texts?: readonly string[] | undefined;
}

/** What a press has added to its page. */
type Added = Pick<Findings, "controls" | "texts">;

export class PressNotes {
  readonly within: Scope;
  readonly #input: PressInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #frontier: PressFrontier;
  /** Ids of the screens that the map contains, and of those that this run has sent to it. */
  readonly #known = new Set<string>();
  /** Addresses that the crawl has already received from this run. */
  readonly #found = new Set<string>();
  readonly #addresses: string[] = [];
  /** The headings of each opened page before any press, by the key of its address. */
  readonly #pageHeadings = new Map<UrlKey, readonly string[]>();
  /** The title of each opened page before any press, by the key of its address. */
  readonly #pageTitles = new Map<UrlKey, string>();
  #count = 0;

  constructor(input: PressInput, scope: EffectScope<CairnServices>, frontier: PressFrontier) {
    this.#input = input;
    this.#scope = scope;
    this.#frontier = frontier;
    this.within = scopeOf(input.request, input.request.start_url, null);
  }

  /**
   * Loads the notes that the job stored before a restart.
   *
   * @returns the number of states that presses have reached, without pages, and without states that only show a
   * further part of another state, such as an open section
   */
  async recall(): Promise<number> {
    let states = 0;
    for (const { note } of await this.#scope.services.store.memory.pressNotes(this.#input.job_id)) {
      // The machine of the job stored this note as a `PressNote`, so the cast is safe.
      const known = JSON.parse(note) as PressNote;
      this.#frontier.apply(known);
      this.#count += 1;
      if (known.kind !== "state") continue;
      const { key, headings, title } = known.state;
      if (headings) this.#pageHeadings.set(key, headings);
      if (title !== undefined) this.#pageTitles.set(key, title);
      this.#known.add(known.state.id);
      if (known.state.path.length > 0 && !known.state.part) states += 1;
    }
    return states;
  }

  /**
   * Adds screens and addresses that the map already contains, so that the presses do not report them again.
   *
   * @param ids ids of screens
   * @param keys keys of addresses; two spellings of one address have the same key
   */
  addKnown(ids: readonly string[], keys: readonly string[]): void {
    for (const id of ids) this.#known.add(id);
    for (const key of keys) this.#found.add(key);
  }

  /** Adds the address of a page to the notes. The crawl receives the address with the next notes. */
  addAddress(address: string): void {
    const url = normaliseUrl(address);
    if (url === undefined || !this.within.follows(url) || isWritingAddress(url)) return;
    const key = urlKey(url);
    if (this.#found.has(key)) return;
    this.#found.add(key);
    this.#addresses.push(url);
  }

  /** Records new states, transitions and results of presses, and sends them to the machine of the job. */
  async send(
    {
      states,
      transitions,
      results,
      shown,
      controls,
      texts,
    }: Findings & { readonly results: readonly PressResult[] },
    counts: PressCounts,
  ): Promise<void> {
    if (shown) {
      this.#addLinks(shown);
      for (const { key, path } of states) {
        if (path.length > 0) continue;
        this.#pageHeadings.set(key, shown.headings);
        this.#pageTitles.set(key, shown.page.title);
      }
    }
    const notes: readonly PressNote[] = [
      ...states.map((state) => ({ kind: "state", state: withHeadings(state, shown) }) as const),
      ...results.map((result) => ({ kind: "result", result }) as const),
    ];
    for (const note of notes) this.#frontier.apply(note);
    const links = shown
      ? states.flatMap((state) =>
          state.path.length === 0 ? [] : linkTransitions(state, shown, (url) => this.within.isInternal(url)),
        )
      : [];
    const found = shown ? await this.#foundStates(states, shown, { controls, texts }) : [];
    for (const { id } of shown ? states : []) this.#known.add(id);
    const from = this.#count;
    this.#count += notes.length;
    const addresses = await this.#unreadAddresses();
    await this.#scope.notify({
      type: "PRESSED",
      states: found,
      transitions: [...transitions, ...links],
      notes,
      from,
      addresses,
      counts,
    });
  }

  /**
   * Sends inferred transitions to the map. If a control, such as a menu in the header, has led to the same
   * state from several page states, it is assumed to lead there from every page state that has this control.
   */
  async sendInferred(counts: PressCounts): Promise<void> {
    const transitions = this.#frontier.inferred().flatMap(({ state, candidate, target }) => {
      const to = this.#frontier.get(target);
      return to ? [{ ...ends(state, to), ...controlOfStep(candidate.step), inferred: true }] : [];
    });
    if (transitions.length > 0) await this.send({ states: [], transitions, results: [] }, counts);
  }

  #addLinks({ page }: Shown): void {
    const links = page.highlightedElements.flatMap((element) => linkAddress(element, page.url) ?? []);
    const url = normaliseUrl(page.url) ?? page.url;
    const switches = languageSwitches({ url, links, translations: [] });
    for (const link of links) if (!switches.has(link)) this.addAddress(link);
  }

  /** Returns the found addresses that the crawl does not know yet. */
  async #unreadAddresses(): Promise<readonly string[]> {
    const found = this.#addresses.splice(0);
    const { frontier } = this.#scope.services.store;
    const known = await frontier.known(this.#input.job_id, found.map(urlKey));
    return found.filter((url) => !known.has(urlKey(url)));
  }

  /**
   * Returns the heading after which the states of a page are named. A heading that is a part of the page's
   * title is preferred, because the first heading may be the site's name (Review Board, themes of WordPress)
   * or a notice ("Failed to fetch"). Of several such headings, the one on the fewest pages is used. A heading
   * on most pages, such as the menu "Manage" of Keycloak, is only used if there is no other.
   */
  #pageHeading({ key }: FrontierState, { page, headings }: Shown): string | undefined {
    const ofPage = this.#pageHeadings.get(key) ?? headings;
    const shown = headings.filter((text) => ofPage.includes(text));
    const usable = [...shown, ...ofPage].filter((text) => !isFailedRequest(text));
    const title = new Set(
      titleParts(this.#pageTitles.get(key) ?? page.title).map((part) => part.toLowerCase()),
    );
    const [best] = usable
      .filter((text) => title.has(tidy(text).toLowerCase()))
      .map((text) => ({ text, pages: this.#pagesWith(text) }))
      .sort((one, other) => one.pages - other.pages);
    const ofMenus = sharedHeadings([...this.#pageHeadings.values()].map((all) => ({ headings: all })));
    return best?.text ?? usable.find((text) => !ofMenus.has(tidy(text))) ?? usable[0];
  }

  /** Returns the number of opened pages with the heading. */
  #pagesWith(heading: string): number {
    return [...this.#pageHeadings.values()].filter((headings) => headings.includes(heading)).length;
  }

  /**
   * Returns the states that the map does not have, and known ones that may have changed. A known state may
   * have changed if a press has shown it. A known page may have changed if this exploration has not crawled
   * it, because each account role may see other controls there.
   */
  async #foundStates(
    states: readonly FrontierState[],
    shown: Shown,
    added: Added,
  ): Promise<readonly FoundState[]> {
    const found: FoundState[] = [];
    for (const state of states) {
      const isNew = !this.#known.has(state.id);
      if (isNew || (await this.#hasMore(state, added)))
        found.push({ ...this.#foundState(state, shown, added), ...(isNew ? {} : { known: true }) });
    }
    return found;
  }

  /**
   * Whether the map already has this page, or this state of a page (such as an open dialog), but may lack
   * some of its controls or texts.
   */
  async #hasMore({ key, path }: FrontierState, { controls, texts }: Added): Promise<boolean> {
    if (path.length > 0) return controls !== undefined || texts !== undefined;
    if (controls === undefined || this.#input.request.role === undefined) return false;
    const crawled = await this.#scope.services.store.frontier.known(this.#input.job_id, [key]);
    return crawled.get(key)?.state !== "done";
  }

  #foundState(state: FrontierState, shown: Shown, { controls, texts: added }: Added): FoundState {
    const { page, headings } = shown;
    const own = this.#pageHeading(state, shown) ?? this.#pageTitles.get(state.key) ?? page.title;
    const name = state.names.length === 0 ? own : own + STATE_NAME_SEPARATOR + state.names.join(", ");
    const texts = [...headings, ...page.highlightedElements.map(nameOf)];
    return {
      website_id: this.#input.request.website_id,
      url: state.url,
      key: state.key,
      path: state.names,
      name: name.slice(0, pressing.nameLength),
      texts: [...new Set(texts)].slice(0, pressing.texts),
      structure: shortSketch(state.sketch),
      ...(state.part ? { part: true } : {}),
      ...(controls ? { controls } : {}),
      ...(added && added.length > 0 ? { added } : {}),
    };
  }
}

/**
 * Adds the headings of a page to its note. A later run of presses uses these headings to name the states that
 * it finds.
 */
function withHeadings(state: FrontierState, shown: Shown | undefined): FrontierState {
  return shown && state.path.length === 0
    ? { ...state, headings: shown.headings.slice(0, pressing.texts), title: shown.page.title }
    : state;
}
