/**
 * Tracks the states that an interactive exploration has found and the controls that it has pressed, and
 * chooses the next press.
 *
 * After a restart, this data is rebuilt from stored notes. If a control led to the same result in two states,
 * it is assumed to do so in all.
 */

import { parseSketch, similarity } from "../../knowledge/screens/page-feature-sketch.ts";
import { stateIdOf } from "../../knowledge/screens/page-states-to-map-instances.ts";
import { kindOf } from "../crawl/rendering-decision.ts";
import { explorationLimits } from "../exploration-limits.ts";
import type { Candidate, PressStep } from "./controls-to-press.ts";
import { isReturn, isSameState } from "./page-state-by-visible-controls.ts";

const { pressing } = explorationLimits;

/** A state of a page, with the presses (clicks) that lead from the page to this state. */
export interface FrontierState {
  readonly id: string;
  readonly url: string;
  /** The deduplication key of the page's address. */
  readonly key: string;
  /** The presses (clicks) that lead from the page to this state; empty for the page itself. */
  readonly path: readonly PressStep[];
  readonly names: readonly string[];
  readonly sketch: string;
  /**
   * The press that first led to this page: the pressed control, and the state in which it was pressed. It is
   * repeated if the page's address alone shows another state. `null` for pages that were opened by their
   * address, such as the start page.
   */
  readonly via: { readonly from: string; readonly step: PressStep } | null;
  /**
   * Whether the last press only opened a part of the previous state, such as a section. The previous state
   * and this state are then one screen.
   */
  readonly part?: true;
  /**
   * The headings of a page before any press, after which states of the page are named. They are stored, so
   * that a restarted run gives the same names.
   */
  readonly headings?: readonly string[];
  /**
   * The title of a page before any press. Some applications change the title when they open a drawer, and do not
   * restore it.
   */
  readonly title?: string;
  readonly candidates: readonly Candidate[];
}

/**
 * The result of a press (click). `lost`: the state with the control could not be reached again. `absent`: the
 * state was reached, but the control was not found in it.
 */
export type PressEffect = "none" | "failed" | "lost" | "absent" | "page" | "state";

export interface PressResult {
  readonly state: string;
  readonly candidate: string;
  readonly effect: PressEffect;
  /** The id of the state or page to which the press (click) led. */
  readonly target: string | null;
  /**
   * A sketch (compact signature for comparing similarity) of the content that appeared after the press (click).
   */
  readonly added: string;
  /** Whether this press was the first one that led to this state. */
  readonly fresh: boolean;
}

/** A stored note of an exploration about a state that was found, or about the result of a press (click). */
export type PressNote =
  | { readonly kind: "state"; readonly state: FrontierState }
  | { readonly kind: "result"; readonly result: PressResult };

interface Progress {
  state: FrontierState;
  readonly done: Set<string>;
  /**
   * Controls that were missing when the exploration wanted to press them in this state. A control that
   * appears in a later snapshot is tried once more.
   */
  readonly absent: Set<string>;
  /**
   * Controls that were missing when they were to be pressed, and appeared in a later snapshot of the page.
   * They are tried once more, and not again after that.
   */
  readonly revived: Set<string>;
  fruitless: number;
  repeats: number;
  lost: number;
}

interface ControlHistory {
  tries: number;
  /**
   * Number of presses (clicks) of the control that led back to the previous state, as those of a "Close" button
   * do.
   */
  returns: number;
  /** Ids of the states and pages to which the control has led. */
  readonly targets: Set<string>;
  /** The kinds of states to which the control has led; each kind has a number. */
  readonly classes: Set<number>;
  wasLastNovel: boolean;
}

/**
 * The history of a group of similar controls: the number of presses (clicks), and the kinds of states to which
 * they led.
 */
interface GroupHistory {
  tries: number;
  readonly classes: Set<number>;
  /**
   * Number of presses (clicks) on controls of this group since the last press that led to a new kind of
   * state.
   */
  misses: number;
}

/** A press (click) and the known state to which it leads. */
export interface PressWay {
  readonly step: PressStep;
  readonly target: string;
}

export interface NextPress {
  readonly state: FrontierState;
  readonly candidate: Candidate;
}

export class PressFrontier {
  readonly #progress = new Map<string, Progress>();
  /** For each page's address, the keys of the controls that the page shows before any control is pressed. */
  readonly #offered = new Map<string, ReadonlySet<string>>();
  readonly #controls = new Map<string, ControlHistory>();
  readonly #groups = new Map<string, GroupHistory>();
  readonly #classes: { readonly effect: PressEffect; readonly added: string }[] = [];
  /** For each state: the presses (clicks) that led from it to other known states. */
  readonly #ways = new Map<string, Map<string, PressStep>>();
  #results = 0;

