/**
 * Derives tasks from the forms of screens. A task fills in all fields of a form and submits it. A form that
 * is on several screens is one task.
 */

import type { ActionRecord } from "../../records/map-records.ts";
import type { Control, FieldConstraints } from "../../records/page-control-records.ts";
import { riskOfName } from "../../risk/risk-classes.ts";
import { withoutColon, withUniqueNames } from "../../session/controls/field-names-in-groups.ts";
import {
  type AddressWords,
  addressWords,
  type Operation,
  operationOfName,
  readingsOf,
  type Subject,
  stemOf,
  stemsOf,
  subjectFit,
  type TaskWords,
  withJoinedWords,
} from "../screens/operation-and-thing-of-task.ts";
import { pressesOfStateName, STATE_NAME_SEPARATOR } from "../screens/page-states-to-map-instances.ts";
import { parseControl, screenOfAction } from "../screens/page-to-screen.ts";
import { shortHash, slug } from "../screens/screen-id.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import { describeForm, type FunctionKind, isOfPress } from "../site-map/site-functions-list.ts";

export interface TaskField {
  /** The `name` attribute of the form field. Callers pass the field's value under this name. */
  readonly name: string;
  /** The label of the field. If another field of the form has the same label, the name of the group precedes it. */
  readonly label: string;
  /** Name of the field's group, if the group contains no other field of the form; absent otherwise. */
  readonly group?: string;
  /**
   * The HTML type of the field, such as `email`, `select` or `textarea`; empty if the page does not state a
   * type.
   */
  readonly type: string;
  /** Constraints on the value that the HTML states, such as a maximum length. */
  readonly constraints: FieldConstraints;
  /** The map's action that fills in the field; `undefined` if the map has none. */
  readonly action: ActionRecord | undefined;
  /** The radio buttons of a choice, each with its label; absent for other fields. */
  readonly choices?: readonly Choice[];
}

/** A radio button of a choice, and the action that chooses it. */
export interface Choice {
  readonly label: string;
  readonly action: ActionRecord;
}

export interface FormTask {
  readonly task_id: string;
  readonly name: string;
  readonly kind: FunctionKind;
  readonly fields: readonly TaskField[];
  readonly submit: ActionRecord;
  readonly success_criteria: readonly string[];
}

/**
 * Returns the tasks that fill in the forms of one screen.
 *
 * @param actions all actions of the screen
 */
export function formTasks(actions: readonly ActionRecord[]): readonly FormTask[] {
  const controls = fieldControls(actions);
  return actions.flatMap((submit) => {
    if (submit.action_type !== "submit_form") return [];
    const form = parseControl(submit.target);
    const attributes = form?.attributes ?? {};
    // The radio buttons of a group have the same `name`, which is listed once.
    const names = [...new Set((attributes.fields ?? "").split(", ").filter((name) => name !== ""))];
    if (names.length === 0) return [];
    const read = names.map((name): TaskField => {
      const group = ownControls(controls.get(name) ?? [], formIndex(form));
      const [known] = group;
      const {
        form: _,
        position: __,
        caption,
        group: nameOfGroup,
        has_value: ___,
        ...constraints
      } = known?.control.constraints ?? {};
      const choices = choicesOf(group);
      const isRequired = group.some(({ control }) => control.constraints?.required);
      const hasValue = group.some(({ control }) => control.constraints?.has_value);
      return {
        name,
        label: choices
          ? (nameOfGroup ?? name)
          : caption || known?.control.attributes.choice || known?.control.name || name,
        type: choices ? "radio" : typeOf(known?.control),
        constraints: {
          ...constraints,
          ...(choices ? { options: choices.map(({ label }) => label) } : {}),
          ...(isRequired ? { required: true } : {}),
          ...(isRequired && hasValue ? { has_value: true } : {}),
        },
        action: known?.action,
        ...(choices ? { choices } : {}),
        ...(nameOfGroup === undefined ? {} : { group: nameOfGroup }),
      };
    });
    const fields = read.map((field) => withUniqueNames(field, read));
    const { kind, name } = describeForm(submit, fields);
    // A form in a dialog is sent to no address, so the screen of the form distinguishes it from equal forms.
    const sentTo = isOfPress(attributes) ? screenOfAction(submit.action_id) : attributes.action;
    const mark = shortHash([attributes.method, sentTo, ...names].join("\n"));
    return [
      {
        task_id: `task_${slug(name).slice(0, 32)}_${mark}`,
        name,
        kind,
        fields,
        submit,
        success_criteria: [
          "The form is submitted and reports no invalid field",
          `The page answers to ${attributes.action || "the form"}`,
        ],
      },
    ];
  });
}

