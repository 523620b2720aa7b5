/**
 * A map of an application in memory, for fast queries: screens by id, URL, content and name, and the
 * transitions between them. It is a cache of the store, built once and updated by `change`. Details of
 * screens and clicks stay in the store, except recently used steps.
 */
import { normaliseUrl, routeOf, urlKey } from "../exploration/crawl/normalise-url.ts";
import type { ScreenGroupRecord, ScreenRecord } from "../records/map-records.ts";
import { withoutOrder } from "./addresses/page-address-parts.ts";
import { matchesPattern } from "./addresses/screen-url-pattern.ts";
import { knowledgeLimits } from "./map-limits.ts";
import { openerOfState, pageOfState, stateOfId } from "./screens/page-states-to-map-instances.ts";
import { screenIdOf } from "./screens/screen-id.ts";
import { IndicatorIndex, type ReadTexts } from "./screens/screen-indicator-index.ts";
import { NameIndex } from "./screens/screen-name-index.ts";
import { RecognitionIndex, type SeenScreen } from "./screens/screen-recognition.ts";
import { targetOfEdge } from "./screens/transition-id.ts";
import { RecentSteps } from "./transitions/map-route-step-cache.ts";
import { type Leaving, RouteGraph } from "./transitions/shortest-route.ts";
import { USUAL_COST } from "./transitions/transition-cost.ts";

/**
 * Number of characters at the start of a page's DOM summary that are searched for names of screens. They
 * contain the title and the first headings.
 */
const BEGINNING = 300;
const NEAREST = 20;
/**
 * Additional cost of a page's transition, if a route uses it in a state of the page, such as an open dialog.
 * The state may not have the transition. For comparison, a transition that always works costs 10.
 */
const INHERITED_COST = 4;
/**
 * A state of a page takes over the links of its page, although an open tab, for example, may hide some of them. This
 * is the additional cost of such a link in a route, if the link was not seen in the state. Two clicks cost less, so a
 * route first leaves the state if a way out is known.
 */
const UNSEEN_COST = 25;

/** The fields of a screen that are kept in memory for queries. */
export type AtlasScreen = Pick<
  ScreenRecord,
  "screen_id" | "website_id" | "name" | "url" | "content_type" | "is_actionable" | "url_patterns" | "trail"
>;

/**
 * A screen that several pages or states of pages show. Each of these pages and states is an instance of the
 * screen.
 */
export type AtlasGroup = Pick<
  ScreenGroupRecord,
  "screen_id" | "website_id" | "name" | "url" | "example" | "url_patterns" | "templates" | "aliases"
>;

export interface AtlasChange {
  /** The new or changed instances of screens (pages, or states of pages). */
  readonly screens?: readonly AtlasScreen[];
  readonly groups?: readonly AtlasGroup[];
  /** Ids of screen groups that no longer exist. */
  readonly dissolved?: readonly string[];
  /**
   * The pages and page states (instances) whose screen group has changed, each with its new group. `null`
   * means that the instance is a separate screen again.
   */
  readonly memberships?: readonly { readonly instance: string; readonly group: string | null }[];
  /** The complete transitions of some screens. They replace the earlier transitions of these screens. */
  readonly transitions?: readonly {
    readonly from: string;
    /**
     * The transitions that start at the screen `from`, each as its `edgeId`. If the cost of a transition is
     * unusual, it is a `Leaving` object with `edgeId` and cost.
     */
    readonly to: readonly (string | Leaving)[];
  }[];
  /** Ids of screens whose indicators (texts by which they are recognised) have changed. */
  readonly signatures?: readonly string[];
  readonly names?: readonly { readonly screen_id: string; readonly name: string }[];
  /** Redirects: the page `from` shows the screen of the page `to`. */
  readonly redirects?: readonly { readonly from: string; readonly to: string }[];
}

