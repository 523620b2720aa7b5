/**
 * Tracks which page state the browser of an exploration shows, such as a page with an open dialog, and moves
 * the browser to other known page states. After each move, what the browser shows is compared with the stored
 * state.
 */
import type { Candidate } from "../../../machines/exploration/press/controls-to-press.ts";
import type {
  FrontierState,
  PressFrontier,
} from "../../../machines/exploration/press/next-control-to-press.ts";
import { isSameState } from "../../../machines/exploration/press/page-state-by-visible-controls.ts";
import { parseSketch, similarity } from "../../../machines/knowledge/screens/page-feature-sketch.ts";
import { stateIdOf } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { PressBrowser } from "./control-press-browser.ts";
import type { PressSession, Shown } from "./control-press-session.ts";
import { isToggle, pathOf, selectedTab } from "./control-press-transitions.ts";

/**
 * Number of attempts to bring the browser back to a page state before an element in it is pressed. When all
 * attempts fail, the press counts as lost.
 */
const REACHES = 2;
/**
 * Number of failures after which a way to undo presses (such as Escape) is no longer tried for elements of
 * the same role.
 */
const VAIN = 3;
/**
 * Minimum similarity (0 to 1) between the first snapshot of a page state and the page when the browser is
 * back in this state. It is below 1, because parts of the page that load late may differ.
 */
const ALIKE = 0.8;

export class PressPosition {
  readonly #frontier: PressFrontier;
  readonly #browser: PressBrowser;
  readonly #renew: (state: FrontierState, shown: Shown) => void;
  /**
   * Number of times that a way to undo a press, such as Escape, has failed. The key consists of the element's
   * role and the way.
   */
  readonly #vain = new Map<string, number>();
  #shown: Shown | undefined;
  #here: string | undefined;

  /**
   * Tracks the page state that the browser of an exploration shows. At first, the browser shows no page.
   *
   * @param renew called with a new snapshot whenever a known page is opened again
   */
  constructor(
    frontier: PressFrontier,
    browser: PressBrowser,
    renew: (state: FrontierState, shown: Shown) => void,
  ) {
    this.#frontier = frontier;
    this.#browser = browser;
    this.#renew = renew;
  }

  /**
   * The id of the page state that the browser shows, such as a page with an open dialog; `undefined` if it is
   * unknown.
   */
  get here(): string | undefined {
    return this.#here;
  }

  /**
   * Records which page state the browser shows, with its snapshot.
   *
   * @param id id of the page state; `undefined` if no known one matches the snapshot
   */
  set(id: string | undefined, shown: Shown | undefined): void {
    this.#here = id;
    this.#shown = shown;
  }

  /** Discards the remembered page state, because the browser may now show another one. */
  clear(): void {
    this.set(undefined, undefined);
  }

  /**
   * Updates the position after an attempt to show `state`. Returns whether the browser shows this state. The
   * browser may show another state, for example if a menu of `state` is closed.
   */
  settle(state: FrontierState, shown: Shown | undefined): boolean {
    const isState = shown !== undefined && isAtAddress(shown, state) && this.#shows(shown, state);
    const other = isState || !shown ? undefined : this.#frontier.find(shown.key, shown.sketch);
    this.set(isState ? state.id : other?.id, shown);
    return isState;
  }

