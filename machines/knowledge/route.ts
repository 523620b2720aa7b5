/**
 * The shortest way from screen to screen, in clicks.
 *
 * Breadth-first search over screens numbered as they come; visited marks are stamped rather than cleared, so
 * that a query on 10,000 screens and 50,000 transitions allocates nothing but its answer. A transition may
 * name a page that never became a screen (then it leads nowhere) or one that redirects (then it leads to the
 * screen that the redirect shows). Neighbour: `atlas.ts` keeps one for each map.
 */

/** One click. `via` is the id under which the transition is stored: it differs from `to` for a redirect. */
export interface Hop {
  readonly from: string;
  readonly via: string;
  readonly to: string;
}

const NOWHERE = -1;

export class RouteGraph {
  readonly #ids: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #edges: (readonly number[])[] = [];
  /** Whether the number is a screen; a transition's target often is none (yet). */
  readonly #screens: boolean[] = [];
  /** The number a redirect leads to; its own number for everything else. */
  readonly #leadsTo: number[] = [];
  /** Per number: the stamp of the last search that reached it, from where, and by which stored target. */
  #stamps = new Int32Array(64);
  #parents = new Int32Array(64);
  #vias = new Int32Array(64);
  #queue = new Int32Array(64);
  #stamp = 0;
  #transitions = 0;

  /** Stored transitions, whether or not they lead to a screen. */
  get transitions(): number {
    return this.#transitions;
  }

  addScreen(id: string): void {
    this.#screens[this.#number(id)] = true;
  }

  removeScreen(id: string): void {
    const number = this.#number(id);
    this.#screens[number] = false;
    this.#lead(number, []);
  }

  has(id: string): boolean {
    const number = this.#numbers.get(id);
    return number !== undefined && this.#screens[number] === true;
  }

  /** Replaces the transitions that leave a screen. Order does not matter: equal ways are chosen by id. */
  setTransitions(from: string, to: Iterable<string>): void {
    const targets = [...new Set(to)].filter((id) => id !== from).sort();
    this.#lead(
      this.#number(from),
      targets.map((id) => this.#number(id)),
    );
  }

  #lead(from: number, to: readonly number[]): void {
    this.#transitions += to.length - (this.#edges[from]?.length ?? 0);
    this.#edges[from] = to;
  }

  /** Says that pages stored as `id` are shown by screen `screen` (a redirect). */
  setRedirect(id: string, screen: string): void {
    this.#leadsTo[this.#number(id)] = this.#number(screen);
  }

  /** All that it has heard of: screens, redirects, and what transitions name. */
  ids(): readonly string[] {
    return this.#ids;
  }

  /** Where the stored transitions of a screen lead, each target once, in order of their ids. */
  targets(id: string): readonly string[] {
    const number = this.#numbers.get(id);
    return number === undefined ? [] : (this.#edges[number] ?? []).map((target) => this.#id(target));
  }

  /** The screen that pages stored as `id` are shown by, when that was said. */
  redirect(id: string): string | undefined {
    const number = this.#numbers.get(id);
    const leadsTo = number === undefined ? undefined : this.#leadsTo[number];
    return leadsTo === undefined || leadsTo === number ? undefined : this.#id(leadsTo);
  }

  /** The screen that `id` stands for: itself, or where its redirect leads; `undefined` when that is no screen. */
  resolve(id: string): string | undefined {
    const number = this.#numbers.get(id);
    if (number === undefined) return undefined;
    const screen = this.#target(number);
    return screen === NOWHERE ? undefined : this.#ids[screen];
  }

  /** Transitions between screens. */
  countTransitions(): number {
    let count = 0;
    for (const [from, targets] of this.#edges.entries()) {
      if (this.#screens[from] !== true) continue;
      for (const target of targets) {
        const screen = this.#target(target);
        if (screen !== NOWHERE && screen !== from) count += 1;
      }
    }
    return count;
  }

  /** The fewest clicks between two screens: empty from a screen to itself, `undefined` when there is no way. */
  route(from: string, to: string): readonly Hop[] | undefined {
    const start = this.#numbers.get(from);
    const goal = this.#numbers.get(to);
    if (start === undefined || goal === undefined) return undefined;
    if (this.#screens[start] !== true || this.#screens[goal] !== true) return undefined;
    if (start === goal) return [];
    this.#stamp += 1;
    const stamp = this.#stamp;
    let head = 0;
    let tail = 0;
    this.#queue[tail++] = start;
    this.#stamps[start] = stamp;
    while (head < tail) {
      const here = this.#queue[head++] ?? NOWHERE;
      for (const via of this.#edges[here] ?? []) {
        const next = this.#target(via);
        if (next === NOWHERE || this.#stamps[next] === stamp) continue;
        this.#stamps[next] = stamp;
        this.#parents[next] = here;
        this.#vias[next] = via;
        if (next === goal) return this.#hops(start, goal);
        this.#queue[tail++] = next;
      }
    }
    return undefined;
  }

  #hops(start: number, goal: number): readonly Hop[] {
    const hops: Hop[] = [];
    for (let number = goal; number !== start; number = this.#parents[number] ?? start) {
      hops.push({
        from: this.#id(this.#parents[number] ?? start),
        via: this.#id(this.#vias[number] ?? number),
        to: this.#id(number),
      });
    }
    return hops.reverse();
  }

  #target(via: number): number {
    const number = this.#screens[via] === true ? via : (this.#leadsTo[via] ?? NOWHERE);
    return this.#screens[number] === true ? number : NOWHERE;
  }

  #id(number: number): string {
    return this.#ids[number] ?? "";
  }

  #number(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#ids.length;
    this.#ids.push(id);
    this.#numbers.set(id, number);
    this.#edges.push([]);
    this.#screens.push(false);
    this.#leadsTo.push(number);
    if (number >= this.#stamps.length) {
      this.#stamps = grown(this.#stamps);
      this.#parents = grown(this.#parents);
      this.#vias = grown(this.#vias);
      this.#queue = grown(this.#queue);
    }
    return number;
  }
}

function grown(old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}
