/**
 * Lists the functions of a site by kind, such as sign-in or search. Each form and control is listed once,
 * with the screens that offer it. The kind follows from the form's fields: a password field means sign-in,
 * and a query field means search.
 */

import type { ActionRecord } from "../../records/map-records.ts";
import type { Control } from "../../records/page-control-records.ts";
import { actionNamed } from "../../session/actions/browser-action-names-and-risks.ts";
import { withoutColon } from "../../session/controls/field-names-in-groups.ts";
import { parseControl } from "../screens/page-to-screen.ts";

export const functionKinds = ["search", "sign_in", "form", "upload", "choose", "enter", "press"] as const;
export type FunctionKind = (typeof functionKinds)[number];

/** For each kind of function, such as sign-in, its heading in the list. */
export const kindTitles: Readonly<Record<FunctionKind, string>> = {
  search: "Search",
  sign_in: "Sign in",
  form: "Fill in and send",
  upload: "Upload",
  choose: "Choose",
  enter: "Enter",
  press: "Press",
};

export interface SiteFunction {
  readonly kind: FunctionKind;
  readonly name: string;
  readonly action_type: string;
  readonly tool_name: string;
  /** Labels of the fields of the form. */
  readonly fields: readonly string[];
  /**
   * Number of screens that offer the function (a form or a control). `screen_ids` contains only the first of them.
   */
  readonly screens: number;
  readonly screen_ids: readonly string[];
}

/** Maximum number of screens listed for each function (form or control) of a site. */
const NAMED_SCREENS = 20;
/** Maximum number of fields in the name of a form. */
const NAMED_FIELDS = 4;

const SEARCH_NAME = /^(?:q|s|query|search|keywords?|term|find)$|search/i;
/**
 * Maximum number of fields of a search form. A form with more fields is not a search, even if it has a query
 * field.
 */
const SEARCH_FIELDS = 3;

/**
 * Maximum number of text fields in a sign-in form. A form with a password and more fields creates something,
 * such as an account.
 */
const SIGN_IN_FIELDS = 3;
/**
 * Maximum number of fields in a form for uploads. In a form with more fields, such as a new ticket, the file is
 * only an addition.
 */
const UPLOAD_FIELDS = 3;
/**
 * A form with at least this number of text fields before its file field is no upload. The file is only an addition,
 * such as the picture of a new area (Home Assistant) or the attachment of a note with a title and a text.
 */
const TEXTS_BEFORE_ADDED_FILE = 2;

interface Known {
  readonly kind: FunctionKind;
  readonly name: string;
  readonly action_type: string;
  readonly fields: readonly string[];
  screens: number;
  /** Ids of the screens that offer the function (a form or a control). */
  readonly offered_by: Set<string>;
  readonly screen_ids: string[];
}

export class SiteFunctions {
  readonly #known = new Map<string, Known>();
  #screens = 0;

  /** Number of screens that offer at least one function (a form or a control). */
  get screens(): number {
    return this.#screens;
  }

  /** Adds all functions (forms and controls) that one screen offers. */
  add(screenId: string, actions: readonly ActionRecord[]): void {
    if (actions.length > 0) this.#screens += 1;
    const inForms = new Set<string>();
    const forms = actions.filter(({ action_type }) => action_type === "submit_form");
    const fields = forms.length > 0 ? fieldsByName(actions) : new Map<string, Field>();
    for (const form of forms) {
      const attributes = parseControl(form.target)?.attributes ?? {};
      const names = (attributes.fields ?? "").split(", ").filter((name) => name !== "");
      const own = names.map((name) => fields.get(name) ?? { label: name, type: "", role: "", ids: [] });
      for (const { ids } of own) for (const id of ids) inForms.add(id);
      const kind = formKind(names, own, attributes);
      const labels = own.map(({ label }) => label);
      // The same form on several pages is one function, even if the pages have different addresses. Forms of dialogs
      // have no address, so their buttons distinguish them.
      const sentTo = isOfPress(attributes) ? attributes.submit : attributes.action;
      const key = `form\n${attributes.method ?? ""}\n${names.join("\n")}\n${kind === "form" ? (sentTo ?? "") : ""}`;
      this.#count(key, screenId, {
        kind,
        name: formName(kind, labels, form),
        action_type: "submit_form",
        fields: labels,
      });
    }
    for (const { action_id, action_type, name: said, target } of actions) {
      if (action_type === "submit_form" || inForms.has(action_id)) continue;
      const kind = controlKind(action_type);
      const name = said !== "" ? said : unsaid(parseControl(target));
      this.#count(`${action_type}\n${name}`, screenId, { kind, name, action_type, fields: [] });
    }
  }

  /**
   * Returns the functions (forms and controls) sorted by kind, such as sign-in. Within a kind, functions with more
   * screens come first.
   */
  list(): readonly SiteFunction[] {
    const rank = (kind: FunctionKind) => functionKinds.indexOf(kind);
    return [...this.#known.values()]
      .sort((a, b) => rank(a.kind) - rank(b.kind) || b.screens - a.screens || (a.name < b.name ? -1 : 1))
      .map(({ kind, name, action_type, fields, screens, screen_ids }) => ({
        kind,
        name,
        action_type,
        tool_name: actionNamed(action_type) ?? action_type,
        fields,
        screens,
        screen_ids,
      }));
  }

  #count(key: string, screenId: string, made: Pick<Known, "kind" | "name" | "action_type" | "fields">): void {
    const known = this.#known.get(key) ?? { ...made, screens: 0, offered_by: new Set(), screen_ids: [] };
    this.#known.set(key, known);
    // A screen is counted only once for a function (a form or a control), even if several of its pages offer the
    // function or one page offers it twice.
    if (known.offered_by.has(screenId)) return;
    known.offered_by.add(screenId);
    known.screens += 1;
    if (known.screen_ids.length < NAMED_SCREENS) known.screen_ids.push(screenId);
  }
}