/** Returns the radio buttons of a choice; `undefined` for other fields. */
function choicesOf(group: readonly FieldControl[]): readonly Choice[] | undefined {
  if (group.length < 2 || !group.every(({ control }) => control.role === "radio")) return undefined;
  return group.map(({ action, control }) => ({ label: control.name, action }));
}

interface FieldControl {
  readonly action: ActionRecord;
  readonly control: Control;
}

/** Returns the controls of a screen by their HTML `name`. The fields of a form are listed by these names. */
function fieldControls(actions: readonly ActionRecord[]): ReadonlyMap<string, readonly FieldControl[]> {
  const controls = new Map<string, FieldControl[]>();
  for (const action of actions) {
    const control = parseControl(action.target);
    const { name: written, id, edited, choice } = control?.attributes ?? {};
    const { position, caption } = control?.constraints ?? {};
    const anonymous = position === undefined ? undefined : `field ${position}`;
    const name = (written || edited || choice || caption || control?.name || id || anonymous)?.replaceAll(
      ", ",
      " ",
    );
    if (!control || !name || action.action_type === "submit_form") continue;
    const known = controls.get(name);
    if (known) known.push({ action, control });
    else controls.set(name, [{ action, control }]);
  }
  return controls;
}

/** Returns the controls of the given form. If none is known to belong to it, returns all controls. */
function ownControls(controls: readonly FieldControl[], form: number | undefined): readonly FieldControl[] {
  const own = controls.filter(({ control }) => control.constraints?.form === form);
  return own.length > 0 ? own : controls;
}

/**
 * Returns the index of a form on its page, counted from 0: 1 for the XPath `(//form)[2]`; `undefined` for an
 * XPath without a position.
 */
function formIndex(form: Control | undefined): number | undefined {
  const [, position] = /\[(\d+)\]$/.exec(form?.xpath ?? "") ?? [];
  return position === undefined ? undefined : Number(position) - 1;
}

function typeOf(control: Control | undefined): string {
  const { type, tag = "", choice } = control?.attributes ?? {};
  // The first of the parts of a date field, such as its month, stands for the date.
  if (control?.role === "spinbutton" && choice !== undefined) return "date";
  return type ?? (tag === "select" || tag === "textarea" ? tag : "");
}

/** For each kind of form, words by which a task may refer to it, such as "log in" for a sign-in form. */
const KIND_WORDS: Partial<Readonly<Record<FunctionKind, string>>> = {
  search: "search find look up query filter",
  sign_in: "sign in log login",
  form: "fill send submit",
  upload: "upload file attach",
};
const STEMS_OF_KINDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(KIND_WORDS).map(([kind, words]) => [kind, stemsOf(words)]),
);
const stemsOfKind = (kind: FunctionKind): readonly string[] => STEMS_OF_KINDS.get(kind) ?? [];
const KIND_STEMS: ReadonlySet<string> = new Set([...STEMS_OF_KINDS.values()].flat());
/** The kinds that a form may have. Which of them it has depends on its fields. */
const FORM_KINDS: readonly FunctionKind[] = ["form", "search", "sign_in", "upload"];
/** Words in the names of buttons that stand for no thing, such as "save". */
const SAVING_STEMS: ReadonlySet<string> = new Set(stemsOf("save submit send apply confirm store ok go"));
const ARTICLES: ReadonlySet<string> = new Set("a an the new another".split(" "));
const SEARCH_VERBS: ReadonlySet<string> = new Set(stemsOf("search find filter"));
/** Kinds of forms that neither create nor change an object. */
const READING_KINDS: ReadonlySet<FunctionKind> = new Set(["search", "sign_in"]);