  get states(): readonly FrontierState[] {
    return [...this.#progress.values()].map(({ state }) => state);
  }

  /** Number of recorded results of presses (clicks). */
  get results(): number {
    return this.#results;
  }

  get(id: string): FrontierState | undefined {
    return this.#progress.get(id)?.state;
  }

  /**
   * Returns the known state that the browser shows; `undefined` if it shows a new state. The key of the state's
   * address must be equal, and its features (controls and headings) nearly equal.
   */
  find(key: string, sketch: string): FrontierState | undefined {
    for (const { state } of this.#progress.values())
      if (state.key === key && isSameState(state.sketch, sketch)) return state;
    return undefined;
  }

  /**
   * After a press such as "Close" in a dialog, the browser may show the state in which the dialog was opened,
   * perhaps with a new message. Returns this state.
   *
   * @param now sketches (compact signatures) of what the browser shows, and of its fields alone
   */
  findEarlier(
    { key, names, sketch: from }: FrontierState,
    now: { readonly sketch: string; readonly fields: string },
  ): FrontierState | undefined {
    for (let length = names.length - 1; length >= 0; length--) {
      const earlier = this.get(stateIdOf(key, names.slice(0, length)));
      if (earlier && isReturn({ earlier: earlier.sketch, from, shown: now.sketch, fields: now.fields }))
        return earlier;
    }
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

  /** Replaces the recorded content of a page, because the page now has other content at the same address. */
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

  /**
   * Whether an earlier press has led to a similar state: a press of this control, or of a similar control in
   * its group.
   */
  hasLedTo({ key, group }: Candidate, effect: PressEffect, added: string, from?: FrontierState): boolean {
    const one = this.#findClass(effect, added);
    if (one < 0) return false;
    const alike = group === null || !from ? undefined : this.#groups.get(groupName(from, group));
    return this.#controls.get(key)?.classes.has(one) === true || alike?.classes.has(one) === true;
  }

  /**
   * Whether the controls of a page are skipped, because the controls of enough similar pages were pressed
   * (clicked) already.
   */
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

  record({ state: id, candidate: key, effect, target, added, fresh: isNovel }: PressResult): void {
    this.#results += 1;
    const progress = this.#progress.get(id);
    if (!progress) return;
    progress.done.add(key);
    progress.fruitless = isNovel ? 0 : progress.fruitless + 1;
    if (effect === "lost") progress.lost += 1;
    else if (effect === "absent") progress.absent.add(key);
    if (effect === "lost" || effect === "absent") return;
    this.#keepWay(progress.state, key, target);
    const history = this.#controls.get(key) ?? {
      tries: 0,
      returns: 0,
      targets: new Set(),
      classes: new Set(),
      wasLastNovel: false,
    };
    this.#controls.set(key, history);
    if (history.tries > 0) progress.repeats += 1;
    history.tries += 1;
    history.wasLastNovel = isNovel;
    if (target !== null && target === openerOf(progress.state)) history.returns += 1;
    const one = effect === "page" || effect === "state" ? this.#classOf(effect, added) : undefined;
    if (target !== null) history.targets.add(target);
    if (one !== undefined) history.classes.add(one);
    const group = progress.state.candidates.find((candidate) => candidate.key === key)?.group;
    if (group) {
      const name = groupName(progress.state, group);
      const alike = this.#groups.get(name) ?? { tries: 0, classes: new Set(), misses: 0 };
      this.#groups.set(name, alike);
      alike.tries += 1;
      alike.misses = one === undefined || alike.classes.has(one) ? alike.misses + 1 : 0;
      if (one !== undefined) alike.classes.add(one);
    }
  }

  /**
   * Records a press (click) as a way from one state to another. A search and an allowed change of data are
   * not recorded, because each use of the way would repeat the search or the change.
   */
  #keepWay({ id, candidates }: FrontierState, key: string, target: string | null): void {
    const pressed = candidates.find((candidate) => candidate.key === key);
    if (!pressed || target === null || target === id || pressed.allowed) return;
    const { step } = pressed;
    if (step.kind === "search" || step.kind === "hover") return;
    const ways = this.#ways.get(id) ?? new Map<string, PressStep>();
    this.#ways.set(id, ways.set(target, step));
  }

  /**
   * Returns the presses (clicks) that lead from the state `from` to another state. Returns `undefined` if it
   * takes fewer presses to open the page again and to press from there.
   */
  wayTo(from: string, { id, path }: FrontierState): readonly PressWay[] | undefined {
    const most = path.length + 1;
    const before = new Map<string, PressWay & { readonly from: string }>();
    let reached: readonly string[] = [from];
    for (let presses = 0; presses < most && reached.length > 0; presses++) {
      const next: string[] = [];
      for (const at of reached) {
        for (const [target, step] of this.#ways.get(at) ?? []) {
          if (target === from || before.has(target)) continue;
          before.set(target, { from: at, target, step });
          next.push(target);
        }
      }
      if (before.has(id)) break;
      reached = next;
    }
    const way: PressWay[] = [];
    for (let at = before.get(id); at; at = before.get(at.from)) way.unshift(at);
    return way.length > 0 ? way : undefined;
  }

  forgetWay(from: string | undefined, target: string): void {
    if (from !== undefined) this.#ways.get(from)?.delete(target);
  }

  /**
   * Returns the next press (click) of an exploration. Controls of the current state come first, as long as
   * one of them may lead to a new state.
   *
   * @param here the state that the browser shows now
   */
  next(here: string | undefined): NextPress | undefined {
    const at = here === undefined ? undefined : this.#progress.get(here);
    const others = [...this.#progress.values()].sort((a, b) => a.state.path.length - b.state.path.length);
    const ordered = at ? [at, ...others] : others;
    for (const isWanted of [this.#createsOnPage(here), ...this.#order]) {
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
   * Returns inferred transitions of controls that were not pressed in a state, but at least twice in other
   * states. A control that always led to one state is assumed to lead there from this state too. A control
   * such as "Close" that always led back is assumed to lead back to the previous state.
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
    const history = this.#controls.get(key);
    if (history === undefined || history.tries < 2) return undefined;
    // A control such as "Close" that has always led back probably leads back to the previous state here too.
    // A control of the page itself, such as a menu in the header, leads to the same place from every state.
    const isOfPage = [...this.#offered.values()].some((offered) => offered.has(key));
    if (history.returns === history.tries && !isOfPage) return openerOf(state);
    const [target] = history.targets;
    return history.targets.size === 1 ? target : undefined;
  }

  /**
   * The first rule for the choice of the next control: controls that open a form for something new come
   * first, if they are on the page that the browser shows.
   */
  #createsOnPage(here: string | undefined): (progress: Progress, candidate: Candidate) => boolean {
    return (progress, one) =>
      one.creates === true &&
      progress.state.id === here &&
      progress.state.path.length === 0 &&
      (this.#isNovel(progress, one) || this.#isRepeat(progress, one));
  }

  /**
   * The rules by which the next press (click) is chosen. Controls that match the first rule are pressed
   * first, then those that match the second, and so on.
   */
  get #order(): readonly ((progress: Progress, candidate: Candidate) => boolean)[] {
    return [
      (progress, one) => !one.vague && this.#isNovel(progress, one),
      (progress, one) => one.switches === true && this.#isRepeat(progress, one),
      this.#isNovel,
      this.#isRepeat,
    ];
  }

  readonly #isNovel = ({ state }: Progress, { key, step }: Candidate): boolean => {
    // Controls that the page shows before any press, such as a menu in the header, are pressed only there.
    // They are not pressed again in each state of the page.
    const isOfPage = state.path.length > 0 && this.#offered.get(state.key)?.has(key) === true;
    if (!isOfPage && !this.#controls.has(key)) return true;
    // A wizard may use the same button "Next" in all steps. So a button that equals the last pressed one is
    // pressed again.
    const last = state.path.at(-1);
    return (
      last !== undefined && last.name === step.name && last.role === step.role && last.kind === step.kind
    );
  };

  readonly #isRepeat = ({ state, repeats }: Progress, { key, switches }: Candidate): boolean => {
    const history = this.#controls.get(key);
    if (!history || (history.targets.size === 0 && !switches) || state.path.length > pressing.wideDepth)
      return false;
    if (history.tries === 1) return true;
    // Earlier presses of this control have led to different kinds of states, so a further press may lead to a
    // new one.
    return (
      history.classes.size > 1 &&
      repeats < REPEATS &&
      (history.wasLastNovel || history.tries < pressing.triesOfControl)
    );
  };

  #isExhausted(state: FrontierState, { group }: Candidate): boolean {
    if (group === null) return false;
    const history = this.#groups.get(groupName(state, group));
    if (history === undefined) return false;
    const most = state.path.length === 0 ? 1 : pressing.missesInOpened;
    return history.misses >= most || history.tries >= pressing.triesOfGroup;
  }

  /**
   * Returns the number of the class to which the result of a press (click) belongs. Results with the same
   * effect and with similar added content belong to one class.
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

/**
 * Two pages are of one kind if at least this share (0 to 1) of their features, such as controls and headings,
 * is common to both.
 */
const FURTHER = 0.85;
/** Number of failed attempts to reach a state again, after which the exploration gives up the state. */
const LOST = 3;
/**
 * Maximum number of controls that are pressed in one state although they were already pressed in another
 * state.
 */
const REPEATS = 10;

/** Returns the id of the state from which the last press led to this state; `undefined` for a page. */
function openerOf({ key, names }: FrontierState): string | undefined {
  return names.length === 0 ? undefined : stateIdOf(key, names.slice(0, -1));
}

function groupName({ url, path }: FrontierState, group: string): string {
  return `${kindOf(url)} ${path.map(({ name }) => name).join("~")} ${group}`;
}
