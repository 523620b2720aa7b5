/**
 * The part of an exploration that presses buttons and other elements. It presses what is safe on one page of
 * each kind. It records the states that appear, such as an open menu, with the presses that lead to them;
 * findings are stored with the job, so the run continues after a restart.
 */
import { asCairnError } from "../../../machines/errors.ts";
import { type Scope, scopeOf } from "../../../machines/exploration/exploration-scope.ts";
import { explorationLimits } from "../../../machines/exploration/limits.ts";
import { normaliseUrl, urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { PressDecision, PressInput, PressOutput } from "../../../machines/exploration/press-batch.ts";
import { type Candidate, choosePresses } from "../../../machines/exploration/press-choice.ts";
import {
  type FrontierState,
  type NextPress,
  type PressEffect,
  PressFrontier,
  type PressNote,
} from "../../../machines/exploration/press-frontier.ts";
import { isSameState, nameOf } from "../../../machines/exploration/visible-state.ts";
import { WriteGuard } from "../../../machines/exploration/write-guard.ts";
import {
  parseSketch,
  shortSketch,
  similarity,
  sketchOf,
} from "../../../machines/knowledge/page-feature-sketch.ts";
import { type FoundState, type FoundTransition, stateIdOf } from "../../../machines/knowledge/page-state.ts";
import { isWritingAddress, type RiskClass } from "../../../machines/risk/risk-classes.ts";
import type { HighlightedElement } from "../../../machines/session/page-snapshot.ts";
import type { EffectScope } from "../../runtime/index.ts";
import type { CairnServices } from "../../services.ts";
import { JobSlot } from "../../sign-in/job-slot.ts";
import { SignedIn } from "../../sign-in/signed-in.ts";
import { loginPurpose } from "../login-purpose.ts";
import { PressSession, type Shown } from "./press-session.ts";
import { pressTargets } from "./press-targets.ts";
import {
  controlOfStep,
  ends,
  isToggle,
  linkAddress,
  linkTransitions,
  selectedTab,
  transition,
} from "./press-transitions.ts";

const { pressing } = explorationLimits;

export async function pressPages(input: PressInput, scope: EffectScope<CairnServices>): Promise<PressOutput> {
  const run = new PressRun(input, scope);
  try {
    return await run.run();
  } finally {
    await run.close();
  }
}

/** Thrown to end the run before everything is pressed, with the reason. */
class Ended extends Error {
  readonly by: PressOutput["stopped_by"];

  constructor(by: PressOutput["stopped_by"]) {
    super(by);
    this.by = by;
  }
}

class PressRun {
  readonly #input: PressInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #within: Scope;
  readonly #allowed: ReadonlySet<RiskClass>;
  readonly #startedAt = performance.now();
  readonly #until: number;
  readonly #frontier = new PressFrontier();
  /** Ids of the screens that the map has, or that this run has sent to it. */
  readonly #known = new Set<string>();
  /** Addresses that this run has passed to the crawl. */
  readonly #found = new Set<string>();
  /** For each element role, how often each way to undo a press (such as Escape) has failed. */
  readonly #vain = new Map<string, number>();
  readonly #unsafe = new Set<string>();
  #session: PressSession | undefined;
  #signedIn: SignedIn | undefined;
  /**
   * Presses that failed because the session's sign-in had expired, identified by page state and element. Each
   * press is tried once more.
   */
  readonly #expired = new Set<string>();
  #guard = new WriteGuard();
  #shown: Shown | undefined;
  #here: string | undefined;
  #notes = 0;
  #actions = 0;
  #states = 0;
  #lost = 0;
  #lostBrowsers = 0;
  #slot: JobSlot | undefined;
  #refused = 0;
  #pictures = 0;
  #last: string | undefined;

  constructor(input: PressInput, scope: EffectScope<CairnServices>) {
    this.#input = input;
    this.#scope = scope;
    this.#allowed = new Set(input.request.allow);
    this.#within = scopeOf(input.request, input.request.start_url, null);
    this.#until = this.#startedAt + input.max_seconds * 1_000;
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#shown = undefined;
    this.#here = undefined;
    await session?.browser.close();
    this.#slot?.release();
    this.#slot = undefined;
  }

  async run(): Promise<PressOutput> {
    await this.#recall();
    const { job_id, request } = this.#input;
    this.#signedIn = await SignedIn.open(loginPurpose(job_id), request.login, this.#scope.services);
    let decisions: readonly PressDecision[] = [];
    let by: PressOutput["stopped_by"] = "nothing_left";
    let reason: string | undefined;
    try {
      const targets = await pressTargets(this.#input.request, this.#scope);
      for (const id of targets.known) this.#known.add(id);
      for (const key of targets.keys) this.#found.add(key);
      decisions = targets.decisions;
      const urls = decisions.flatMap(({ url, pressed }) => (pressed ? [url] : []));
      await this.#explore(urls);
    } catch (error) {
      this.#scope.signal.throwIfAborted();
      const { code, message } = asCairnError(error);
      if (error instanceof Ended) by = error.by;
      else if (code === "exploration.login_failed") [by, reason] = ["login_failed", message];
      // In the mode `auto`, a machine without a browser still gets the pages that links lead to.
      else if (code === "browser.unavailable" && request.mode === "auto")
        [by, reason] = ["no_browser", message];
      else throw error;
    }
    await this.#tellInferred();
    return {
      actions: this.#actions,
      states: this.#states,
      ...this.#refusals,
      lost: this.#lost,
      decisions,
      seconds: Math.round((performance.now() - this.#startedAt) / 1_000),
      stopped_by: by,
      ...(reason === undefined ? {} : { reason }),
    };
  }

  /** Loads the findings that the run stored before a restart. */
  async #recall(): Promise<void> {
    const { store } = this.#scope.services;
    for (const { note } of await store.memory.pressNotes(this.#input.job_id)) {
      // The machine of the job stored this note as a `PressNote`, so the cast is safe.
      const known = JSON.parse(note) as PressNote;
      this.#frontier.apply(known);
      this.#notes += 1;
      if (known.kind === "state") {
        this.#known.add(known.state.id);
        if (known.state.path.length > 0) this.#states += 1;
      }
    }
    this.#actions = this.#frontier.results;
  }

  async #explore(urls: readonly string[]): Promise<void> {
    const queue = urls.filter((url) => this.#frontier.get(stateIdOf(urlKey(url), [])) === undefined);
    for (;;) {
      this.#scope.signal.throwIfAborted();
      this.#checkBudget();
      if (this.#slot?.isWanted) await this.close();
      const next = this.#frontier.next(this.#here);
      // Pages that were never opened come first. Among the other states, those of the current page come
      // first.
      const url = next === undefined || next.state.id !== this.#here ? queue.shift() : undefined;
      if (url !== undefined) await this.#visit(url);
      else if (next) await this.#press(next);
      else return;
    }
  }

  get #refusals(): Pick<PressOutput, "unsafe" | "held"> {
    const { unsafe, held } = this.#input.before ?? { unsafe: 0, held: 0 };
    // A run after a restart counts the same unsafe elements again. So the larger count is reported, not the
    // sum.
    return { unsafe: Math.max(unsafe, this.#unsafe.size), held: held + this.#guard.held };
  }

  #checkBudget(): void {
    if (this.#actions >= this.#input.max_actions) throw new Ended("max_actions");
    if (performance.now() >= this.#until) throw new Ended("max_seconds");
    if (this.#refused >= pressing.refusedPages) throw new Ended("refused");
  }

  /** Opens a page by its address, and adds it to the states from which elements are pressed. */
  async #visit(url: string): Promise<void> {
    const refused = this.#refused;
    let shown = await this.#open(url);
    // A page that was skipped, such as by `robots.txt`, is not counted, and not opened again.
    const mayRetry = (): boolean => !shown && this.#refused > refused && this.#session?.isRefused !== true;
    for (let tries = 1; mayRetry() && tries < pressing.openAttempts; tries++) {
      // The failed attempt has counted this page as refused, and the next attempt would count it again.
      this.#refused = refused;
      shown = await this.#open(url);
    }
    if (!shown) return;
    const key = urlKey(normaliseUrl(shown.page.url) ?? url);
    const id = stateIdOf(key, []);
    if (!this.#within.isInternal(shown.page.url) || this.#frontier.get(id)) return;
    const state: FrontierState = {
      id,
      url: normaliseUrl(shown.page.url) ?? url,
      key,
      path: [],
      names: [],
      sketch: shown.sketch,
      via: null,
      candidates: this.#candidates(shown),
    };
    this.#here = id;
    await this.#note({ states: [state], shown, transitions: [], results: [] });
  }

  async #press({ state, candidate }: NextPress): Promise<void> {
    const before = await this.#reach(state);
    const done = async (
      effect: PressEffect,
      more: Partial<{ target: string; added: string; fresh: boolean }> & Partial<Findings> = {},
    ): Promise<void> => {
      const { target = null, added = "", fresh = false, ...findings } = more;
      const result = { state: state.id, candidate: candidate.key, effect, target, added, fresh };
      await this.#note({ states: [], transitions: [], ...findings, results: [result] });
    };
    if (!before) {
      this.#lost += 1;
      return await done("lost");
    }
    this.#actions += 1;
    const { step } = candidate;
    this.#last = `${step.kind} ${step.role} "${step.name}" on ${state.names.at(-1) ?? state.url}`;
    const session = await this.#browser();
    // The request of the job names this element as allowed, so its press may send requests that write.
    this.#guard.open = candidate.allowed === true;
    const pressed = await session.press(before, step);
    this.#guard.open = false;
    for (const url of session.windows.splice(0)) await this.#add(url);
    if (pressed.kind === "absent") {
      await done("absent");
      this.#renew(state, before);
      return;
    }
    if (pressed.kind !== "shown") {
      if (pressed.kind === "unsafe") this.#unsafe.add(candidate.key);
      this.#here = undefined;
      this.#shown = undefined;
      return await done("failed");
    }
    const { shown, element } = pressed;
    const place = `${state.id}\n${candidate.key}`;
    if (this.#signedIn?.isSignedOut(shown.page) && !this.#expired.has(place)) {
      this.#expired.add(place);
      this.#here = undefined;
      return await this.#signInAgain(session);
    }
    this.#shown = shown;
    this.#here = undefined;
    const added = sketchOf([...shown.features].filter((feature) => !before.features.has(feature)));
    if (shown.key !== state.key)
      return await this.#arrived(state, { candidate, element, shown, added }, done);
    if (isSameState(shown.sketch, before.sketch)) {
      this.#here = state.id;
      return await done("none");
    }
    // A transition of the map must be repeatable by a click, and a search is not. When its results have no
    // address, the search is not added to the map.
    if (step.kind === "search") return await done("none");
    const known = this.#frontier.find(state.key, shown.sketch);
    if (known) {
      this.#here = known.id;
      await done("state", {
        target: known.id,
        added,
        transitions: [transition(state, known, { element, step })],
      });
      await this.#undo(state, before, candidate);
      return;
    }
    const names = [...state.names, this.#freeName(state, step.name || step.role)];
    const next: FrontierState = {
      id: stateIdOf(state.key, names),
      url: state.url,
      key: state.key,
      path: [...state.path, step],
      names,
      sketch: shown.sketch,
      via: null,
      candidates: this.#candidates(shown),
    };
    const room = next.path.length < pressing.depth && this.#frontier.statesAt(state.key) < pressing.states;
    const isNew = room && !this.#isOverlay(state, candidate, added);
    if (!isNew) {
      await done("state", { added });
    } else {
      this.#states += 1;
      await done("state", {
        target: next.id,
        added,
        fresh: true,
        states: [next],
        shown,
        transitions: [transition(state, next, { element, step })],
      });
      this.#here = next.id;
    }
    await this.#undo(state, before, candidate);
  }

  /**
   * Returns the name of a press, with a number when another control with the same name, such as an icon
   * without a name, has led to another state.
   */
  #freeName({ key, names }: FrontierState, name: string): string {
    for (let at = 1; ; at++) {
      const free = at === 1 ? name : `${name} ${at}`;
      if (!this.#frontier.get(stateIdOf(key, [...names, free]))) return free;
    }
  }

  /** Records a press that led to another address. */
  async #arrived(
    state: FrontierState,
    { candidate, element, shown, added }: Arrival,
    done: (effect: PressEffect, more?: object) => Promise<void>,
  ): Promise<void> {
    const url = normaliseUrl(shown.page.url);
    if (url === undefined || !this.#within.isInternal(url) || isWritingAddress(url)) {
      this.#shown = undefined;
      return await done("failed");
    }
    const key = urlKey(url);
    const id = stateIdOf(key, []);
    const { step } = candidate;
    // The results of a search within a list are the same list with fewer rows, so they are no new page.
    if (step.kind === "search" && pathOf(url) === pathOf(state.url)) {
      await done("none");
      this.#settle(state, await (await this.#browser()).back(state.sketch));
      return;
    }
    const base = { id, url, key, path: [], names: [], sketch: shown.sketch };
    const known = this.#frontier.get(id);
    const transitions = step.kind === "search" ? [] : [transition(state, known ?? base, { element, step })];
    this.#here = id;
    if (known) {
      await done("page", { target: id, added, transitions });
    } else {
      const isInstance =
        this.#frontier.hasLedTo(candidate, "page", added, state) ||
        this.#frontier.isFurther(url, shown.sketch);
      const target: FrontierState = {
        ...base,
        via: { from: state.id, step },
        candidates: isInstance ? [] : this.#candidates(shown),
      };
      await this.#add(url);
      await done("page", { target: id, added, fresh: !isInstance, transitions, states: [target], shown });
    }
    const back = await (await this.#browser()).back(state.sketch);
    this.#settle(state, back);
  }

  /**
   * Whether the control adds the same elements in another state too, such as a menu in the header of all
   * pages. The steps of a wizard add different elements.
   */
  #isOverlay({ path }: FrontierState, candidate: Candidate, added: string): boolean {
    const last = path.at(-1);
    const continues = last?.name === candidate.step.name && last.role === candidate.step.role;
    return !continues && this.#frontier.hasLedTo(candidate, "state", added);
  }

  #settle(state: FrontierState, shown: Shown | undefined): boolean {
    this.#shown = shown;
    const is = shown !== undefined && shown.key === state.key && this.#shows(shown.sketch, state);
    this.#here = is ? state.id : undefined;
    return is;
  }

  /**
   * Whether a snapshot shows the state, rather than another known state that differs little, such as the same
   * page with its menu closed.
   */
  #shows(sketch: string, state: FrontierState): boolean {
    if (isSameState(sketch, state.sketch)) return true;
    return isAlike(sketch, state.sketch) && this.#frontier.find(state.key, sketch) === undefined;
  }

  /**
   * Restores the state before a press. It tries what usually undoes a press: Escape, the same element again,
   * the tab that was selected before.
   */
  async #undo(state: FrontierState, before: Shown, { step }: Candidate): Promise<void> {
    const session = await this.#browser();
    const ways: readonly (readonly [string, () => Promise<Shown | undefined>])[] = [
      [
        "tab",
        async () => {
          const selected = step.role === "tab" ? selectedTab(before, step) : undefined;
          return selected && this.#shown
            ? shownBy(await session.press(this.#shown, selected, state.sketch))
            : undefined;
        },
      ],
      [
        "again",
        async () => (this.#shown ? shownBy(await session.press(this.#shown, step, state.sketch)) : undefined),
      ],
      ["escape", () => session.escape(state.sketch)],
    ];
    for (const [name, way] of ways) {
      if (name === "tab" ? step.role !== "tab" : step.role === "tab") continue;
      if (name === "again" && step.kind === "hover") continue;
      // A second press on a button of a wizard would continue the wizard instead of undoing the press. So
      // only an element that is still there and toggles something is pressed again.
      if (name === "again" && !isToggle(this.#shown, step)) continue;
      const memory = `${name} ${step.role}`;
      if ((this.#vain.get(memory) ?? 0) >= VAIN) continue;
      const shown = await way();
      if (shown && this.#settle(state, shown)) {
        this.#vain.set(memory, 0);
        return;
      }
      this.#vain.set(memory, (this.#vain.get(memory) ?? 0) + 1);
      if (shown) this.#shown = shown;
    }
    this.#shown = undefined;
    this.#here = undefined;
  }

  /**
   * Brings the browser to a state. If the state is not shown, it opens the page of the state and repeats the
   * presses that led to it.
   */
  async #reach(state: FrontierState): Promise<Shown | undefined> {
    if (this.#here === state.id && this.#shown) return this.#shown;
    for (let tries = 0; tries < REACHES; tries++) {
      const shown = await this.#walkTo(state);
      if (!shown) continue;
      if (this.#settle(state, shown)) {
        this.#renew(state, shown);
        return shown;
      }
      // The page was opened by its address, so its current content replaces the stored one of this state. It
      // may differ from the first visit, for example when an application greets only new visitors.
      if (state.path.length === 0 && shown.key === state.key && tries > 0) {
        this.#renew(state, shown);
        this.#here = state.id;
        return shown;
      }
    }
    this.#here = undefined;
    return undefined;
  }

  /**
   * Adds elements that the page offers only now: parts of a page may load late or appear after a greeting is
   * closed.
   */
  #renew(state: FrontierState, shown: Shown): void {
    if (state.path.length > 0 || state.candidates.length === 0) return;
    this.#frontier.renew(state.id, shown.sketch, this.#candidates(shown));
  }

  async #walkTo(state: FrontierState): Promise<Shown | undefined> {
    const session = await this.#browser();
    // When the session already shows the page on which the state's path of presses begins, the page is not
    // opened again.
    const at = this.#here === undefined ? undefined : this.#frontier.get(this.#here);
    const isAtPage = at?.key === state.key && at.path.length === 0 && this.#shown !== undefined;
    let shown = isAtPage ? this.#shown : await this.#openPage(state);
    for (const [at, step] of state.path.entries()) {
      if (!shown) return undefined;
      const next = this.#frontier.get(stateIdOf(state.key, state.names.slice(0, at + 1)));
      shown = shownBy(await session.press(shown, step, next?.sketch));
    }
    return shown;
  }

  /**
   * Opens the page of a state by its address. When the page cannot be reached by an address, the press that
   * first led to it is repeated.
   */
  async #openPage(state: FrontierState): Promise<Shown | undefined> {
    const base = this.#frontier.get(stateIdOf(state.key, [])) ?? state;
    const shown = await this.#open(base.url, { expected: base.sketch });
    if (shown && shown.key === base.key && isAlike(shown.sketch, base.sketch)) return shown;
    if (!base.via) return shown?.key === base.key ? shown : undefined;
    const from = this.#frontier.get(base.via.from);
    if (!from || from.key === base.key) return undefined;
    const before = await this.#walkTo(from);
    return before && shownBy(await (await this.#browser()).press(before, base.via.step, base.sketch));
  }

  async #open(url: string, { expected, again = false }: OpenOptions = {}): Promise<Shown | undefined> {
    const { reader } = this.#scope.services;
    const { signal } = this.#scope;
    const session = await this.#browser();
    const opened = await reader.visitPolitely(
      url,
      { signal, inScope: () => true, respectRobots: this.#input.request.respect_robots },
      async () => ({ kind: "opened" as const, shown: await session.open(url, expected) }),
    );
    const shown = opened.kind === "opened" && !session.isRefused ? opened.shown : undefined;
    if (shown && !again && this.#signedIn?.isSignedOut(shown.page)) {
      await this.#signInAgain(session);
      return await this.#open(url, { expected, again: true });
    }
    if (shown) this.#refused = 0;
    else if (opened.kind !== "skipped") this.#refused += 1;
    this.#shown = shown;
    this.#here = undefined;
    return shown;
  }

  async #signInAgain(session: PressSession): Promise<void> {
    await this.#signedIn?.signIn(session.browser, this.#guard);
  }

  /** Returns the session. A new session is opened when the browser or its last tab was closed. */
  async #browser(): Promise<PressSession> {
    if (this.#session) return this.#session;
    if (this.#lostBrowsers >= pressing.lostBrowsers) throw new Ended("browser_lost");
    this.#slot ??= await JobSlot.take(this.#scope);
    const guard = this.#guard;
    const browser = await this.#scope.services.browser.openSession({
      viewport: pressing.viewport,
      guard: (request) => guard.permits(request),
    });
    try {
      await this.#signedIn?.signIn(browser, guard);
    } catch (error) {
      await browser.close();
      throw error;
    }
    const session = new PressSession(browser, {
      guard,
      signal: this.#scope.signal,
      isSignedIn: this.#signedIn !== undefined,
    });
    this.#session = session;
    void browser.ended.then(() => {
      if (this.#session !== session) return;
      this.#lostBrowsers += 1;
      this.#session = undefined;
      this.#shown = undefined;
      this.#here = undefined;
    });
    return session;
  }

  #candidates(shown: Shown): readonly Candidate[] {
    const { press, unsafe } = choosePresses(shown.page.highlightedElements, this.#allowed);
    for (const element of unsafe)
      this.#unsafe.add(`${nameOf(element)} ${element.xpath.replace(/\[\d+\]/g, "")}`);
    return press;
  }

  /** Passes the address of a page to the crawl. */
  async #add(address: string): Promise<void> {
    const url = normaliseUrl(address);
    if (url === undefined || !this.#within.follows(url) || isWritingAddress(url)) return;
    const key = urlKey(url);
    if (this.#found.has(key)) return;
    this.#found.add(key);
    this.#addresses.push(url);
  }

  readonly #addresses: string[] = [];

  /**
   * Sends findings (new states, transitions and results of presses) to the machine of the job. The machine
   * stores them as notes and passes them to the map.
   */
  async #note({ states, transitions, results, shown }: Findings & { readonly results: readonly object[] }) {
    if (shown) for (const element of shown.page.highlightedElements) await this.#addLink(element, shown);
    const notes = [
      ...states.map((state) => ({ kind: "state", state }) as const),
      // The methods of this class created these results with the fields of a `PressNote`, so the cast is
      // safe.
      ...results.map((result) => ({ kind: "result", result }) as PressNote),
    ];
    for (const note of notes) this.#frontier.apply(note);
    const links = shown
      ? states.flatMap((state) =>
          state.path.length === 0 ? [] : linkTransitions(state, shown, (url) => this.#within.isInternal(url)),
        )
      : [];
    const unknown = shown ? states.filter(({ id }) => !this.#known.has(id)) : [];
    for (const { id } of unknown) this.#known.add(id);
    if (shown) await this.#takePicture(states);
    const from = this.#notes;
    this.#notes += notes.length;
    const addresses = await this.#unreadAddresses();
    await this.#scope.notify({
      type: "PRESSED",
      states: unknown.flatMap((state) => (shown ? [this.#foundState(state, shown)] : [])),
      transitions: [...transitions, ...links],
      notes,
      from,
      addresses,
      counts: {
        actions: this.#actions,
        states: this.#states,
        ...this.#refusals,
        ...(this.#last === undefined ? {} : { last: this.#last }),
      },
    });
  }

  /**
   * Stores a picture of the shown page for the state that it shows. A picture that an earlier exploration has
   * stored is replaced.
   */
  async #takePicture([state]: readonly FrontierState[]): Promise<void> {
    if (!state || this.#pictures >= pressing.pictures) return;
    const picture = await this.#session?.picture();
    if (!picture) return;
    this.#pictures += 1;
    const { knowledge_id } = this.#input.request;
    await this.#scope.services.store.pictures.put(knowledge_id, state.id, {
      ...picture,
      taken_at: Date.now(),
    });
  }

  /** Returns the found addresses that the crawl has never queued. */
  async #unreadAddresses(): Promise<readonly string[]> {
    const found = this.#addresses.splice(0);
    const { frontier } = this.#scope.services.store;
    const known = await frontier.known(this.#input.job_id, found.map(urlKey));
    return found.filter((url) => !known.has(urlKey(url)));
  }

  async #addLink(element: HighlightedElement, { page }: Shown): Promise<void> {
    const url = linkAddress(element, page.url);
    if (url !== undefined) await this.#add(url);
  }

  /**
   * Sends inferred transitions to the map: a control that led to the same state from several states is
   * assumed to do so everywhere.
   */
  async #tellInferred(): Promise<void> {
    const transitions = this.#frontier.inferred().flatMap(({ state, candidate, target }) => {
      const to = this.#frontier.get(target);
      return to ? [{ ...ends(state, to), ...controlOfStep(candidate.step), inferred: true }] : [];
    });
    if (transitions.length === 0) return;
    await this.#note({ states: [], transitions, results: [] });
  }

  #foundState(state: FrontierState, { page, headings }: Shown): FoundState {
    const own = headings[0] ?? page.title;
    const name = state.names.length === 0 ? own : `${own}: ${state.names.join(", ")}`;
    const texts = [...headings, ...page.highlightedElements.map(nameOf)];
    return {
      website_id: this.#input.request.website_id,
      url: state.url,
      key: state.key,
      path: state.names,
      name: name.slice(0, pressing.nameLength),
      texts: [...new Set(texts)].slice(0, pressing.texts),
      structure: shortSketch(state.sketch),
    };
  }
}

interface OpenOptions {
  /** The sketch (hashes of features) of the page when it was shown before. */
  readonly expected?: string | undefined;
  /**
   * Whether this call follows a second sign-in for this page. If so, the session does not sign in once more.
   */
  readonly again?: boolean;
}

interface Findings {
  readonly states: readonly FrontierState[];
  readonly transitions: readonly FoundTransition[];
  /** A snapshot of the page, taken when the new `states` were visible. */
  readonly shown?: Shown;
}

interface Arrival {
  readonly candidate: Candidate;
  readonly element: HighlightedElement;
  readonly shown: Shown;
  readonly added: string;
}

/**
 * Number of attempts to reach a page state again before a press. When all of them fail, the press counts as
 * lost.
 */
const REACHES = 2;
/**
 * Number of failures of a way to undo presses after which it is not tried again for elements of the same
 * role.
 */
const VAIN = 3;
/**
 * Minimum similarity (0 to 1) between the first snapshot of a state and the page when the state is reached
 * again. It is below 1, because parts of the page that load late may differ.
 */
const ALIKE = 0.8;

function isAlike(a: string, b: string): boolean {
  return similarity(parseSketch(a), parseSketch(b)) >= ALIKE;
}

function pathOf(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + (hash.split("?")[0] ?? "");
}

function shownBy(pressed: Awaited<ReturnType<PressSession["press"]>>): Shown | undefined {
  return pressed.kind === "shown" ? pressed.shown : undefined;
}