export interface FormPage {
  readonly name: string;
  readonly url: string;
}

export interface TaskFit {
  /**
   * How well the form fits the task: 2 if the task is the id of the form's task, 0 if the form cannot do the task.
   * Otherwise the share (0 to 1) of the words for the task's thing (such as "room") that belong to the form.
   */
  readonly fit: number;
  /** Whether the form itself says that it does what the task asks for, as the button "Add category" does. */
  readonly isOperation: boolean;
  /**
   * Share (0 to 1) of the words for the task's thing (such as "room") that are in the name of the page or in the
   * caption of the button.
   */
  readonly named: number;
  /** Number of words in the name and the address of the page that are not in the task. */
  readonly others: number;
  /**
   * Share (0 to 1) of the words for the task's thing (such as "room") that are in the caption of the form's button or
   * in the address to which the form is sent. A form that cannot do the task (`fit` is 0) may have a share above 0.
   */
  readonly share: number;
}

/** The words of a form and of its page, as stems. They do not depend on the task for which a form is searched. */
interface FormWords {
  readonly name: readonly string[];
  readonly page: AddressWords;
  readonly sentTo: AddressWords;
  readonly button: readonly string[];
  readonly operations: Readonly<Record<"button" | "name", Operation | undefined>>;
  /** Words of the name and the address of the page. */
  readonly place: ReadonlySet<string>;
  /** Words of the page's name that are plurals, such as "tickets". */
  readonly plurals: readonly string[];
  readonly labels: Subject["labels"];
  readonly isFilter: boolean;
  readonly opensAddress: boolean;
  readonly isSending: boolean;
  /** Whether a press has shown the form, so that the address to which it is sent is not known. */
  readonly isPressed: boolean;
  /**
   * The kind of thing that the form creates, if a press has shown the form: "user" for the press or the
   * button "Add user". Empty if neither name says it.
   */
  readonly created: readonly string[];
  /** The name of the state or page on which the form was opened by a press. */
  readonly opener: string;
}

/**
 * @param foundAt address of the page on which the form was found, if that is not `page`. A form that is sent to the address
 * of its own page counts as sent to the address of `page`.
 */
function wordsOfForm(task: FormTask, page: FormPage, foundAt?: string): FormWords {
  const attributes = parseControl(task.submit.target)?.attributes ?? {};
  const { action = "" } = attributes;
  const caption = buttonOf(task);
  const name = stemsOf(page.name);
  const button = stemsOf(caption);
  const ofPage = addressWords(page.url);
  const isPressed = isOfPress(attributes);
  // In the state "New query: Users", the form is named after the last press, "Users". The page name "New
  // query" before it may be for something else.
  const named = isPressed ? (pressesOfStateName(page.name).at(-1) ?? page.name) : page.name;
  const operations = { button: operationOfName(caption), name: operationOfName(named) };
  return {
    name,
    page: ofPage,
    sentTo: action === "" || isOwnAddress(action, foundAt) ? ofPage : addressWords(action),
    button,
    operations,
    place: new Set([...name, ...ofPage.all]),
    plurals: wordsOf(page.name).filter((word) => stemOf(word) !== word),
    labels: task.fields.flatMap((field) => [
      ...readingsOf(withoutColon(field.label)),
      ...readingsOf(field.name),
    ]),
    isFilter: isFilter(button),
    opensAddress: operations.button === undefined && opensAddress(task, page.url),
    isSending: operations.button === undefined && riskOfName(caption) === "send",
    isPressed,
    created: isPressed ? createdByPress(caption, page.name) : [],
    opener: openerOfStateName(page.name),
  };
}

/** Whether a form is sent to the address of the page on which it was found. Parameters do not count. */
function isOwnAddress(action: string, foundAt: string | undefined): boolean {
  const page = foundAt === undefined ? null : URL.parse(foundAt);
  const sent = page && URL.parse(action, page.href);
  return sent !== null && sent.origin === page?.origin && sent.pathname === page.pathname;
}

