/**
 * Removes one object in a session: presses its control, confirms only questions about this object, and looks for
 * evidence that the object is gone. Each action has an id, so none is done twice after a crash.
 */
import { setTimeout as pause } from "node:timers/promises";
import { asCairnError } from "../../machines/errors.ts";
import { wordsOf } from "../../machines/knowledge/screens/screen-name-index.ts";
import { isInside, textKey } from "../../machines/knowledge/tasks/control-that-removes-object.ts";
import { isOnlyTicked } from "../../machines/knowledge/tasks/removal-of-ticked-rows.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import { nameOf } from "../../machines/session/page/element-line.ts";
import type { HighlightedElement } from "../../machines/session/page/page-snapshot.ts";
import {
  answerToPage,
  isAboutObject,
  type RemovalQuestion,
  takesBack,
} from "../../machines/walk/answers-to-removal-questions.ts";
import { consequencesKey, consequencesOf, rowTexts } from "../../machines/walk/removal-consequences.ts";
import { walkLimits } from "../../machines/walk/walk-limits.ts";
import type { Removal, WalkedStep } from "../../machines/walk/walk-schemas.ts";
import { openDialog } from "../native-dialog-shown-in-session.ts";
import { performInSession } from "../run-session-action-for-actor.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

type Scope = EffectScope<CairnServices>;

/** The result of a removal. `error` is `null` only if there is evidence that the object is gone. */
export type RemovalResult = Pick<
  WalkedStep,
  "error" | "evidence" | "http_status" | "confirmed" | "consequences"
>;

/** Maximum number of questions that a page asks for one removal. */
const MOST_QUESTIONS = 3;
/** Maximum time in milliseconds in which a page shows a question after the press. */
const QUESTION_WITHIN = 2_000;
/**
 * Maximum time in milliseconds for which the removal can be taken back. Only after this time, a page may
 * really remove the object.
 */
const UNDO_WITHIN = 20_000;
/** Maximum time in milliseconds in which a list shows its rows, or a page its object, after it was opened. */
const LIST_WITHIN = 10_000;
/** Interval in milliseconds at which the page is read again. */
const EVERY = 500;

export class ObjectRemoval {
  readonly #room: string;
  readonly #id: string;
  readonly #removal: Removal;
  readonly #scope: Scope;
  readonly #confirmed: string[] = [];
  #actions = 0;
  #status: number | undefined;
  /** Texts of the rows that the page had before the control was pressed. */
  #rowsBefore: ReadonlySet<string> = new Set();
  #consequences: string | undefined;
  /**
   * The texts of the page before `presses` open the part with the list, such as a drawer. These texts do not
   * belong to the list.
   */
  #behind: ReadonlySet<string> = new Set();
  #isAnswered = false;

  constructor(room: string, id: string, removal: Removal, scope: Scope) {
    this.#room = room;
    this.#id = id;
    this.#removal = removal;
    this.#scope = scope;
  }

