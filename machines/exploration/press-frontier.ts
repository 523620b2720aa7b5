/**
 * What an interactive exploration has found and pressed, and what it presses next; built from its rows again after a
 * restart. Controls that were never pressed come first, pages before the states within them. A control that led
 * somewhere is tried in a second state; when it leads to the same there, it is taken to do so everywhere.
 */
import { parseSketch, similarity } from "../knowledge/structure-sketch.ts";
import { explorationLimits } from "./limits.ts";
import type { Candidate, PressStep } from "./press-choice.ts";
import { kindOf } from "./rendering.ts";
import { isSameState } from "./ui-state.ts";

const { pressing } = explorationLimits;

/** A state with the way to it. */
export interface FrontierState {
  readonly id: string;
  readonly url: string;
  /** Deduplication key of the address. */
  readonly key: string;
  /** Presses from the page on; empty for a page of its own. */
  readonly path: readonly PressStep[];
  readonly names: readonly string[];
  readonly sketch: string;
  /** How a page was reached, in case its address alone does not show it. */
  readonly via: { readonly from: string; readonly step: PressStep } | null;
  readonly candidates: readonly Candidate[];
}

/** What a press led to. `lost`: the state could not be reached again; `absent`: the element was not there. */
export type PressEffect = "none" | "failed" | "lost" | "absent" | "page" | "state";

export interface PressResult {
  readonly state: string;
  readonly candidate: string;
  readonly effect: PressEffect;
  /** The id of the state or page that it led to. */
  readonly target: string | null;
  /** A sketch of what was added to the state by it. */
  readonly added: string;
  /** Whether the target was new. */
  readonly fresh: boolean;
}

/** A row of the exploration's notes. */
export type PressNote =
  | { readonly kind: "state"; readonly state: FrontierState }
  | { readonly kind: "result"; readonly result: PressResult };

interface Progress {
  state: FrontierState;
  readonly done: Set<string>;
  /** Of these, elements that were not there: they are tried again once when they are seen. */
  readonly absent: Set<string>;
  /** Elements that a later snapshot of the page has. */
  readonly revived: Set<string>;
  fruitless: number;
  repeats: number;
  lost: number;
}

interface ControlStory {
  tries: number;
  /** States and pages that it led to, and kinds of them. */
  readonly targets: Set<string>;
  readonly classes: Set<number>;
  lastFresh: boolean;
}

/** Like elements that led to the same kind of state, one after the other. */
interface GroupStory {
  tries: number;
  readonly classes: Set<number>;
  exhausted: boolean;
}

export interface NextPress {
  readonly state: FrontierState;
  readonly candidate: Candidate;
}

export class PressFrontier {
  readonly #progress = new Map<string, Progress>();
  /** Keys of the candidates of each page, by its address. */
  readonly #offered = new Map<string, ReadonlySet<string>>();
  readonly #controls = new Map<string, ControlStory>();
  readonly #groups = new Map<string, GroupStory>();
  readonly #classes: { readonly effect: PressEffect; readonly added: string }[] = [];
  #results = 0;