/**
 * Returns the stems of the kind of thing that a form creates: "user" if the press that has shown the form, or
 * its button, is named "Add user".
 */
function createdByPress(caption: string, page: string): readonly string[] {
  const name = [pressesOfStateName(page).at(-1) ?? "", caption].find((text) => createdWords(text).length > 0);
  return stemsOf(createdWords(name ?? "").join(" "));
}

/** Returns the words for a kind in a name that begins with a word for creating, such as "Add user" and "New user". */
function createdWords(name: string): readonly string[] {
  if (operationOfName(name) !== "create") return [];
  return wordsOf(name).filter((word) => operationOfName(word) === undefined && !ARTICLES.has(word));
}

/**
 * Returns the name of the page state on which the last press was done that leads to the given state. The name of a state
 * contains all presses that lead to it. For a state after one press, returns the name of the page.
 */
export function openerOfStateName(name: string): string {
  const presses = pressesOfStateName(name);
  return (
    presses.at(-2) ?? (presses.length === 0 ? name : name.slice(0, name.lastIndexOf(STATE_NAME_SEPARATOR)))
  );
}

/** Whether a name is that of a list of things, such as "Users" for the stem "user". */
export const isListOf = (name: string, head: string): boolean =>
  wordsOf(name).some((word) => stemOf(word) === head && word !== head);

/**
 * Returns the kind of thing that a form creates, in the words of the page: "user" for the button "Add user". Returns
 * `undefined` for a form that creates nothing or does not name the kind.
 */
export function createdKind(task: FormTask, page: FormPage): string | undefined {
  const name = pressesOfStateName(page.name).at(-1) ?? page.name;
  const words = [buttonOf(task), name].map(createdWords).find((some) => some.length > 0);
  return READING_KINDS.has(task.kind) ? undefined : words?.join(" ");
}

/**
 * Returns how well a form fits a task.
 *
 * @param foundAt address of the page on which the form was found. It is given only if `page` is a different page, which
 * may have the same form.
 */
export function taskFit(
  task: FormTask,
  target: string,
  words: TaskWords,
  page: FormPage,
  foundAt?: string,
): TaskFit {
  return fitOf(task, target, words, wordsOfForm(task, page, foundAt));
}

function fitOf({ task_id, kind }: FormTask, target: string, words: TaskWords, form: FormWords): TaskFit {
  if (task_id === target) return { fit: 2, isOperation: true, named: 1, others: 0, share: 1 };
  const { operation, things, names } = words;
  const { place } = form;
  const subject = withFolder(subjectOf(form, kind, operation), form, words);
  const isUnable =
    operation !== undefined &&
    (READING_KINDS.has(kind) ||
      form.isFilter ||
      startsWithSearch(form, things) ||
      form.opensAddress ||
      sendsThing(form, things) ||
      (operation === "create" && (form.page.editsObject || form.sentTo.editsObject)) ||
      (operation === "create" && createsOtherThing(form, words)) ||
      (operation !== "create" && changesOtherThing(form, words, target)));
  const wanted = new Set([...things, ...names]);
  const joined = withJoinedWords(words, (word) => subject.own.has(word));
  return {
    fit: isUnable ? 0 : Math.max(subjectFit(words, subject), subjectFit(joined, subject)),
    isOperation: operation !== undefined && operation === subject.operation,
    named: shareIn(things, new Set([...form.name, ...form.button])),
    others: [...place].filter((word) => !wanted.has(word)).length,
    share: shareIn(things, subject.own),
  };
}

/** A form of a map without the labels and types of its fields, with the words by which tasks find it. */
export interface KnownForm {
  readonly task: FormTask;
  readonly words: FormWords;
  /** All words of the form and its page. A task without any of these words cannot fit the form. */
  readonly all: ReadonlySet<string>;
}

