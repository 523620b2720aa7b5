/**
 * Tracks what an interactive exploration has found and pressed, and chooses the next press. It is rebuilt
 * from stored notes after a restart. A control that led to the same result in two states is
 * assumed to lead to it everywhere.
 */
import { stateIdOf } from "../knowledge/page-state.ts";
import { parseSketch, similarity } from "../knowledge/structure-sketch.ts";
import { explorationLimits } from "./limits.ts";
import type { Candidate, PressStep } from "./press-choice.ts";
import { kindOf } from "./rendering-decision.ts";
import { isSameState } from "./visible-state.ts";

const { pressing } = explorationLimits;

/** A state of a page, with the presses that lead to it. */
export interface FrontierState {
  readonly id: string;
  readonly url: string;
  /** Deduplication key of the page's address. */
  readonly key: string;
  /** The presses that lead from the page to the state; empty for the page itself. */
  readonly path: readonly PressStep[];
  readonly names: readonly string[];
  readonly sketch: string;
  /**
   * The press that first showed this page. It is repeated when opening the page's address does not show the
   * same state.
   */
  readonly via: { readonly from: string; readonly step: PressStep } | null;
  readonly candidates: readonly Candidate[];
}

/**
 * The result of a press. `lost`: the state could not be reached again. `absent`: the element was not found.
 */
export type PressEffect = "none" | "failed" | "lost" | "absent" | "page" | "state";

export interface PressResult {
  readonly state: string;
  readonly candidate: string;
  readonly effect: PressEffect;
  /** The id of the state or page that the press led to. */
  readonly target: string | null;
  /** A sketch of the content that the press added to the state. */
  readonly added: string;
  /** Whether the press led to a state that was not known before. */
  readonly fresh: boolean;
}

/** A stored note of the exploration about its states and presses. */
export type PressNote =
  | { readonly kind: "state"; readonly state: FrontierState }
  | { readonly kind: "result"; readonly result: PressResult };

interface Progress {
  state: FrontierState;
  readonly done: Set<string>;
  /** Pressed elements that were not found. They are pressed once more when they appear again. */
  readonly absent: Set<string>;
  /** Elements that were not found at first but are in a later snapshot of the page. */
  readonly revived: Set<string>;
  fruitless: number;
  repeats: number;
  lost: number;
}

interface ControlStory {
  tries: number;
  /** Number of presses that led back to the state from which the pressed one was opened, as "Close" does. */
  returns: number;
  /** The states and pages to which presses of a control led, and the kinds of states. */
  readonly targets: Set<string>;
  readonly classes: Set<number>;
  lastFresh: boolean;
}

/** For a group of similar controls: how many were pressed in a row, and to which kinds of states they led. */
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
  /** For each page's address: the keys of the controls that the page itself offers. */
  readonly #offered = new Map<string, ReadonlySet<string>>();
  readonly #controls = new Map<string, ControlStory>();
  readonly #groups = new Map<string, GroupStory>();
  readonly #classes: { readonly effect: PressEffect; readonly added: string }[] = [];
  #results = 0;

  get states(): readonly FrontierState[] {
    return [...this.#progress.values()].map(({ state }) => state);
  }

  /** Number of presses so far. */
  get results(): number {
    return this.#results;
  }

  get(id: string): FrontierState | undefined {
    return this.#progress.get(id)?.state;
  }

  /** The known state that the page shows now: one with the same address and the same features. */
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

  /** Replaces the content of a known page, because its address now shows something else. */
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

  /** Whether a control, or one that looks like it, led to a similar state before. */
  hasLedTo({ key, group }: Candidate, effect: PressEffect, added: string, from?: FrontierState): boolean {
    const one = this.#findClass(effect, added);
    if (one < 0) return false;
    const alike = group === null || !from ? undefined : this.#groups.get(groupName(from, group));
    return this.#controls.get(key)?.classes.has(one) === true || alike?.classes.has(one) === true;
  }

  /** Whether a page resembles pages whose controls were already pressed, so that its own need not be. */
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
      returns: 0,
      targets: new Set(),
      classes: new Set(),
      lastFresh: false,
    };
    this.#controls.set(key, story);
    if (story.tries > 0) progress.repeats += 1;
    story.tries += 1;
    story.lastFresh = fresh;
    if (target !== null && target === openerOf(progress.state)) story.returns += 1;
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
   * Chooses the next press: in the current state while it has something new, otherwise in another state.
   *
   * @param here the state that is shown now
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

  /**
   * Returns transitions that were not tried: a control that led to the same state from two other states is
   * assumed to lead there from this state too. A control that led back from two states, as "Close" does, is
   * assumed to lead back from this one.
   */
  inferred(): readonly {
    readonly state: FrontierState;
    readonly candidate: Candidate;
    readonly target: string;
  }[] {
    return [...this.#progress.values()].flatMap(({ state, done }) =>
      state.candidates.flatMap((candidate) => {
        const target = this.#inferredTarget(state, candidate);
        if (target === undefined || target === state.id || done.has(candidate.key)) return [];
        return [{ state, candidate, target }];
      }),
    );
  }

  #inferredTarget(state: FrontierState, { key }: Candidate): string | undefined {
    const story = this.#controls.get(key);
    if (story === undefined || story.tries < 2) return undefined;
    // A control that pages offer too, such as a header's menu, leads to a place of its own.
    const isOfPage = [...this.#offered.values()].some((offered) => offered.has(key));
    if (story.returns === story.tries && !isOfPage) return openerOf(state);
    const [target] = story.targets;
    return story.targets.size === 1 ? target : undefined;
  }

  /** The criteria by which presses are ordered, strongest first. */
  get #order(): readonly ((progress: Progress, candidate: Candidate) => boolean)[] {
    return [
      (progress, one) => !one.vague && this.#isNovel(progress, one),
      (progress, one) => one.switches === true && this.#isRepeat(progress, one),
      this.#isNovel,
      this.#isRepeat,
    ];
  }

  readonly #isNovel = ({ state }: Progress, { key, step }: Candidate): boolean => {
    // A control that the page offers even before any press, such as the header's menu, is pressed only on the
    // page and not in each state of the page.
    const isOfPage = state.path.length > 0 && this.#offered.get(state.key)?.has(key) === true;
    if (!isOfPage && !this.#controls.has(key)) return true;
    // The button "next" of a wizard works in each step, so it is pressed in each.
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
    // The control has led to different kinds of states before, so it may lead to a new one here.
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

  /**
   * Returns the number of the class to which the result of a press belongs. Two results are of one class when
   * the presses added the same content.
   */
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

/** Share of common features at which two pages are of one kind. */
const FURTHER = 0.85;
/** A state is given up after this number of failures to reach it. */
const LOST = 3;
/** Maximum number of controls that are tried again in one state. */
const REPEATS = 10;

/** The id of the state from which a press opened this state; `undefined` for a page. */
function openerOf({ key, names }: FrontierState): string | undefined {
  return names.length === 0 ? undefined : stateIdOf(key, names.slice(0, -1));
}

function groupName({ url, path }: FrontierState, group: string): string {
  return `${kindOf(url)} ${path.map(({ name }) => name).join("~")} ${group}`;
}