export class Atlas {
  readonly #recognition = new RecognitionIndex();
  /**
   * Finds screens by their texts, if many screens share an address. The texts are read from the store when
   * they are first needed.
   */
  readonly #texts = new IndicatorIndex();
  /**
   * Sets of screens whose texts are all in the index. The value is the revision of the index for which this
   * was checked. After a change of the index, a set is checked again.
   */
  readonly #complete = new WeakMap<ReadonlySet<string>, number>();
  readonly names = new NameIndex();
  readonly routes = new RouteGraph();
  readonly steps = new RecentSteps();
  /** The instances of screens (pages, or states of pages), by their ids. */
  readonly #screens = new Map<string, AtlasScreen>();
  readonly #groups = new Map<string, { readonly group: AtlasGroup; readonly members: Set<string> }>();
  readonly #groupOf = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  /**
   * Maps the id of a page, or of a state of a page, to the ids of all states that one or more presses open
   * from there. Contains only states for which transitions were set.
   */
  readonly #statesOpenedFrom = new Map<string, Set<string>>();
  readonly #ownOfStates = new Map<string, readonly Leaving[]>();
  #revision = 0;

  /** Number of pages and states of pages (instances of screens) on the map. */
  get size(): number {
    return this.#screens.size;
  }

  /**
   * Number of screens and transitions on the map. The memory that the map uses is proportional to this
   * number.
   */
  get weight(): number {
    return this.#screens.size + this.#texts.size + this.routes.transitions;
  }

  /**
   * Number of changes so far. If this number has changed since data was read from the store, the data is out of
   * date.
   */
  get revision(): number {
    return this.#revision;
  }

  change(change: AtlasChange): void {
    this.#revision += 1;
    for (const screen of change.screens ?? []) this.#put(screen);
    for (const id of change.dissolved ?? []) this.#dissolve(id);
    for (const group of change.groups ?? []) this.#putGroup(group);
    for (const { instance, group } of change.memberships ?? []) this.#place(instance, group);
    for (const { from, to } of change.transitions ?? []) this.#lead(from, to);
    for (const id of change.signatures ?? []) this.#texts.remove(id);
    for (const { screen_id, name } of change.names ?? []) {
      const screen = this.#screens.get(screen_id);
      if (!screen) continue;
      this.#screens.set(screen_id, { ...screen, name });
      // The name index has only screens, so a document is not added to it.
      if (screen.is_actionable) this.names.put(screen_id, name, screen.url);
    }
    for (const { from, to } of change.redirects ?? []) this.routes.setRedirect(from, to);
  }

  /**
   * Returns the `edgeId`s and costs of a screen's own transitions. For a state of a page, transitions of the
   * page are not included.
   */
  ownTransitions(id: string): readonly Leaving[] {
    const own = this.#ownOfStates.get(id);
    if (own) return own;
    const costs = this.routes.costs(id);
    return this.routes.targets(id).map((via, at) => ({ via, cost: costs[at] ?? USUAL_COST }));
  }

  /**
   * Returns the id of the screen under which a transition (`via`) from the screen `from` is stored. This is
   * the page of `from`, if `from` is a state that inherits the transition from its page; otherwise it is
   * `from`.
   */
  storedFrom(from: string, via: string): string {
    const own = this.#ownOfStates.get(from);
    return !own || own.some((one) => one.via === via) ? from : pageOfState(from);
  }

