/**
 * The part of an exploration that presses buttons and other elements. On one page of each kind, it presses
 * the elements that are safe, and records the states that appear, with the presses that lead to them.
 * Findings are stored with the job, so the run continues after a restart.
 */
import { asCairnError } from "../../../machines/errors.ts";
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import {
  controlsAddedByPress,
  opensForm,
} from "../../../machines/exploration/press/controls-added-by-press.ts";
import { type Candidate, choosePresses } from "../../../machines/exploration/press/controls-to-press.ts";
import {
  type FrontierState,
  type NextPress,
  type PressEffect,
  PressFrontier,
  type PressResult,
} from "../../../machines/exploration/press/next-control-to-press.ts";
import {
  fieldSketch,
  isSameState,
  nameOf,
} from "../../../machines/exploration/press/page-state-by-visible-controls.ts";
import type {
  PressCounts,
  PressDecision,
  PressInput,
  PressOutput,
} from "../../../machines/exploration/press/press-phase-input-and-result.ts";
import { textsAddedByPress } from "../../../machines/exploration/press/texts-added-by-press.ts";
import { disclosureOf } from "../../../machines/exploration/press/whether-press-shows-or-hides-part.ts";
import { sketchOf } from "../../../machines/knowledge/screens/page-feature-sketch.ts";
import { stateIdOf } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { isWritingAddress, type RiskClass } from "../../../machines/risk/risk-classes.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import type { ScreenPicture } from "../../browser/index.ts";
import type { EffectScope } from "../../runtime/index.ts";
import { SignedIn } from "../../sign-in/sign-in-for-job.ts";
import type { CairnServices } from "../../worker-services.ts";
import { loginPurpose } from "../login-encryption-purpose.ts";
import { type PressTargets, pressTargets } from "./choose-pages-for-control-presses.ts";
import { Ended, PressBrowser } from "./control-press-browser.ts";
import { type Findings, PressNotes } from "./control-press-notes.ts";
import type { Shown } from "./control-press-session.ts";
import { pathOf, transition } from "./control-press-transitions.ts";
import { PressPosition } from "./move-browser-to-page-state.ts";
import { StatePictures } from "./pictures-of-found-states.ts";

const { pressing } = explorationLimits;

export async function pressPages(input: PressInput, scope: EffectScope<CairnServices>): Promise<PressOutput> {
  const run = await PressRun.open(input, scope);
  try {
    return await run.run();
  } finally {
    await run.close();
  }
}

class PressRun {
  readonly #input: PressInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #allowed: ReadonlySet<RiskClass>;
  readonly #startedAt = performance.now();
  readonly #until: number;
  readonly #frontier = new PressFrontier();
  readonly #browser: PressBrowser;
  readonly #position: PressPosition;
  readonly #notes: PressNotes;
  readonly #pictures: StatePictures;
  readonly #unsafe = new Set<string>();
  /**
   * Presses that failed because the session's sign-in had expired. Each entry names a page state and a
   * pressed element. Such a press is repeated only once.
   */
  readonly #expired = new Set<string>();
  #actions = 0;
  #states = 0;
  #lost = 0;
  #last: string | undefined;