  get states(): readonly FrontierState[] {
    return [...this.#progress.values()].map(({ state }) => state);
  }

  /** Presses so far. */
  get results(): number {
    return this.#results;
  }

  get(id: string): FrontierState | undefined {
    return this.#progress.get(id)?.state;
  }

  /** The known state that is shown: at the same address, with the same features. */
  find(key: string, sketch: string): FrontierState | undefined {
    for (const { state } of this.#progress.values())
      if (state.key === key && isSameState(state.sketch, sketch)) return state;
    return undefined;
  }

  statesAt(key: string): number {
    let count = 0;
    for (const { state } of this.#progress.values()) if (state.key === key) count += 1;
    return count;
  }

  apply(note: PressNote): void {
    if (note.kind === "state") this.add(note.state);
    else this.record(note.result);
  }

  add(state: FrontierState): void {
    if (this.#progress.has(state.id)) return;
    this.#progress.set(state.id, {
      state,
      done: new Set(),
      absent: new Set(),
      revived: new Set(),
      fruitless: 0,
      repeats: 0,
      lost: 0,
    });
    if (state.path.length === 0)
      this.#offered.set(state.key, new Set(state.candidates.map(({ key }) => key)));
  }

  /** A page shows something else at its address than before. */
  renew(id: string, sketch: string, candidates: readonly Candidate[]): void {
    const progress = this.#progress.get(id);
    if (!progress) return;
    for (const { key } of candidates) {
      if (progress.absent.delete(key) && !progress.revived.has(key)) progress.done.delete(key);
      progress.revived.add(key);
    }
    const known = new Set(progress.state.candidates.map(({ key }) => key));
    const added = candidates.filter(({ key }) => !known.has(key));
    progress.state = { ...progress.state, sketch, candidates: [...progress.state.candidates, ...added] };
    this.#offered.set(progress.state.key, new Set(progress.state.candidates.map(({ key }) => key)));
  }

  /** Whether a control, or one of its like elements, led to such a state before. */
  hasLedTo({ key, group }: Candidate, effect: PressEffect, added: string, from?: FrontierState): boolean {
    const one = this.#findClass(effect, added);
    if (one < 0) return false;
    const alike = group === null || !from ? undefined : this.#groups.get(groupName(from, group));
    return this.#controls.get(key)?.classes.has(one) === true || alike?.classes.has(one) === true;
  }

  /** Whether the page at an address is one more of those whose elements are pressed already. */
  isFurther(url: string, sketch: string): boolean {
    const kind = kindOf(url);
    const alike = this.states.filter(
      (state) => state.path.length === 0 && state.candidates.length > 0 && kindOf(state.url) === kind,
    );
    return (
      alike.length >= pressing.pagesOfKind ||
      alike.some((state) => similarity(parseSketch(state.sketch), parseSketch(sketch)) >= FURTHER)
    );
  }

  record({ state: id, candidate: key, effect, target, added, fresh }: PressResult): void {
    this.#results += 1;
    const progress = this.#progress.get(id);
    if (!progress) return;
    progress.done.add(key);
    progress.fruitless = fresh ? 0 : progress.fruitless + 1;
    if (effect === "lost") progress.lost += 1;
    else if (effect === "absent") progress.absent.add(key);
    if (effect === "lost" || effect === "absent") return;
    const story = this.#controls.get(key) ?? {
      tries: 0,
      targets: new Set(),
      classes: new Set(),
      lastFresh: false,
    };
    this.#controls.set(key, story);
    if (story.tries > 0) progress.repeats += 1;
    story.tries += 1;
    story.lastFresh = fresh;
    const one = effect === "page" || effect === "state" ? this.#classOf(effect, added) : undefined;
    if (target !== null) story.targets.add(target);
    if (one !== undefined) story.classes.add(one);
    const group = progress.state.candidates.find((candidate) => candidate.key === key)?.group;
    if (group) {
      const name = groupName(progress.state, group);
      const alike = this.#groups.get(name) ?? { tries: 0, classes: new Set(), exhausted: false };
      this.#groups.set(name, alike);
      alike.tries += 1;
      alike.exhausted = one === undefined || alike.classes.has(one);
      if (one !== undefined) alike.classes.add(one);
    }
  }

  /**
   * The next press: where the exploration stands, as long as there is something new, else where there is.
   *
   * @param here the state that is shown
   */
  next(here: string | undefined): NextPress | undefined {
    const at = here === undefined ? undefined : this.#progress.get(here);
    const others = [...this.#progress.values()].sort((a, b) => a.state.path.length - b.state.path.length);
    const ordered = at ? [at, ...others] : others;
    for (const isWanted of this.#order) {
      for (const progress of ordered) {
        if (progress.lost >= LOST || progress.fruitless >= pressing.fruitless) continue;
        const candidate = progress.state.candidates.find(
          (one) =>
            !progress.done.has(one.key) && !this.#isExhausted(progress.state, one) && isWanted(progress, one),
        );
        if (candidate) return { state: progress.state, candidate };
      }
    }
    return undefined;
  }

  /** Where a control of a state leads, when it led there from two other states. */
  inferred(): readonly {
    readonly state: FrontierState;
    readonly candidate: Candidate;
    readonly target: string;
  }[] {
    return [...this.#progress.values()].flatMap(({ state, done }) =>
      state.candidates.flatMap((candidate) => {
        const story = this.#controls.get(candidate.key);
        const [target] = story?.targets ?? [];
        const isKnown = story !== undefined && story.tries >= 2 && story.targets.size === 1;
        if (!isKnown || target === undefined || target === state.id || done.has(candidate.key)) return [];
        return [{ state, candidate, target }];
      }),
    );
  }

  /** What is wanted first, second, and so on. */
  get #order(): readonly ((progress: Progress, candidate: Candidate) => boolean)[] {
    return [
      (progress, one) => !one.vague && this.#isNovel(progress, one),
      (progress, one) => one.switches === true && this.#isRepeat(progress, one),
      this.#isNovel,
      this.#isRepeat,
    ];
  }

  readonly #isNovel = ({ state }: Progress, { key, step }: Candidate): boolean => {
    // What a page offers is pressed there, not in its states.
    const isOfPage = state.path.length > 0 && this.#offered.get(state.key)?.has(key) === true;
    if (!isOfPage && !this.#controls.has(key)) return true;
    // A wizard's button leads on from each of its steps.
    const last = state.path.at(-1);
    return (
      last !== undefined && last.name === step.name && last.role === step.role && last.kind === step.kind
    );
  };

  readonly #isRepeat = ({ state, repeats }: Progress, { key, switches }: Candidate): boolean => {
    const story = this.#controls.get(key);
    if (!story || (story.targets.size === 0 && !switches) || state.path.length > pressing.wideDepth)
      return false;
    if (story.tries === 1) return true;
    // It leads to different kinds of states.
    return (
      story.classes.size > 1 &&
      repeats < REPEATS &&
      (story.lastFresh || story.tries < pressing.triesOfControl)
    );
  };

  #isExhausted(state: FrontierState, { group }: Candidate): boolean {
    if (group === null) return false;
    const story = this.#groups.get(groupName(state, group));
    return story !== undefined && (story.exhausted || story.tries >= pressing.triesOfGroup);
  }

  /** The number of a kind of states: two are of one kind when presses added the same. */
  #classOf(effect: PressEffect, added: string): number {
    const known = this.#findClass(effect, added);
    return known >= 0 ? known : this.#classes.push({ effect, added }) - 1;
  }

  #findClass(effect: PressEffect, added: string): number {
    const sketch = parseSketch(added);
    return this.#classes.findIndex(
      (one) => one.effect === effect && similarity(parseSketch(one.added), sketch) >= pressing.sameEffect,
    );
  }
}

/** Share of features in common by which a page is one more of its kind. */
const FURTHER = 0.85;
/** Failures to reach a state after which it is left. */
const LOST = 3;
/** Controls that are tried again in one state. */
const REPEATS = 10;

function groupName({ url, path }: FrontierState, group: string): string {
  return `${kindOf(url)} ${path.map(({ name }) => name).join("~")} ${group}`;
}
