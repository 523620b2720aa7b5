/**
 * Finds the cheapest route between two screens: few clicks, over transitions that have worked. The search is
 * Dijkstra's algorithm with Dial's buckets on typed arrays, so it allocates only its result. A transition may
 * also lead to a redirect, or to a page that is not a screen.
 */

import { targetOfEdge } from "../screens/transition-id.ts";
import { MAX_COST, MIN_COST, USUAL_COST } from "./transition-cost.ts";

/**
 * One click of a route, from screen to screen. `via` is the `edgeId` of its transition. It differs from `to`
 * if the click leads to a redirect, or if several transitions lead to the same screen.
 */
export interface Hop {
  readonly from: string;
  readonly via: string;
  readonly to: string;
}

/** A transition that leaves a screen: its `edgeId` and its cost. */
export interface Leaving {
  readonly via: string;
  readonly cost: number;
}

/** A stored transition: the id of the screen at which it starts, and its `edgeId`. */
export type Pair = readonly [from: string, via: string];
/**
 * Maps the index of a screen to the indexes of the screens to which a route must not go directly from it. The
 * indexes belong to one graph.
 */
export type AvoidedTransitions = ReadonlyMap<number, ReadonlySet<number>>;

const NOWHERE = -1;
/**
 * Number of buckets in the search for the cheapest route. It is a power of two and larger than the largest cost
 * of a transition.
 */
const BUCKETS = 128;
const UNREACHED = 0x7fffffff;

export class RouteGraph {
  readonly #ids: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #edges = new EdgeLists();
  /**
   * For the index of each id in `#ids`: 1 if the id belongs to a screen, otherwise 0. A transition may also
   * lead to a target that is not a screen.
   */
  #screens = new Uint8Array(64);
  /**
   * Maps the index of each id to the index of the id to which it redirects. An id without a redirect is
   * mapped to itself.
   */
  #leadsTo = new Int32Array(64);
  /** For each screen index: the index of the screen before it on the cheapest route of the last search. */
  #parents = new Int32Array(64);
  /** For each screen index: the cost of the cheapest route to this screen in the last search. */
  #costs = new Int32Array(64);
  /** The screen indices in the buckets of the search. Each bucket is a linked list of such entries. */
  #entries = new Int32Array(256);
  /** For each entry of `#entries`: the position of the next entry in the same bucket. */
  #followers = new Int32Array(256);
  /** For each bucket: the position of its first entry in `#entries`. */
  readonly #heads = new Int32Array(BUCKETS);
  /** For each bucket: the position of its last entry in `#entries`. */
  readonly #tails = new Int32Array(BUCKETS);
  #transitions = 0;

  /** Number of stored transitions, including those to pages that are not screens. */
  get transitions(): number {
    return this.#transitions;
  }

  addScreen(id: string): void {
    const number = this.#number(id);
    this.#screens[number] = 1;
  }

  removeScreen(id: string): void {
    const number = this.#number(id);
    this.#screens[number] = 0;
    this.#lead(number, []);
  }

  has(id: string): boolean {
    const number = this.#numbers.get(id);
    return number !== undefined && this.#screens[number] === 1;
  }

  /**
   * Replaces the transitions from one screen. The order of `to` does not matter: of two routes with the same
   * cost, the one with the lower screen ids is chosen.
   */
  setTransitions(from: string, to: Iterable<string | Leaving>): void {
    const costs = new Map<string, number>();
    for (const one of to) {
      const { via, cost } = typeof one === "string" ? { via: one, cost: USUAL_COST } : one;
      if (targetOfEdge(via) !== from) costs.set(via, cost);
    }
    const vias = [...costs.keys()].sort();
    this.#lead(
      this.#number(from),
      vias.map((id) => this.#number(id)),
      vias.map((id) => Math.min(Math.max(costs.get(id) ?? USUAL_COST, MIN_COST), MAX_COST)),
    );
  }

  /** Changes the cost of a transition that the graph already has. */
  setCost(from: string, via: string, cost: number): void {
    const [number, target] = [this.#numbers.get(from), this.#numbers.get(via)];
    if (number !== undefined && target !== undefined) this.#edges.setCost(number, target, cost);
  }

  #lead(from: number, to: readonly number[], costs: readonly number[] = []): void {
    this.#transitions += to.length - this.#edges.of(from).length;
    this.#edges.set(from, to, costs);
  }