  private constructor(input: PressInput, scope: EffectScope<CairnServices>, signedIn: SignedIn | undefined) {
    this.#input = input;
    this.#scope = scope;
    this.#allowed = new Set(input.request.allow);
    this.#browser = new PressBrowser(input, scope, {
      signedIn,
      onClosed: () => this.#position.clear(),
    });
    this.#position = new PressPosition(this.#frontier, this.#browser, (state, shown) =>
      this.#renew(state, shown),
    );
    this.#notes = new PressNotes(input, scope, this.#frontier);
    this.#pictures = new StatePictures(scope.services.store, input.request.knowledge_id);
    this.#until = this.#startedAt + input.max_seconds * 1_000;
  }

  static async open(input: PressInput, scope: EffectScope<CairnServices>): Promise<PressRun> {
    const { job_id, request } = input;
    // The crawl has run before the presses, and has signed in with the same login recipe. So the recipe is
    // known to work.
    const signedIn = await SignedIn.open(loginPurpose(job_id), request.login, scope.services, {
      hasWorked: true,
    });
    return new PressRun(input, scope, signedIn);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  async run(): Promise<PressOutput> {
    this.#states = await this.#notes.recall();
    this.#actions = this.#frontier.results;
    const { request } = this.#input;
    let decisions: readonly PressDecision[] = [];
    let by: PressOutput["stopped_by"] = "nothing_left";
    let reason: string | undefined;
    try {
      const targets = await pressTargets(this.#input.request, this.#scope);
      this.#notes.addKnown(targets.known, targets.keys);
      decisions = targets.decisions;
      await this.#explore(targets);
    } catch (error) {
      this.#scope.signal.throwIfAborted();
      const { code, message } = asCairnError(error);
      if (error instanceof Ended) by = error.by;
      else if (code === "exploration.login_failed") [by, reason] = ["login_failed", message];
      else if (code === "browser.unavailable" && request.mode === "auto") {
        // In the mode `auto`, an exploration without a browser presses no controls, but still reads linked pages.
        [by, reason] = ["no_browser", message];
      } else throw error;
    }
    await this.#notes.sendInferred(this.#counts);
    await this.#pictures.stored();
    return {
      actions: this.#actions,
      states: this.#states,
      ...this.#refusals,
      lost: this.#lost,
      ...(this.#pictures.failed === 0 ? {} : { failed_pictures: this.#pictures.failed }),
      decisions,
      seconds: Math.round((performance.now() - this.#startedAt) / 1_000),
      stopped_by: by,
      ...(reason === undefined ? {} : { reason }),
    };
  }

  async #explore({ urls, withForms }: PressTargets): Promise<void> {
    const isUnknown = (url: string) => this.#frontier.get(stateIdOf(urlKey(url), [])) === undefined;
    // Forms for something new are opened first, because the time limit may be reached before all controls are
    // pressed. Later, these pages are visited once more for their other controls.
    const forms = withForms.filter(({ url }) => isUnknown(url));
    const queue = urls.filter(isUnknown);
    for (;;) {
      this.#scope.signal.throwIfAborted();
      this.#checkBudget();
      if (this.#browser.isWanted) await this.close();
      const next = this.#frontier.next(this.#position.here);
      // If the browser shows a page state with unpressed controls, one of them is pressed next. Otherwise,
      // the next page is opened. When no page is left, the browser goes back to other page states and presses
      // their controls.
      const isNext = next !== undefined && next.state.id === this.#position.here;
      const isPressed = isNext && (forms.length === 0 || next.candidate.creates === true);
      const form = isPressed ? undefined : forms.shift();
      const url = isPressed ? undefined : (form?.url ?? queue.shift());
      if (url !== undefined) await this.#visit(url, form?.buttons);
      else if (next) await this.#press(next);
      else return;
    }
  }

  get #refusals(): Pick<PressOutput, "unsafe" | "held"> {
    const { unsafe, held } = this.#input.before ?? { unsafe: 0, held: 0 };
    // A restarted run finds the unsafe elements of the earlier run again. The larger of the two counts is
    // used, because their sum would count these elements twice.
    return { unsafe: Math.max(unsafe, this.#unsafe.size), held: held + this.#browser.guard.held };
  }

  #checkBudget(): void {
    if (this.#actions >= this.#input.max_actions) throw new Ended("max_actions");
    if (performance.now() >= this.#until) throw new Ended("max_seconds");
    if (this.#browser.refused >= pressing.refusedPages) throw new Ended("refused");
  }

  /**
   * Opens a page by its address, and adds it to the states from which elements are pressed.
   *
   * @param buttons names of buttons that the crawl has read on the page
   */
  async #visit(url: string, buttons: readonly string[] = []): Promise<void> {
    const visited = this.#frontier.get(stateIdOf(urlKey(url), []));
    if (visited) {
      await this.#position.reach(visited);
      return;
    }
    const browser = this.#browser;
    const { refused } = browser;
    this.#position.clear();
    const open = () => browser.open(url, { takesPicture: !this.#pictures.isFull });
    let shown = await open();
    // A page that could not be opened is opened again. A page that was skipped, for example because of
    // `robots.txt`, is not opened again, because skipped pages do not increase `browser.refused`.
    const mayRetry = (): boolean => !shown && browser.refused > refused && !browser.isRefused;
    for (let tries = 1; mayRetry() && tries < pressing.openAttempts; tries++) {
      // The failed attempt has increased `browser.refused`, the count of pages that could not be opened. The
      // count is reset, so that a further attempt does not count this page twice.
      browser.refused = refused;
      shown = await open();
    }
    if (shown) shown = await (await this.#browser.session()).withOneOf(shown, buttons);
    if (!shown) return;
    const key = urlKey(normaliseUrl(shown.page.url) ?? url);
    const id = stateIdOf(key, []);
    if (!this.#notes.within.isInternal(shown.page.url)) return;
    const known = this.#frontier.get(id);
    if (known) {
      this.#position.settle(known, shown);
      return;
    }
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
    await this.#note({ states: [state], shown, transitions: [], results: [] });
    this.#position.set(id, shown);
  }

  async #press({ state, candidate }: NextPress): Promise<void> {
    const before = await this.#position.reach(state);
    const done: Done = async (effect, more = {}) => {
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
    const session = await this.#browser.session();
    // The caller has allowed this element by name, so its press may send requests that change data.
    const { guard } = this.#browser;
    guard.open = candidate.allowed === true;
    const pressed = await session.press(before, step);
    guard.open = false;
    for (const url of session.windows.splice(0)) this.#notes.addAddress(url);
    if (pressed.kind === "absent") {
      await done("absent");
      this.#renew(state, before);
      return;
    }
    if (pressed.kind !== "shown") {
      if (pressed.kind === "unsafe") this.#unsafe.add(candidate.key);
      this.#position.clear();
      return await done("failed");
    }
    const { shown, element, blocked } = pressed;
    if (blocked) {
      this.#unsafe.add(candidate.key);
      // Opening a form may send a request that stores a draft, and this request was blocked. If the press has
      // shown a form anyway, the form becomes a state of the page. Otherwise the press counts as failed.
      if (pathOf(shown.page.url) !== pathOf(state.url) || !opensForm(viewOf(before), viewOf(shown))) {
        this.#position.clear();
        return await done("failed");
      }
    }
    const place = `${state.id}\n${candidate.key}`;
    if (this.#browser.isSignedOut(shown.page) && !this.#expired.has(place)) {
      this.#expired.add(place);
      this.#position.clear();
      return await this.#browser.signInAgain();
    }
    this.#position.set(undefined, shown);
    const added = sketchOf([...shown.features].filter((feature) => !before.features.has(feature)));
    // Some applications put the open form into the query of the address, such as `?create=true` (Unleash). So
    // a form at the same path is a state of the page, and not another page.
    const isForm = pathOf(shown.page.url) === pathOf(state.url) && opensForm(viewOf(before), viewOf(shown));
    if (shown.key !== state.key && !isForm)
      return await this.#arrived(state, { candidate, element, shown, added }, done);
    if (isSameState(shown.sketch, before.sketch)) {
      this.#position.set(state.id, shown);
      return await done("none");
    }
    // A transition of the map must be repeatable by a click, and a search is not. So a search is not added to
    // the map, unless its results have their own address.
    if (step.kind === "search") return await done("none");
    const known =
      this.#frontier.find(state.key, shown.sketch) ??
      // If the press has added a heading, the page shows another state. Without a new heading, it may show an
      // earlier state with a new message.
      (shown.headings.every((text) => before.headings.includes(text))
        ? this.#frontier.findEarlier(state, {
            sketch: shown.sketch,
            fields: fieldSketch(shown.page.highlightedElements),
          })
        : undefined);
    if (known) {
      this.#position.set(known.id, shown);
      await done("state", {
        target: known.id,
        added,
        transitions: [transition(state, known, { element, step })],
      });
      return;
    }
    await this.#changed(state, { candidate, element, shown, added }, before, done);
  }

  /**
   * Records a press that led to another state of the page, such as an open dialog, or that showed or hid a
   * part of the page. Then restores the state from before the press.
   */
  async #changed(
    state: FrontierState,
    { candidate, element, shown, added }: Arrival,
    before: Shown,
    done: Done,
  ): Promise<void> {
    const { step } = candidate;
    const disclosed = disclosureOf(viewOf(before), element, viewOf(shown));
    const mayBePart = disclosed === "may-show" || disclosed === "may-hide";
    // `pressAgain` presses the control a second time, to find out whether this undoes the first press. It
    // changes the page, so the picture is taken before.
    const picture = mayBePart ? await this.#picture(shown) : undefined;
    const isRestored = mayBePart && (await this.#position.pressAgain(state, step));
    // A press that has only hidden a part of the page has led to no new state of the page.
    if (disclosed === "hides" || (disclosed === "may-hide" && isRestored)) {
      await done("none");
      return isRestored ? undefined : await this.#position.undo(state, before, candidate);
    }
    const isPart = disclosed === "shows" || isRestored;
    const names = [...state.names, this.#freeName(state, step.name || step.role)];
    const next: FrontierState = {
      id: stateIdOf(state.key, names),
      url: state.url,
      key: state.key,
      path: [...state.path, step],
      names,
      sketch: shown.sketch,
      via: null,
      ...(isPart ? { part: true } : {}),
      candidates: isPart ? this.#ownCandidates(shown, state) : this.#candidates(shown),
    };
    const room = next.path.length < pressing.depth && this.#frontier.statesAt(state.key) < pressing.states;
    const isNew = room && !this.#isOverlay(state, candidate, added);
    if (!isNew) {
      await done("state", { added });
    } else {
      if (!isPart) this.#states += 1;
      await done("state", {
        target: next.id,
        added,
        fresh: true,
        states: [next],
        shown,
        controls: controlsAddedByPress(viewOf(before), viewOf(shown)),
        texts: textsAddedByPress(viewOf(before), viewOf(shown)),
        picture,
        transitions: [transition(state, next, { element, step })],
      });
      if (!mayBePart) this.#position.set(next.id, shown);
    }
    if (!isRestored) await this.#position.undo(state, before, candidate, mayBePart);
  }

  /**
   * Returns a name for a press that leads to a new state of the page. If another press from the same state
   * has this name, a number is added. For example, two icons may both have no name.
   */
  #freeName({ key, names }: FrontierState, name: string): string {
    for (let at = 1; ; at++) {
      const free = at === 1 ? name : `${name} ${at}`;
      if (!this.#frontier.get(stateIdOf(key, [...names, free]))) return free;
    }
  }

  /** Records a press that has led to a page with another address. */
  async #arrived(
    state: FrontierState,
    { candidate, element, shown, added }: Arrival,
    done: Done,
  ): Promise<void> {
    const url = normaliseUrl(shown.page.url);
    if (url === undefined || !this.#notes.within.isInternal(url) || isWritingAddress(url)) {
      this.#position.clear();
      return await done("failed");
    }
    const key = urlKey(url);
    const id = stateIdOf(key, []);
    const { step } = candidate;
    // A search inside of a list shows the same list with fewer rows, so its result is no new page.
    if (step.kind === "search" && pathOf(url) === pathOf(state.url)) {
      await done("none");
      await this.#goBack(state);
      return;
    }
    const base = { id, url, key, path: [], names: [], sketch: shown.sketch };
    const known = this.#frontier.get(id);
    const transitions = step.kind === "search" ? [] : [transition(state, known ?? base, { element, step })];
    this.#position.set(id, shown);
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
      this.#notes.addAddress(url);
      // All controls of the new page are recorded here, because the crawl reads the page later only if it has
      // room for further pages.
      const controls = controlsAddedByPress({ elements: [] }, viewOf(shown));
      await done("page", {
        target: id,
        added,
        fresh: !isInstance,
        transitions,
        states: [target],
        shown,
        controls,
      });
    }
    await this.#goBack(state);
  }

  async #goBack(state: FrontierState): Promise<void> {
    const session = await this.#browser.session();
    this.#position.settle(state, await session.back(state.sketch));
  }

  /**
   * Whether the pressed control opens the same elements from several states, as a menu in the header does. A
   * control with the role and the name of the previously pressed one does not count: "Next" in a wizard shows
   * other elements at each press.
   */
  #isOverlay({ path }: FrontierState, candidate: Candidate, added: string): boolean {
    const last = path.at(-1);
    const continues = last?.name === candidate.step.name && last.role === candidate.step.role;
    return !continues && this.#frontier.hasLedTo(candidate, "state", added);
  }

  /**
   * Adds elements that the page did not have at the first visit. Some elements load late, or appear only
   * after a greeting is closed.
   */
  #renew(state: FrontierState, shown: Shown): void {
    if (state.path.length > 0 || state.candidates.length === 0) return;
    this.#frontier.renew(state.id, shown.sketch, this.#candidates(shown));
  }

  /**
   * Returns the controls that exist only inside of a part of the page, such as an open section. The controls
   * around the part are left out, because they can be pressed while the part is closed.
   */
  #ownCandidates(shown: Shown, { candidates }: FrontierState): readonly Candidate[] {
    const around = new Set(candidates.map(({ key }) => key));
    return this.#candidates(shown).filter(({ key }) => !around.has(key));
  }

  #candidates(shown: Shown): readonly Candidate[] {
    const { press, unsafe } = choosePresses(shown.page.highlightedElements, this.#allowed);
    for (const element of unsafe)
      this.#unsafe.add(`${nameOf(element)} ${element.xpath.replace(/\[\d+\]/g, "")}`);
    return press;
  }

  /**
   * Records findings. If they begin with a page state that is more than an opened part of another state, such as a
   * section, a picture of it is stored too.
   */
  async #note({
    results,
    picture: taken,
    ...findings
  }: Findings & { readonly results: readonly PressResult[]; readonly picture?: ScreenPicture | undefined }) {
    const [state] = findings.states;
    if (state && !state.part && findings.shown) {
      const picture = taken ?? (await this.#picture(findings.shown));
      if (picture) this.#pictures.put(state.id, picture);
    }
    await this.#notes.send({ ...findings, results }, this.#counts);
  }

  /** Takes a picture of the page as the browser shows it now, unless enough pictures were taken. */
  async #picture(shown: Shown): Promise<ScreenPicture | undefined> {
    return this.#pictures.isFull ? undefined : await (await this.#browser.session()).picture(shown);
  }

  get #counts(): PressCounts {
    const last = this.#last === undefined ? {} : { last: this.#last };
    return { actions: this.#actions, states: this.#states, ...this.#refusals, ...last };
  }
}

/** A function that records the result of a press, and what the press has found. */
type Done = (
  effect: PressEffect,
  more?: Partial<{ target: string; added: string; fresh: boolean; picture: ScreenPicture | undefined }> &
    Partial<Findings>,
) => Promise<void>;

/** The press (click) of an element, and what the browser shows afterwards. */
interface Arrival {
  readonly candidate: Candidate;
  readonly element: HighlightedElement;
  readonly shown: Shown;
  readonly added: string;
}

function viewOf({ page, headings }: Shown) {
  return { elements: page.highlightedElements, headings, text: page.text_content ?? "" };
}