  /** @param press the click on the control that removes the object */
  async remove(press: Action): Promise<RemovalResult> {
    const before = await this.#page();
    this.#rowsBefore = new Set(rowTexts(before));
    const { tick, was_disabled: wasDisabled = false, name } = this.#removal;
    if (tick !== undefined && !isOnlyTicked(before.highlightedElements, tick, wasDisabled))
      return this.#failed(
        `The row of "${name}" is not the only ticked one, so nothing was removed. Untick the other rows in the session.`,
      );
    const pressed = await this.#perform(press);
    if (!pressed.success) return this.#failed(pressed.error ?? "The control could not be pressed.");
    const refused = await this.#answerQuestions(
      new Set(before.highlightedElements.map(({ highlight_index }) => highlight_index)),
      isNewDocument(pressed),
    );
    if (refused !== undefined) {
      // The list is loaded again, so that no row is ticked. Otherwise, the next plan would press the ticked
      // checkbox again, which would untick it.
      if (tick !== undefined && this.#consequences !== undefined) await this.#showListAgain();
      return this.#failed(refused);
    }
    await this.#waitForUndo(new Set(before.highlightedElements.filter(takesBack).map(({ xpath }) => xpath)));
    return await this.#evidence();
  }

  /**
   * Confirms the questions that the application asks about the object. Returns an error if a question is
   * about something else.
   */
  async #answerQuestions(before: ReadonlySet<number>, isNew: boolean): Promise<string | undefined> {
    let known: ReadonlySet<number> | undefined = isNew ? undefined : before;
    for (let question = 1; question <= MOST_QUESTIONS; question++) {
      const dialog = await openDialog(this.#room, this.#scope);
      if (dialog) {
        const { type, message } = dialog;
        const isAbout = type === "alert" || (type === "confirm" && isAboutObject(message, this.#removal));
        const consequences = type === "alert" || !isAbout ? undefined : this.#unapproved(message, []);
        const isAccepted = isAbout && consequences === undefined;
        await this.#perform({ name: "handle_dialog", params: { accept: isAccepted } });
        if (!isAbout) return notAbout(message);
        if (consequences !== undefined) return needsApproval(consequences);
        if (type !== "alert") this.#confirmed.push(message);
        continue;
      }
      const answer = await this.#answerOfPage(known);
      if (answer === undefined) return undefined;
      if ("refuse" in answer) {
        const { dismiss } = answer;
        if (dismiss) await this.#perform({ name: "click", params: { index: dismiss.highlight_index } });
        return notAbout(answer.refuse);
      }
      const { question: asked, dismiss, confirm } = answer.confirm;
      const rows = rowTexts(await this.#page(), confirm.xpath).filter((row) => !this.#rowsBefore.has(row));
      const consequences = this.#unapproved(asked, rows);
      if (consequences !== undefined) {
        await this.#refuse(dismiss);
        return needsApproval(consequences);
      }
      const outcome = await this.#confirm(answer.confirm);
      if (!outcome.success) return outcome.error ?? "The question of the page could not be confirmed.";
      // If the confirmation leads back to the list, no further question follows. Waiting for one would use
      // the full time limit.
      if (isNewDocument(outcome) && (await this.#isAtList())) return undefined;
      known = isNewDocument(outcome) ? undefined : await this.#indices();
    }
    return undefined;
  }

  /**
   * Waits until the page shows a question, and returns how to answer it. Returns `undefined` if the page
   * shows none in time, or if a native dialog is open.
   */
  async #answerOfPage(before: ReadonlySet<number> | undefined) {
    const until = performance.now() + QUESTION_WITHIN;
    for (;;) {
      if (await openDialog(this.#room, this.#scope)) return undefined;
      const answer = answerToPage(await this.#page(), before, this.#removal);
      if (!("none" in answer)) return answer;
      if (performance.now() >= until) return undefined;
      await this.#pause();
    }
  }

  /**
   * Returns what else a confirmation removes with the object. Returns `undefined` if it removes nothing else,
   * or if the caller has approved exactly this.
   */
  #unapproved(question: string, rows: readonly string[]): string | undefined {
    const consequences = consequencesOf(question, rows, this.#removal);
    const isApproved =
      consequences === undefined || consequencesKey(consequences) === this.#removal.approved_consequences;
    this.#consequences = isApproved ? undefined : consequences;
    return this.#consequences;
  }

  /**
   * Closes a dialog that must not be confirmed. If a page asks the question, opens the list or the object's
   * page instead.
   */
  async #refuse(dismiss: HighlightedElement | undefined): Promise<void> {
    const { list, page } = this.#removal;
    await this.#perform(
      dismiss
        ? { name: "click", params: { index: dismiss.highlight_index } }
        : { name: "navigate", params: { url: list ?? page } },
    );
  }

  /** Loads the page of the list again, so that none of its rows is ticked. */
  async #showListAgain(): Promise<void> {
    const { list, page } = this.#removal;
    await this.#perform({ name: "navigate", params: { url: list ?? page } });
    await this.#perform({ name: "refresh", params: {} });
  }

  async #confirm({ question, confirm, fields }: RemovalQuestion): Promise<ActionOutcome> {
    const { name } = this.#removal;
    for (const { highlight_index: index } of fields) {
      const typed = await this.#perform({
        name: "input",
        params: { index, text: name, clear: true },
      });
      if (!typed.success) return typed;
    }
    const { highlight_index: index, interactionType } = confirm;
    const action = interactionType === "submit" ? "submit_form" : "click";
    const outcome = await this.#perform({ name: action, params: { index } });
    if (outcome.success) this.#confirmed.push(question || nameOf(confirm));
    return outcome;
  }

  /**
   * Waits while the page offers to take the removal back.
   *
   * @param before XPaths of the controls "Undo" that the page had before, such as that of an editor
   */
  async #waitForUndo(before: ReadonlySet<string>): Promise<void> {
    const until = performance.now() + UNDO_WITHIN;
    while (performance.now() < until) {
      if (await openDialog(this.#room, this.#scope)) return;
      const { highlightedElements } = await this.#page();
      if (!highlightedElements.some((one) => takesBack(one) && !before.has(one.xpath))) return;
      await this.#pause();
    }
  }

  /** Opens the list, or else the object's page, and checks that the object is gone. */
  async #evidence(): Promise<RemovalResult> {
    const { list, page, name, presses = [], in_part } = this.#removal;
    const opened = await this.#perform({ name: "navigate", params: { url: list ?? page } });
    const status = Number(opened.data.http_status);
    if (list === undefined && (status === 404 || status === 410)) return this.#done("page_gone", status);
    if (!opened.success || status >= 400)
      return this.#failed(
        `"${name}" was not seen to be gone: ${list ?? page} could not be opened again (${opened.error ?? `HTTP status ${status}`}).`,
      );
    if (list === undefined) return await this.#goneFromPage(page);
    // Opening an address that differs only after `#` does not load the document again, so the page may still
    // show the old list.
    if (URL.parse(list)?.hash) await this.#perform({ name: "refresh", params: {} });
    if (in_part) this.#behind = new Set((await this.#page()).texts.map(textKey));
    for (const press of presses) {
      // The cast is safe: the presses were parsed when the task was planned.
      const shown = await this.#perform(press as Action);
      if (!shown.success)
        return this.#failed(
          `"${name}" was not seen to be gone: its list was not shown again (${shown.error ?? "a control was not pressed"}).`,
        );
    }
    return await this.#goneFromList(list);
  }

  /**
   * Checks that the page of the object no longer shows the object's name. The name may appear late, so the
   * page is read until the time limit before the object counts as gone.
   */
  async #goneFromPage(page: string): Promise<RemovalResult> {
    const { name } = this.#removal;
    const until = performance.now() + LIST_WITHIN;
    for (;;) {
      const { texts, url } = await this.#page();
      const isElsewhere = URL.parse(url)?.pathname !== URL.parse(page)?.pathname;
      // The site now shows another page, which may name the removed object in a message. So its texts are not
      // checked, and the answered request is the evidence.
      if (isElsewhere && this.#isAnswered) return this.#done("request", this.#status);
      if (texts.some(({ text }) => containsName(text, name)))
        return this.#failed(`"${name}" was not seen to be gone: the page ${page} still shows its name.`);
      if (performance.now() >= until) return this.#done("page_gone", this.#status);
      await this.#pause();
    }
  }

  async #goneFromList(list: string): Promise<RemovalResult> {
    const { name, others, is_row } = this.#removal;
    const until = performance.now() + LIST_WITHIN;
    let isShown = false;
    for (;;) {
      const { texts: shown, rows, url } = await this.#page();
      const texts = shown.filter((text) => !this.#behind.has(textKey(text)));
      const isList = URL.parse(url)?.pathname === URL.parse(list)?.pathname;
      const has = (text: string): boolean => texts.some((one) => same(one.text, text));
      const isInRow = texts.some(
        (text) => same(text.text, name) && (!is_row || rows.some((row) => isInside(text.xpath, row))),
      );
      isShown ||= isList && (others.length === 0 || others.some(has));
      const isOver = performance.now() >= until;
      // A list that shows no other rows may still be loading, so it is read until the time limit.
      if (isShown && !isInRow && (others.length > 0 || isOver))
        return this.#done("gone_from_list", this.#status);
      if (isOver && isInRow) return this.#failed(`"${name}" is still in the list ${list}.`);
      if (isOver)
        return this.#failed(
          `The list ${list} does not show its other rows, so "${name}" was not seen to be gone.`,
        );
      await this.#pause();
    }
  }

  #done(evidence: string, status: number | undefined): RemovalResult {
    return {
      error: null,
      evidence,
      ...(status === undefined ? {} : { http_status: status }),
      confirmed: this.#confirmed,
    };
  }

  #failed(error: string): RemovalResult {
    return {
      error,
      ...(this.#confirmed.length === 0 ? {} : { confirmed: this.#confirmed }),
      ...(this.#consequences === undefined ? {} : { consequences: this.#consequences }),
    };
  }

  async #perform(action: Action): Promise<ActionOutcome> {
    this.#actions += 1;
    // The id contains the name of the action. After a crash, the action with the same number may be a
    // different one.
    const id = this.#actions === 1 ? this.#id : `${this.#id}-${this.#actions}-${action.name}`;
    const outcome = await performInSession(
      { room: this.#room, action, id, within: walkLimits.stepWithin },
      this.#scope,
    );
    const { http_status: status, evidence } = outcome.data;
    if (action.name !== "navigate" && typeof status === "number") this.#status = status;
    if (evidence === "request") this.#isAnswered = true;
    return outcome;
  }

  async #isAtList(): Promise<boolean> {
    const { list } = this.#removal;
    const { url } = await this.#scope.query("session", this.#room, "context", null);
    return list !== undefined && URL.parse(url)?.pathname === URL.parse(list)?.pathname;
  }

  /** Waits until it is time to read the page again. Throws an error if the walk is cancelled. */
  async #pause(): Promise<void> {
    await pause(EVERY, undefined, { signal: this.#scope.signal });
  }

  async #indices(): Promise<ReadonlySet<number>> {
    if (await openDialog(this.#room, this.#scope)) return new Set();
    return new Set((await this.#page()).highlightedElements.map(({ highlight_index }) => highlight_index));
  }

  /**
   * Reads the page. If the page opens another document during the read, as after a confirmed question, reads
   * it again.
   */
  async #page() {
    const until = performance.now() + LIST_WITHIN;
    for (;;) {
      try {
        return await this.#shownPage();
      } catch (error) {
        if (asCairnError(error).code !== "session.navigating" || performance.now() >= until) throw error;
        await this.#pause();
      }
    }
  }

  async #shownPage() {
    const { texts, rows, headings } = await this.#scope.query("session", this.#room, "texts", null);
    const { url, highlightedElements, segments } = await this.#scope.query("session", this.#room, "analyze", {
      viewport_only: false,
      include_left_out: false,
      highlight: false,
      include_text: false,
    });
    return { url, highlightedElements, segments, headings, texts, rows };
  }
}

const isNewDocument = ({ data }: ActionOutcome): boolean => data.effect === "navigated";

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Whether a text has all words of the name, one after another. */
const containsName = (text: string, name: string): boolean =>
  ` ${wordsOf(text).join(" ")} `.includes(` ${wordsOf(name).join(" ")} `);

const needsApproval = (consequences: string): string =>
  `The application says what it removes with the object, so this needs an approval: ${consequences}. It was not confirmed.`;

const notAbout = (question: string): string =>
  `The page asks "${question}", which is not certainly about this object, so it was not confirmed. Answer it in the session.`;