/** Returns a form with its words. Returns `undefined` for a form without fields. */
export function knownForm(form: ActionRecord, page: FormPage): KnownForm | undefined {
  const [task] = formTasks([form]);
  if (!task) return undefined;
  const words = wordsOfForm(task, page);
  const { place, sentTo, button, labels } = words;
  return {
    task,
    words,
    all: new Set([...place, ...sentTo.all, ...sentTo.last, ...button, ...labels.flat()]),
  };
}

/** Whether a form creates things of a kind. The kind is the stem of a word, such as "voucher". */
export function createsThing({ words }: KnownForm, kind: string): boolean {
  const { operations, sentTo, page, name, button } = words;
  const operation = operations.button ?? operations.name ?? sentTo.operation ?? page.operation;
  // A button that names what it creates decides: "Add comment" on the page of a ticket creates no ticket.
  const isNamed = operations.button === "create" && button.length > 1;
  const own = isNamed ? button : [...name, ...page.last, ...sentTo.last];
  return operation === "create" && own.includes(kind);
}

const NO_FIT: TaskFit = { fit: 0, isOperation: false, named: 0, others: 0, share: 0 };

/**
 * Returns the best fit that a form may have, before the labels and types of its fields are read. `fit` is 0 if the
 * form cannot fit the task. `share` is 0 if the form also has no word for the task's thing.
 */
export function bestPossibleFit(
  { task, words: own, all }: KnownForm,
  target: string,
  words: TaskWords,
): TaskFit {
  // The end of a task's id does not depend on the labels of its fields, so it is known before they are read.
  const isMeant = target.endsWith(task.task_id.slice(task.task_id.lastIndexOf("_")));
  const isAbout = (word: string): boolean => all.has(word) || KIND_STEMS.has(word);
  if (!isMeant && !words.things.some(isAbout) && !words.names.some(isAbout)) return NO_FIT;
  const fitAs = (kind: FunctionKind): TaskFit =>
    fitOf({ ...task, kind }, isMeant ? task.task_id : target, words, own);
  const [best = NO_FIT] = FORM_KINDS.map(fitAs).sort((a, b) => b.fit - a.fit || b.share - a.share);
  // For a task without an operation (a word such as "create"), the labels of the fields count too. They are not known
  // here, so `fit` is not 0.
  return best.fit === 0 && best.share > 0 && words.operation === undefined
    ? { ...best, fit: Number.EPSILON }
    : best;
}

/**
 * Returns what a form is about, by its page, its address and its button. The page does not count for a
 * search, a sign-in or an upload, because every page may have one. On the page of an order, two kinds of
 * forms are not about the order: one that is sent to another address, such as `/orders/1/note`, and one that
 * creates something.
 */
function subjectOf(form: FormWords, kind: FunctionKind, asked: Operation | undefined): Subject {
  const { name, page, sentTo, button, operations, labels, isPressed, created } = form;
  // A form that "Create area" has opened creates an area, although it also has a file field for a picture.
  const isOfPage = kind === "form" || (kind === "upload" && created.length > 0);
  const isPart =
    page.isObject && (asked === "create" || !sentTo.last.every((word) => page.last.includes(word)));
  const ofPage = [...name, ...page.last];
  const ofKind = stemsOfKind(kind);
  const ofForm = [...sentTo.last, ...button, ...(kind === "form" ? [] : ofKind)];
  const own = new Set(isOfPage && !isPart ? [...ofPage, ...ofForm] : ofForm);
  return {
    operation:
      operations.button ??
      (isPart ? undefined : operations.name) ??
      (isPressed ? undefined : sentTo.operation),
    own,
    place: isOfPage ? own : new Set([...ofPage, ...ofForm]),
    other: new Set([...ofPage, ...ofKind, ...page.all, ...sentTo.all]),
    labels,
  };
}

/**
 * The last segment of the page's address may be the name of the object that the task edits: `/tags/weather` for "edit the
 * tag Weather" (Ghost, Gitea). Then the segment before it names the kind of the object.
 */