  /** Records that pages with the id `id` show the screen `screen`. */
  setRedirect(id: string, screen: string): void {
    const [from, to] = [this.#number(id), this.#number(screen)];
    this.#leadsTo[from] = to;
  }

  /**
   * Returns all ids that the index knows: those of screens, of redirects, and of the targets of transitions.
   */
  ids(): readonly string[] {
    return this.#ids;
  }

  /** The `edgeId`s of a screen's transitions, sorted. */
  targets(id: string): readonly string[] {
    const number = this.#numbers.get(id);
    return number === undefined ? [] : Array.from(this.#edges.of(number), (target) => this.#id(target));
  }

  /** The costs of a screen's transitions, in the order of `targets`. */
  costs(id: string): readonly number[] {
    const number = this.#numbers.get(id);
    return number === undefined ? [] : [...this.#edges.costsOf(number)];
  }

  /** If the page `id` redirects, returns the screen to which it leads; otherwise `undefined`. */
  redirect(id: string): string | undefined {
    if (targetOfEdge(id) !== id) return undefined;
    const number = this.#numbers.get(id);
    const leadsTo = number === undefined ? undefined : this.#leadsTo[number];
    return leadsTo === undefined || leadsTo === number ? undefined : this.#id(leadsTo);
  }

  /**
   * Returns the screen for an id: the id itself if it belongs to a screen, otherwise the screen to which it
   * redirects. Returns `undefined` if there is none.
   */
  resolve(id: string): string | undefined {
    const number = this.#numbers.get(id);
    if (number === undefined) return undefined;
    const screen = this.#target(number);
    return screen === NOWHERE ? undefined : this.#ids[screen];
  }

  /** Returns for each of the given screens how many other given screens have a transition to it. */
  countLinking(ids: readonly string[]): ReadonlyMap<string, number> {
    return this.linkCounter(ids)(ids);
  }

  /**
   * Returns a function that counts, for each of the given screens, how many of the passed sources have a
   * transition to it. The function is called for each folder of a site, so the set of the given screens is
   * built only once.
   */
  linkCounter(ids: readonly string[]): (sources: readonly string[]) => ReadonlyMap<string, number> {
    const among = new Set(ids.flatMap((id) => this.#numbers.get(id) ?? []));
    return (sources) => this.#countLinks(among, sources);
  }

  #countLinks(among: ReadonlySet<number>, sources: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map<number, number>();
    for (const from of new Set(sources.flatMap((id) => this.#numbers.get(id) ?? []))) {
      const seen = new Set<number>();
      for (const via of this.#edges.of(from)) {
        const to = this.#target(via);
        if (to === NOWHERE || to === from || seen.has(to) || !among.has(to)) continue;
        seen.add(to);
        counts.set(to, (counts.get(to) ?? 0) + 1);
      }
    }
    return new Map([...counts].map(([number, count]) => [this.#id(number), count]));
  }

  /** Whether the graph knows an id: that of a screen, of a redirect, or of the target of a transition. */
  isKnown(id: string): boolean {
    return this.#numbers.has(id);
  }

  /** Number of transitions between screens. */
  countTransitions(): number {
    let count = 0;
    for (let from = 0; from < this.#ids.length; from++) {
      if (this.#screens[from] !== 1) continue;
      for (const target of this.#edges.of(from)) {
        const screen = this.#target(target);
        if (screen !== NOWHERE && screen !== from) count += 1;
      }
    }
    return count;
  }

  /**
   * Returns the cheapest route; `undefined` if none exists. The route from a screen to itself is empty.
   *
   * @param avoid pairs of stored ids: transitions that the route must not use
   * @param also further such transitions, as `avoiding` returns them
   */
  route(
    from: string,
    to: string,
    avoid?: Iterable<Pair>,
    also?: AvoidedTransitions,
  ): readonly Hop[] | undefined {
    const start = this.#numbers.get(from);
    const goal = this.#numbers.get(to);
    if (start === undefined || goal === undefined || this.#screens[goal] !== 1) return undefined;
    return this.#search(start, (number) => number === goal, this.#numbered(avoid, also));
  }

  /**
   * Returns the cheapest route to a page to which links lead, but which was never read and is therefore no screen. The
   * last hop is a link to the page. `undefined` if no route exists, or if the page is a screen.
   */
  routeToUnread(
    from: string,
    page: string,
    avoid?: Iterable<Pair>,
    also?: AvoidedTransitions,
  ): readonly Hop[] | undefined {
    const goal = this.#numbers.get(page);
    if (goal === undefined || this.#target(goal) !== NOWHERE) return undefined;
    // A search only follows transitions to screens. So the page that was never read counts as a screen during
    // the search.
    this.#screens[goal] = 1;
    const hops = this.route(from, page, avoid, also);
    this.#screens[goal] = 0;
    return hops;
  }

  /** Returns the cheapest route to the nearest of the given screens. */
  routeToNearest(
    from: string,
    to: Iterable<string>,
    avoid?: Iterable<Pair>,
    also?: AvoidedTransitions,
  ): readonly Hop[] | undefined {
    const start = this.#numbers.get(from);
    const goals = new Set([...to].flatMap((id) => this.#numbers.get(id) ?? []));
    if (start === undefined) return undefined;
    return this.#search(start, (number) => goals.has(number), this.#numbered(avoid, also));
  }

  /**
   * Converts transitions that routes must avoid to their numbers, so that several routes can use them. The
   * result is invalid after the transitions of the graph have changed.
   */
  avoiding(pairs: Iterable<Pair>): AvoidedTransitions {
    return this.#numbered(pairs) ?? new Map();
  }

  /**
   * Converts the ids of transitions that a route must avoid to indexes.
   *
   * @param also further transitions to avoid, as indexes
   */
  #numbered(avoid: Iterable<Pair> = [], also?: AvoidedTransitions): AvoidedTransitions | undefined {
    const own = new Map<number, Set<number>>();
    for (const [from, via] of avoid) {
      const [a, b] = [this.#numbers.get(from), this.#numbers.get(via)];
      if (a === undefined || b === undefined) continue;
      // Other routes use the same sets in `also`, so a set is copied before an index is added to it.
      const known = own.get(a) ?? new Set(also?.get(a));
      own.set(a, known.add(b));
    }
    if (!also || also.size === 0) return own.size > 0 ? own : undefined;
    return own.size > 0 ? new Map([...also, ...own]) : also;
  }

  #search(
    start: number,
    isGoal: (number: number) => boolean,
    avoided: AvoidedTransitions | undefined,
  ): readonly Hop[] | undefined {
    if (this.#screens[start] !== 1) return undefined;
    if (isGoal(start)) return [];
    // These properties are copied to constants, because reading properties in each iteration of the loop is
    // slower.
    const { starts, lengths, targets, weights } = this.#edges;
    const [screens, leadsTo] = [this.#screens, this.#leadsTo];
    const [parents, costs, heads, tails] = [this.#parents, this.#costs, this.#heads, this.#tails];
    const [entries, followers] = this.#roomForEntries();
    costs.fill(UNREACHED, 0, this.#ids.length);
    heads.fill(NOWHERE);
    let [used, open, best, goal] = [0, 0, UNREACHED, NOWHERE];
    const put = (number: number, cost: number) => {
      const bucket = cost & (BUCKETS - 1);
      entries[used] = number;
      followers[used] = NOWHERE;
      if (heads[bucket] === NOWHERE) heads[bucket] = used;
      else followers[tails[bucket] ?? NOWHERE] = used;
      tails[bucket] = used;
      used += 1;
      open += 1;
    };
    costs[start] = 0;
    put(start, 0);
    // All routes that are found later cost at least one transition more, so the search can end.
    for (let cost = 0; open > 0 && cost + MIN_COST < best; cost++) {
      const bucket = cost & (BUCKETS - 1);
      for (let entry = heads[bucket] ?? NOWHERE; entry !== NOWHERE; entry = followers[entry] ?? NOWHERE) {
        open -= 1;
        const here = entries[entry] ?? NOWHERE;
        // The queue has a newer entry with lower costs for this screen, so this entry is skipped.
        if (costs[here] !== cost) continue;
        const first = starts[here] ?? 0;
        const end = first + (lengths[here] ?? 0);
        const not = avoided?.get(here);
        for (let at = first; at < end; at++) {
          if (not?.has(targets[at] ?? NOWHERE)) continue;
          const next = screenOf(targets[at] ?? NOWHERE, screens, leadsTo);
          const total = cost + (weights[at] ?? USUAL_COST);
          if (next === NOWHERE || (costs[next] ?? 0) <= total) continue;
          costs[next] = total;
          parents[next] = here;
          if (isGoal(next)) {
            if (total < best) [best, goal] = [total, next];
          } else put(next, total);
        }
      }
      heads[bucket] = NOWHERE;
    }
    return goal === NOWHERE ? undefined : this.#hops(start, goal, avoided);
  }

  /**
   * Makes the arrays large enough for the queue of a search for the cheapest route. Each transition adds at
   * most one entry to the queue.
   */
  #roomForEntries(): readonly [Int32Array, Int32Array] {
    while (this.#entries.length < this.#transitions + 1) {
      this.#entries = new Int32Array(this.#entries.length * 2);
      this.#followers = new Int32Array(this.#entries.length);
    }
    return [this.#entries, this.#followers];
  }

  #hops(start: number, goal: number, avoided: AvoidedTransitions | undefined): readonly Hop[] {
    const hops: Hop[] = [];
    for (let to = goal; to !== start; ) {
      const from = this.#parents[to] ?? start;
      hops.push({ from: this.#id(from), via: this.#id(this.#cheapest(from, to, avoided)), to: this.#id(to) });
      to = from;
    }
    return hops.reverse();
  }

  /**
   * Returns the cheapest transition between two screens. Of several transitions with equal cost, the one with
   * the first `edgeId` in alphabetical order is returned.
   */
  #cheapest(from: number, to: number, avoided: AvoidedTransitions | undefined): number {
    const not = avoided?.get(from);
    const [vias, costs] = [this.#edges.of(from), this.#edges.costsOf(from)];
    let best = to;
    let least = UNREACHED;
    for (const [at, via] of vias.entries()) {
      const cost = costs[at] ?? USUAL_COST;
      if (cost >= least || not?.has(via) || this.#target(via) !== to) continue;
      [best, least] = [via, cost];
    }
    return best;
  }

  #target(via: number): number {
    return screenOf(via, this.#screens, this.#leadsTo);
  }

  #id(number: number): string {
    return this.#ids[number] ?? "";
  }

  #number(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const target = targetOfEdge(id);
    // The target must get its number before `id`, because `#number` assigns the next free number.
    const leadsTo = target === id ? undefined : this.#number(target);
    const number = this.#ids.length;
    this.#ids.push(id);
    this.#numbers.set(id, number);
    if (number >= this.#parents.length) {
      const screens = new Uint8Array(2 * number);
      screens.set(this.#screens);
      this.#screens = screens;
      this.#leadsTo = grown(this.#leadsTo);
      this.#parents = grown(this.#parents);
      this.#costs = grown(this.#costs);
    }
    this.#leadsTo[number] = leadsTo ?? number;
    return number;
  }
}

/**
 * Stores many lists of numbers in a single array.
 *
 * A search in a large map mostly waits for memory. Reading 10,000 lists of five numbers takes 0.3 ms from one
 * array, and 1.5 ms from separate arrays.
 */
class EdgeLists {
  /**
   * The lists are stored one after another in `targets`. For each list, by its index: `starts` is the
   * position of its first entry, and `lengths` is the number of its entries.
   */
  starts = new Int32Array(64);
  lengths = new Int32Array(64);
  targets = new Int32Array(256);
  /** The costs of the transitions to the entries of `targets`, at the same positions. */
  weights = new Uint8Array(256);
  #used = 0;
  /**
   * Number of entries of `targets` that are in use. A list that grows is moved to the end, which leaves
   * unused entries.
   */
  #listed = 0;

  of(number: number): Int32Array {
    const start = this.starts[number] ?? 0;
    return this.targets.subarray(start, start + (this.lengths[number] ?? 0));
  }

  costsOf(number: number): Uint8Array {
    const start = this.starts[number] ?? 0;
    return this.weights.subarray(start, start + (this.lengths[number] ?? 0));
  }

  setCost(number: number, target: number, cost: number): void {
    const at = this.of(number).indexOf(target);
    if (at >= 0) this.weights[(this.starts[number] ?? 0) + at] = cost;
  }

  set(number: number, list: readonly number[], costs: readonly number[]): void {
    while (number >= this.starts.length) {
      this.starts = grown(this.starts);
      this.lengths = grown(this.lengths);
    }
    const before = this.lengths[number] ?? 0;
    this.#listed += list.length - before;
    if (list.length > before) {
      this.lengths[number] = 0;
      this.#reserve(list.length);
      this.starts[number] = this.#used;
      this.#used += list.length;
    }
    this.lengths[number] = list.length;
    this.targets.set(list, this.starts[number] ?? 0);
    this.weights.set(costs, this.starts[number] ?? 0);
  }

  /**
   * Makes space for `more` entries at the end of the array, by removing unused entries between the lists. If
   * the lists use more than half of the array, they are moved into a larger array.
   */
  #reserve(more: number): void {
    if (this.#used + more <= this.targets.length) return;
    let room = this.targets.length;
    while (this.#listed > room / 2) room *= 2;
    const targets = new Int32Array(room);
    const weights = new Uint8Array(room);
    let used = 0;
    for (let number = 0; number < this.starts.length; number++) {
      const list = this.of(number);
      targets.set(list, used);
      weights.set(this.costsOf(number), used);
      this.starts[number] = used;
      used += list.length;
    }
    this.targets = targets;
    this.weights = weights;
    this.#used = used;
  }
}

/**
 * Returns the index of the screen to which an id leads. The id of a screen leads to the screen itself, and
 * the id of a transition to its target. Redirects are followed.
 */
function screenOf(number: number, screens: Uint8Array, leadsTo: Int32Array): number {
  if (screens[number] === 1) return number;
  const shown = leadsTo[number] ?? NOWHERE;
  if (screens[shown] === 1) return shown;
  const last = leadsTo[shown] ?? NOWHERE;
  return screens[last] === 1 ? last : NOWHERE;
}

function grown(old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}