  /**
   * Returns the states of a page that take over the page's transition `via`, because they have no own
   * transition with this id.
   */
  inheriting(page: string, via: string): readonly string[] {
    return [...(this.#statesOpenedFrom.get(page) ?? [])].filter(
      (state) => this.storedFrom(state, via) === page,
    );
  }

  /**
   * Sets the transitions of a screen. A state of a page, such as an open menu, also gets its page's
   * transitions at a higher cost. Most controls of the page still exist in this state, or return when a
   * dialog is closed.
   */
  #lead(from: string, to: readonly (string | Leaving)[]): void {
    this.steps.forget(from);
    if (stateOfId(from) === undefined) this.routes.setTransitions(from, to);
    else {
      this.#ownOfStates.set(
        from,
        to.map((one) => (typeof one === "string" ? { via: one, cost: USUAL_COST } : one)),
      );
    }
    const page = pageOfState(from);
    for (let opener = openerOfState(from); opener !== undefined; opener = openerOfState(opener))
      this.#statesOpenedFrom.set(opener, (this.#statesOpenedFrom.get(opener) ?? new Set()).add(from));
    const opened = this.#statesOpenedFrom.get(from) ?? [];
    for (const state of page === from ? opened : [from, ...opened]) {
      const own = this.#ownOfStates.get(state) ?? [];
      const known = new Set(own.map(({ via }) => via));
      const inherited = this.ownTransitions(page).filter(({ via }) => !known.has(via));
      const seen = this.#pagesSeenFrom(state);
      const isUnseen = (target: string) => seen && pageOfState(target) !== page && !seen.has(target);
      this.routes.setTransitions(state, [
        ...own,
        ...inherited.map(({ via, cost }) => ({
          via,
          cost: cost + (isUnseen(targetOfEdge(via)) ? UNSEEN_COST : INHERITED_COST),
        })),
      ]);
    }
  }

  /**
   * Returns the ids of the other pages to which links in a state of a page lead. A dialog often covers all
   * links; then the ids for the state below the dialog are returned. Returns `undefined` if no such links are
   * known.
   */
  #pagesSeenFrom(state: string): ReadonlySet<string> | undefined {
    const page = pageOfState(state);
    const targets = (this.#ownOfStates.get(state) ?? []).map(({ via }) => targetOfEdge(via));
    const seen = targets.filter((target) => pageOfState(target) !== page);
    if (seen.length > 0) return new Set(seen);
    const opener = openerOfState(state);
    return opener === undefined || opener === page ? undefined : this.#pagesSeenFrom(opener);
  }

  /** Returns the page or state of a page (an instance of a screen) with this id. */
  get(screenId: string): AtlasScreen | undefined {
    return this.#screens.get(screenId);
  }

  /** Returns all instances of screens: pages and states of pages. */
  screens(): IterableIterator<AtlasScreen> {
    return this.#screens.values();
  }

  /** Returns the screen group that has this id now or had it earlier. */
  group(screenId: string): AtlasGroup | undefined {
    return this.#groups.get(this.#aliases.get(screenId) ?? screenId)?.group;
  }

  /** Returns the screen group to which a page (instance) belongs, if it belongs to one. */
  groupOf(instanceId: string): AtlasGroup | undefined {
    const id = this.#groupOf.get(instanceId);
    return id === undefined ? undefined : this.#groups.get(id)?.group;
  }

  /** Returns the screen of a page (instance): its group, or the page itself if it belongs to no group. */
  screenIdOf(instanceId: string): string {
    return this.#groupOf.get(instanceId) ?? instanceId;
  }

  /**
   * If the last press to a state has only opened a part of the page or state before it, such as a section, returns
   * the id of that page or state; otherwise `undefined`. Both are instances of one screen.
   */
  wholeOf(instanceId: string): string | undefined {
    const opener = openerOfState(instanceId);
    const group = this.#groupOf.get(instanceId);
    return group !== undefined && opener !== undefined && this.#groupOf.get(opener) === group
      ? opener
      : undefined;
  }

  /** Returns the states that differ from this page or state only by an open part, such as an open section. */
  partsOf(instanceId: string): readonly string[] {
    return [...(this.#statesOpenedFrom.get(pageOfState(instanceId)) ?? [])]
      .filter((id) => {
        for (let whole = this.wholeOf(id); whole !== undefined; whole = this.wholeOf(whole))
          if (whole === instanceId) return true;
        return false;
      })
      .sort();
  }

  members(groupId: string): ReadonlySet<string> {
    return this.#groups.get(groupId)?.members ?? new Set();
  }

  groups(): readonly AtlasGroup[] {
    return [...this.#groups.values()].map(({ group }) => group);
  }

  /**
   * Returns the ids of all screens: those of the groups, and those of the pages (instances) that belong to no
   * group.
   */
  screenIds(): readonly string[] {
    const own = [...this.#screens.keys()].filter((id) => !this.#groupOf.has(id));
    return [...own, ...this.#groups.keys()].sort();
  }

  /**
   * Returns the ids of the screens (or instances) that the browser may show now; `recognise` then scores
   * them. If the URL matches no screen's pattern, the screens whose names fit the start of the page's text
   * best are returned.
   *
   * Many screens may share one address (a crowd). Before this call, the texts of the screens that
   * `unreadCrowd` returns must be read by `readCrowd`.
   */
  candidates(seen: SeenScreen): readonly string[] {
    const matching = this.#isCrowd(seen)
      ? this.#texts.best(seen.dom, knowledgeLimits.crowdCandidates, (id) => this.#isAt(id, seen.url))
      : this.#recognition.candidates(seen.url, knowledgeLimits.candidates);
    // If the URL is that of a known page, the screen of this page is a candidate too.
    const visited = this.byUrl(seen.url)?.screen_id;
    const grouped = visited !== undefined && this.#groupOf.has(visited);
    if (matching.length > 0) return grouped ? [...new Set([...matching, visited])] : matching;
    const named = this.names.search(seen.dom?.slice(0, BEGINNING) ?? "", NEAREST);
    return [...new Set(named.map((match) => this.screenIdOf(match.screen_id)))];
  }

  /**
   * Returns the ids of the screens whose texts must be indexed before `candidates` is called. Usually the
   * list is empty: only screens that share their address with many other screens need an index.
   */
  unreadCrowd(seen: SeenScreen): readonly string[] {
    if (!this.#isCrowd(seen)) return [];
    const unread: string[] = [];
    for (const ids of this.#recognition.holders(seen.url)) {
      if (this.#complete.get(ids) === this.#texts.revision) continue;
      const missing = [...ids].filter((id) => !this.#texts.has(id));
      if (missing.length === 0) this.#complete.set(ids, this.#texts.revision);
      unread.push(...missing);
    }
    return unread;
  }

  /**
   * Reads the texts of screens that share an address, and adds them to the index.
   *
   * @param ids ids of these screens, as `unreadCrowd` returns them
   */
  async readCrowd(ids: readonly string[], read: ReadTexts): Promise<void> {
    await this.#texts.fill(ids, read);
  }

  /** Whether many screens share the address, so that candidates are selected by their texts. */
  #isCrowd(seen: SeenScreen): seen is SeenScreen & { readonly dom: string } {
    if (seen.dom === undefined) return false;
    const sizes = this.#recognition.holders(seen.url).map(({ size }) => size);
    return sizes.reduce((sum, size) => sum + size, 0) > knowledgeLimits.candidates;
  }

  #isAt(id: string, url: string): boolean {
    const patterns = (this.#groups.get(id)?.group ?? this.#screens.get(id))?.url_patterns ?? [];
    return patterns.some((pattern) => matchesPattern(pattern, url));
  }

  /**
   * Returns the screen that the map has for a URL. The URL is normalised first, and a known redirect is
   * followed.
   */
  byUrl(url: string): AtlasScreen | undefined {
    const normalised = normaliseUrl(url);
    if (normalised === undefined) return undefined;
    const screenId = this.routes.resolve(screenIdOf(urlKey(normalised)));
    const screen = screenId === undefined ? undefined : this.#screens.get(screenId);
    // The query in a client-side route may only name a position on the screen, as in `#/orders?row=7`. So an
    // unknown route is looked up again without its query.
    const question = screen ? -1 : routeOf(normalised).indexOf("?");
    return question < 0 ? screen : this.byUrl(normalised.slice(0, normalised.indexOf("#") + question));
  }

  /**
   * Finds a known address that shows the same list in another order: `/issues?sort=last_seen` for `/issues`. Returns
   * the given address if the map has a screen for it, or if the map has the list in no other order.
   */
  addressInAnyOrder(url: string): string {
    if (this.byUrl(url) || this.#recognition.candidates(url, 1).length > 0) return url;
    const [path = "", key] = [url.split(/[?#]/)[0], urlKey(withoutOrder(url))];
    for (const screen of this.#screens.values())
      if (screen.url.startsWith(path) && urlKey(withoutOrder(screen.url)) === key) return screen.url;
    return url;
  }

  /**
   * Returns the document that the map has for a URL, such as a plain text. A known redirect is followed. A
   * document is no screen, so `byUrl` does not return it.
   */
  documentAt(url: string): AtlasScreen | undefined {
    const normalised = normaliseUrl(url);
    if (normalised === undefined) return undefined;
    const id = screenIdOf(urlKey(normalised));
    const found = this.#screens.get(id) ?? this.#screens.get(this.routes.redirect(id) ?? id);
    return found?.is_actionable ? undefined : found;
  }

  #put(stored: AtlasScreen): void {
    const { screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail } = stored;
    const before = this.#screens.get(screen_id);
    const grouped = this.#groupOf.has(screen_id);
    if (before && !grouped) this.#recognition.remove(screen_id, before.url_patterns);
    const screen = { screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail };
    this.#screens.set(screen_id, screen);
    this.#texts.remove(screen_id);
    // The protocol specification allows only visited screens to be recognised and used in routes. So a screen
    // that was only described in a document is not indexed. If it was indexed before, it is removed from the
    // index: a page may become a document when it is read again.
    if (content_type !== "web_ui" || !is_actionable) {
      this.names.remove(screen_id);
      if (before?.is_actionable) this.routes.removeScreen(screen_id);
      return;
    }
    this.names.put(screen_id, name, url);
    if (!grouped) this.#recognition.put(screen_id, url_patterns);
    this.routes.addScreen(screen_id);
    if (stateOfId(screen_id) !== undefined && !this.#ownOfStates.has(screen_id)) this.#lead(screen_id, []);
  }

  #putGroup(group: AtlasGroup): void {
    const { screen_id, name, url_patterns, aliases } = group;
    const before = this.#groups.get(screen_id);
    this.#texts.remove(screen_id);
    if (before) this.#recognition.remove(screen_id, before.group.url_patterns);
    this.#groups.set(screen_id, { group, members: before?.members ?? new Set() });
    for (const alias of aliases) this.#aliases.set(alias, screen_id);
    // A screen group has no single address, so it is found only by its name.
    this.names.put(screen_id, name, "");
    this.#recognition.put(screen_id, url_patterns);
  }

  #dissolve(id: string): void {
    const known = this.#groups.get(id);
    if (!known) return;
    for (const member of known.members) this.#place(member, null);
    this.#recognition.remove(id, known.group.url_patterns);
    this.#texts.remove(id);
    this.names.remove(id);
    for (const alias of known.group.aliases) this.#aliases.delete(alias);
    this.#groups.delete(id);
  }

  #place(instance: string, groupId: string | null): void {
    const screen = this.#screens.get(instance);
    const before = this.#groupOf.get(instance);
    if (before === (groupId ?? undefined)) return;
    if (before !== undefined) this.#groups.get(before)?.members.delete(instance);
    if (groupId !== null) {
      this.#groupOf.set(instance, groupId);
      this.#groups.get(groupId)?.members.add(instance);
    } else this.#groupOf.delete(instance);
    if (screen?.content_type !== "web_ui" || !screen.is_actionable) return;
    if (before === undefined) this.#recognition.remove(instance, screen.url_patterns);
    if (groupId === null) this.#recognition.put(instance, screen.url_patterns);
  }
}