function withFolder(subject: Subject, { page }: FormWords, { operation, names }: TaskWords): Subject {
  const isOwnPage = names.length > 0 && names.every((word) => page.last.includes(word));
  if (operation === undefined || operation === "create" || !isOwnPage) return subject;
  const [own, place] = [subject.own, subject.place].map((words) => new Set([...words, ...page.folder]));
  return own && place ? { ...subject, own, place } : subject;
}

/** Whether the caption of the form's button is only a word for a search, such as "Filter" or "Search". */
function isFilter(button: readonly string[]): boolean {
  const search = stemsOfKind("search");
  return button.length > 0 && button.every((word) => search.includes(word));
}

/**
 * Whether the caption of the form's button begins with a verb for a search, as "Search tickets" does. The verb
 * does not count if it is also a word for the thing of the task.
 */
function startsWithSearch({ button: [first = ""] }: FormWords, things: readonly string[]): boolean {
  return SEARCH_VERBS.has(first) && !things.includes(first);
}

/**
 * Whether the form only opens another address with its values, as "Go!" beside a voucher's code (pretix) and the
 * box for the number of a bug (Bugzilla) do. It changes no data, unless its button names an operation.
 */
function opensAddress(task: FormTask, url: string): boolean {
  const { method, action = "" } = parseControl(task.submit.target)?.attributes ?? {};
  if (method !== "get" || action === "") return false;
  const [from, to] = [URL.parse(url), URL.parse(action, url)];
  return from !== null && to !== null && from.pathname !== to.pathname;
}

/**
 * Whether the form sends an existing thing from a page about something else, as "Send a voucher" does on the
 * waiting list of pretix. It neither creates, edits nor removes the thing.
 */
function sendsThing({ isSending, place }: FormWords, things: readonly string[]): boolean {
  return isSending && things.length > 0 && !things.some((thing) => place.has(thing));
}

/**
 * Whether the form changes another thing than the task. There are three cases:
 * - Both the button and the address of the form name the other thing: "Save Query" and `/save_query`.
 * - On a list of the task's things, only the address names it. The list of tickets of django-helpdesk has
 *   such a form with the button "Save".
 * - On such a list, only the button names it, because a press has shown the form, and its address is not
 *   known.
 */
function changesOtherThing(
  { button, sentTo, page, plurals, isPressed }: FormWords,
  { things, names }: TaskWords,
  target: string,
): boolean {
  const wanted = new Set([...things, ...names]);
  const isOther = (word: string): boolean => !wanted.has(word) && !page.all.includes(word);
  const isNoun = (word: string): boolean => operationOfName(word) === undefined && !SAVING_STEMS.has(word);
  const ofButton = button.filter(isNoun);
  const written = wordsOf(target);
  const isOnList = plurals.some((word) => things.includes(stemOf(word)) && !written.includes(word));
  if (isPressed) return isOnList && ofButton.length > 0 && ofButton.every(isOther);
  const ofAddress = isOnList && SAVING_STEMS.has(sentTo.last[0] ?? "") ? sentTo.last.filter(isNoun) : [];
  const nouns = ofButton.length > 0 ? ofButton : ofAddress;
  const isSentToOther = nouns.length > 0 && nouns.every((word) => isOther(word) && sentTo.all.includes(word));
  return isSentToOther && things.length > 0 && !things.some((word) => sentTo.all.includes(word));
}

/**
 * Whether a form that a press has opened creates another thing than the task: "Add user" in the drawer
 * "Users" of the page "New query" creates no query. In a list of the thing, another word may mean the thing:
 * "Add member" in the list "Users" creates a user.
 */
function createsOtherThing({ created, opener }: FormWords, { things, head }: TaskWords): boolean {
  if (head === undefined || created.length === 0 || created.some((word) => things.includes(word)))
    return false;
  return !isListOf(opener, head);
}

/** Returns the caption of the button that submits a form; empty if it is not known. */
function buttonOf({ submit }: FormTask): string {
  return parseControl(submit.target)?.attributes.submit ?? "";
}

function shareIn(words: readonly string[], known: ReadonlySet<string>): number {
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length);
}