  #shows({ key, sketch }: Shown, state: FrontierState): boolean {
    if (isSameState(sketch, state.sketch)) return true;
    return isAlike(sketch, state.sketch) && this.#frontier.find(key, sketch) === undefined;
  }

  /**
   * Brings the browser to a page state, such as a page with an open dialog. Returns its snapshot, or
   * `undefined` when the browser did not reach it.
   */
  async reach(state: FrontierState): Promise<Shown | undefined> {
    if (this.#here === state.id && this.#shown) return this.#shown;
    if (await this.#pressTo(state)) return this.#shown;
    for (let tries = 0; tries < REACHES; tries++) {
      const shown = await this.#walkTo(state);
      if (!shown) continue;
      if (this.settle(state, shown)) {
        this.#renew(state, shown);
        return shown;
      }
      // The page was opened again by its address, so its stored content is replaced. Its content may have
      // changed: for example, some applications greet only new visitors.
      if (state.path.length === 0 && shown.key === state.key && tries > 0) {
        this.#renew(state, shown);
        this.set(state.id, shown);
        return shown;
      }
      this.clear();
    }
    this.clear();
    return undefined;
  }

  /**
   * Presses controls whose effect is known, such as "Close" or "Back", until the browser shows `state`. This
   * is faster than opening the page again and repeating all presses.
   */
  async #pressTo(state: FrontierState): Promise<boolean> {
    if (this.#here === undefined || !this.#shown) return false;
    const way = this.#frontier.wayTo(this.#here, state);
    if (!way) return false;
    const session = await this.#browser.session();
    for (const { step, target } of way) {
      const [from, before] = [this.#here, this.#shown];
      const next = this.#frontier.get(target);
      if (!before || !next) return false;
      const shown = shownBy(await session.press(before, step, next.sketch));
      if (this.settle(next, shown)) continue;
      this.#frontier.forgetWay(from, target);
      return false;
    }
    return true;
  }

  async #walkTo(state: FrontierState): Promise<Shown | undefined> {
    // The presses that lead to a page state, such as an open dialog, start at its page. If the session
    // already shows this page, the page is not opened again.
    const at = this.#here === undefined ? undefined : this.#frontier.get(this.#here);
    const isAtPage = at?.key === state.key && at.path.length === 0 && this.#shown !== undefined;
    let shown = isAtPage ? this.#shown : await this.#openPage(state);
    const session = await this.#browser.session();
    for (const [index, step] of state.path.entries()) {
      if (!shown) return undefined;
      const next = this.#frontier.get(stateIdOf(state.key, state.names.slice(0, index + 1)));
      shown = shownBy(await session.press(shown, step, next?.sketch));
    }
    return shown;
  }

  /**
   * Opens, by its address, the page of a state such as an open dialog. If the page has no address of its own,
   * repeats the press that first led to the page.
   */
  async #openPage(state: FrontierState): Promise<Shown | undefined> {
    const base = this.#frontier.get(stateIdOf(state.key, [])) ?? state;
    this.clear();
    const shown = await this.#browser.open(base.url, { expected: base.sketch });
    if (shown && shown.key === base.key && isAlike(shown.sketch, base.sketch)) return shown;
    if (!base.via) return shown?.key === base.key ? shown : undefined;
    const from = this.#frontier.get(base.via.from);
    if (!from || from.key === base.key) return undefined;
    const before = await this.#walkTo(from);
    if (!before) return undefined;
    const session = await this.#browser.session();
    return shownBy(await session.press(before, base.via.step, base.sketch));
  }

  /**
   * Restores the state before a press: selects the earlier tab, presses the same element again, or presses
   * Escape. If none of these restores the state, the exploration continues from the state that the browser
   * shows now.
   *
   * @param wasPressedAgain whether a second press on the same element has failed to restore the state
   */
  async undo(
    state: FrontierState,
    before: Shown,
    { step }: Candidate,
    wasPressedAgain = false,
  ): Promise<void> {
    const session = await this.#browser.session();
    const selected = selectedTab(before, step);
    const isTab = step.role === "tab" || selected !== undefined;
    const ways: readonly (readonly [string, () => Promise<Shown | undefined>])[] = [
      ["tab", async () => await this.#pressed(session, selected, state)],
      ["again", async () => await this.#pressed(session, step, state)],
      ["escape", () => session.escape(state.sketch)],
    ];
    for (const [name, way] of ways) {
      if ((name === "tab") !== isTab) continue;
      if (name === "again" && step.kind === "hover") continue;
      // In a wizard, a second press on the same button would lead further instead of undoing the first press. An
      // element is pressed again only when it is still on the page and toggles something.
      if (name === "again" && (wasPressedAgain || !isToggle(this.#shown, step))) continue;
      const memory = `${name} ${step.role}`;
      if ((this.#vain.get(memory) ?? 0) >= VAIN) continue;
      const last = this.#shown;
      const shown = await way();
      if (shown && this.settle(state, shown)) {
        this.#vain.set(memory, 0);
        return;
      }
      this.#vain.set(memory, (this.#vain.get(memory) ?? 0) + 1);
      if (!shown) this.#shown = last;
    }
    this.settle(state, this.#shown);
  }

  /**
   * Presses an element a second time, which may undo its first press. Returns whether the page shows `state`
   * again. Otherwise, the state that the browser shows is unknown.
   */
  async pressAgain(state: FrontierState, step: Candidate["step"]): Promise<boolean> {
    if (step.kind !== "click") return false;
    const shown = await this.#pressed(await this.#browser.session(), step, state);
    if (shown && this.settle(state, shown)) return true;
    this.set(undefined, shown ?? this.#shown);
    return false;
  }

  async #pressed(
    session: PressSession,
    step: Candidate["step"] | undefined,
    { sketch }: FrontierState,
  ): Promise<Shown | undefined> {
    return step && this.#shown ? shownBy(await session.press(this.#shown, step, sketch)) : undefined;
  }
}

/**
 * Whether the shown page has the address of a state. For a state that presses have reached, only the paths
 * are compared, because an open form may change the query of the address.
 */
function isAtAddress({ key, page }: Shown, state: FrontierState): boolean {
  return key === state.key || (state.path.length > 0 && pathOf(page.url) === pathOf(state.url));
}

function isAlike(a: string, b: string): boolean {
  return similarity(parseSketch(a), parseSketch(b)) >= ALIKE;
}

function shownBy(pressed: Awaited<ReturnType<PressSession["press"]>>): Shown | undefined {
  return pressed.kind === "shown" ? pressed.shown : undefined;
}