/**
 * Whether a form belongs to a dialog that a press has shown. Such a form is stored without a method; a form
 * that the page had from the start always has one.
 */
export function isOfPress({ method }: Readonly<Record<string, string>>): boolean {
  return !method;
}

/** Returns the kind of a form, and its name in readable form. */
export function describeForm(
  form: ActionRecord,
  fields: readonly { readonly name: string; readonly label: string; readonly type: string }[],
): { readonly kind: FunctionKind; readonly name: string } {
  const kind = formKind(
    fields.map(({ name }) => name),
    fields.map(({ label, type }) => ({ label, type, role: "", ids: [] })),
    parseControl(form.target)?.attributes ?? {},
  );
  return {
    kind,
    name: formName(
      kind,
      fields.map(({ label }) => label),
      form,
    ),
  };
}

interface Field {
  /** The field's name in readable form. */
  readonly label: string;
  readonly type: string;
  readonly role: string;
  /**
   * Ids of the actions that fill in the field. There is one action for each form of the page that contains
   * the field.
   */
  readonly ids: string[];
}

/**
 * Returns the fields of a screen by their HTML `name`, because forms list their fields by it. A field without
 * a `name` is listed under its label.
 */
function fieldsByName(actions: readonly ActionRecord[]): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const { action_id, action_type, name, target } of actions) {
    if (action_type === "submit_form") continue;
    const control: Control | undefined = parseControl(target);
    if (!control || control.role === "button" || control.role === "link") continue;
    const { name: written, type } = control.attributes;
    const field = {
      label: name || written || control.role,
      type: type ?? "",
      role: control.role,
      ids: [action_id],
    };
    const key = written ?? name;
    const known = fields.get(key);
    if (known) known.ids.push(action_id);
    else fields.set(key, field);
  }
  return fields;
}

/** A form without a submit button is no search if it has at least this number of text fields. */
const OTHER_TEXTS = 2;
/** Captions of buttons that save the values of a form. */
const SAVES = /^(?:save|speichern|enregistrer|guardar|salva|salvar|opslaan)(?:$|[^\p{L}])/iu;

function formKind(
  names: readonly string[],
  fields: readonly Field[],
  { method, submit = "" }: Readonly<Record<string, string>>,
): FunctionKind {
  const typed = fields.filter(({ type }) => !/^(?:checkbox|radio|submit|button)$/.test(type));
  // A form with a second field to repeat the password creates an account or changes its password, so it is no
  // sign-in.
  const passwords = fields.filter(({ type }) => type === "password").length;
  if (typed.length <= SIGN_IN_FIELDS && passwords === 1) return "sign_in";
  const file = fields.findIndex(({ type, role }) => type === "file" || role === "file");
  const textsBefore = typed.filter((field) => fields.indexOf(field) < file).length;
  if (file >= 0 && fields.length <= UPLOAD_FIELDS && textsBefore < TEXTS_BEFORE_ADDED_FILE) return "upload";
  // A form that saves something is no search, even if it has a field by which a person is searched ("User
  // Search APIs" of doccano).
  if (SAVES.test(submit)) return "form";
  // Two kinds of forms with a search field are no search. A large form that is sent by POST: widgets such as select2
  // use the field to search their options. And a form without a submit button, but with several other text fields:
  // only a script sends it (Ghost). A form that filters a list has a button, or only one text field.
  const others = fields.filter(
    ({ type, role }) => /^(?:text|email|url|tel|textarea)$/.test(type) || (type === "" && role === "textbox"),
  );
  const isSentByScript = submit === "" && others.length >= OTHER_TEXTS;
  const asks =
    !isSentByScript &&
    (method !== "post" || names.length <= SEARCH_FIELDS) &&
    fields.some(({ type, role }) => type === "search" || role === "searchbox");
  const named = names.some((name) => SEARCH_NAME.test(name)) && names.length <= SEARCH_FIELDS;
  return asks || named ? "search" : "form";
}

function formName(kind: FunctionKind, labels: readonly string[], form: ActionRecord): string {
  if (labels.length === 0) return form.name;
  const some = labels.slice(0, NAMED_FIELDS).map(withoutColon).join(", ");
  return `${kindTitles[kind]}: ${some}${labels.length > NAMED_FIELDS ? ", …" : ""}`;
}

/** Matches the position of a row in a CSS selector, as in `tr:nth-of-type(3)`. */
const ROW_POSITION = /(?<=(?:^|[\s>])(?:tr|li)):nth-of-type\(\d+\)/g;

/**
 * Returns a name for a control without a visible name: its name in the code, otherwise its selector. The
 * selector has no positions of rows, so that the controls in one column of a table are one function.
 */
function unsaid(control: Control | undefined): string {
  if (!control) return "";
  const { name, id } = control.attributes;
  return `${control.role} ${name ?? id ?? control.selector.replace(ROW_POSITION, "")}`.trim();
}

function controlKind(actionType: string): FunctionKind {
  switch (actionNamed(actionType)) {
    case "select_dropdown":
      return "choose";
    case "upload_file":
      return "upload";
    case "input":
      return "enter";
    default:
      return "press";
  }
}
