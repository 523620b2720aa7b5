/**
 * Derives tasks from the forms of screens. A task fills in all fields of a form and submits it. A form that
 * is on several screens is one task.
 */

import type { ActionRecord } from "../records/map-records.ts";
import type { Control, FieldConstraints } from "../records/stored-page-controls.ts";
import { parseControl } from "./page-to-screen.ts";
import { shortHash, slug } from "./screen-id.ts";
import { wordsOf } from "./screen-name-index.ts";
import { describeForm, type FunctionKind } from "./site-functions-list.ts";

export interface TaskField {
  /** The `name` attribute of the form field. Callers pass the field's value under this name. */
  readonly name: string;
  readonly label: string;
  /**
   * The HTML type of the field, such as `email`, `select` or `textarea`; empty if the page does not state a
   * type.
   */
  readonly type: string;
  /** Constraints on the value that the HTML states, such as a maximum length. */
  readonly constraints: FieldConstraints;
  /** The map's action that fills in the field; `undefined` if the map has none. */
  readonly action: ActionRecord | undefined;
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
    const fields = names.map((name): TaskField => {
      const group = ownControls(controls.get(name) ?? [], formIndex(form));
      const [known] = group;
      const { form: _, position: __, ...constraints } = known?.control.constraints ?? {};
      const isRequired = group.some(({ control }) => control.constraints?.required);
      return {
        name,
        label: known?.control.name || name,
        type: typeOf(known?.control),
        constraints: isRequired ? { ...constraints, required: true } : constraints,
        action: known?.action,
      };
    });
    const { kind, name } = describeForm(submit, fields);
    const mark = shortHash([attributes.method, attributes.action, ...names].join("\n"));
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

interface FieldControl {
  readonly action: ActionRecord;
  readonly control: Control;
}

/** Returns the controls of a screen by their HTML `name`. The fields of a form are listed by these names. */
function fieldControls(actions: readonly ActionRecord[]): ReadonlyMap<string, readonly FieldControl[]> {
  const controls = new Map<string, FieldControl[]>();
  for (const action of actions) {
    const control = parseControl(action.target);
    const { name: written, id } = control?.attributes ?? {};
    const { position } = control?.constraints ?? {};
    const anonymous = position === undefined ? undefined : `field ${position}`;
    const name = (written || control?.name || id || anonymous)?.replaceAll(", ", " ");
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

/** Returns the index of a form on its page, counted from 0: 1 for the XPath `(//form)[2]`. */
function formIndex(form: Control | undefined): number | undefined {
  const [, position] = /\[(\d+)\]$/.exec(form?.xpath ?? "") ?? [];
  return position === undefined ? undefined : Number(position) - 1;
}

function typeOf(control: Control | undefined): string {
  const { type, tag = "" } = control?.attributes ?? {};
  return type ?? (tag === "select" || tag === "textarea" ? tag : "");
}

/** For each kind of form, words by which a task may refer to it, such as "log in" for a sign-in form. */
const KIND_WORDS: Partial<Readonly<Record<FunctionKind, string>>> = {
  search: "search find look up query filter",
  sign_in: "sign in log login",
  form: "fill send submit",
  upload: "upload file attach",
};

/** Words that many forms have in common: they say that a thing is created, but not which thing. */
const CREATING: ReadonlySet<string> = new Set("create creates creating new add make".split(" "));

/**
 * Whether the requested words have only words such as "create" and "new" in common with a task, but not the
 * thing that is created: "create a new room" does not mean the form "New team".
 */
export function isOtherThing(wanted: readonly string[], isOfTask: (word: string) => boolean): boolean {
  const things = wanted.filter((word) => !CREATING.has(word));
  return things.length > 0 && !things.some(isOfTask);
}

/**
 * Scores how well a task matches the requested words. The score depends on the task's id, and on the share of
 * the words in the task's name, fields and screen. Every screen may have a search, a sign-in or an upload;
 * for these, the screen's name alone is no match.
 */
export function taskFit(task: FormTask, target: string, screenName = ""): number {
  if (task.task_id === target) return 2;
  const wanted = wordsOf(target).filter((word) => !["the", "a", "an", "form", "in"].includes(word));
  const own = new Set(
    wordsOf(
      `${task.name} ${KIND_WORDS[task.kind] ?? ""} ${task.fields.map(({ label, name }) => `${label} ${name}`).join(" ")}`,
    ),
  );
  const place = new Set(wordsOf(screenName));
  if (wanted.length === 0) return 0;
  if (task.kind !== "form" && !wanted.some((word) => own.has(word))) return 0;
  const isOfTask = (word: string): boolean => own.has(word) || place.has(word);
  return isOtherThing(wanted, isOfTask) ? 0 : wanted.filter(isOfTask).length / wanted.length;
}
