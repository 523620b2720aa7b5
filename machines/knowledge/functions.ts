/**
 * What can be done in a site: each thing once, with the screens that offer it, by what kind of thing it is.
 *
 * A form is told with its fields, by what they are called for a person; a field of a form is not told again. The
 * kinds are seen from the form itself (a password asks to sign in, a query to search), never from a list of sites.
 * Pure; it is fed screen by screen and holds no more than the distinct functions. `sitemap-text.ts` writes it down.
 */
import type { ActionRecord, Control } from "../records.ts";
import { toolName } from "./action-names.ts";
import { parseControl } from "./screen.ts";

export const functionKinds = ["search", "sign_in", "form", "upload", "choose", "enter", "press"] as const;
export type FunctionKind = (typeof functionKinds)[number];

/** The kinds as headings. */
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
  /** Of a form: what its fields are called, in their order. */
  readonly fields: readonly string[];
  /** How many screens offer it; `screen_ids` names the first of them. */
  readonly screens: number;
  readonly screen_ids: readonly string[];
}

/** Screens that are named for each function. */
const NAMED_SCREENS = 20;
/** Fields that are part of a form's name. */
const NAMED_FIELDS = 4;

const SEARCH_NAME = /^(?:q|s|query|search|keywords?|term|find)$|search/i;
/** More fields than a search has, and a form is one that happens to have a field of this name. */
const SEARCH_FIELDS = 3;

interface Known {
  readonly kind: FunctionKind;
  readonly name: string;
  readonly action_type: string;
  readonly fields: readonly string[];
  screens: number;
  last: string;
  readonly screen_ids: string[];
}

export class SiteFunctions {
  readonly #known = new Map<string, Known>();
  #screens = 0;

  /** Screens that offer anything. */
  get screens(): number {
    return this.#screens;
  }

  /** All that one screen offers. */
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
      const kind = formKind(names, own);
      const labels = own.map(({ label }) => label);
      // The same form on every page is one function, whatever page its address names.
      const key = `form\n${attributes.method ?? ""}\n${names.join("\n")}\n${kind === "form" ? (attributes.action ?? "") : ""}`;
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

  /** By kind, in each the most widespread first. */
  list(): readonly SiteFunction[] {
    const rank = (kind: FunctionKind) => functionKinds.indexOf(kind);
    return [...this.#known.values()]
      .sort((a, b) => rank(a.kind) - rank(b.kind) || b.screens - a.screens || (a.name < b.name ? -1 : 1))
      .map(({ kind, name, action_type, fields, screens, screen_ids }) => ({
        kind,
        name,
        action_type,
        tool_name: toolName(action_type),
        fields,
        screens,
        screen_ids,
      }));
  }

  #count(key: string, screenId: string, made: Pick<Known, "kind" | "name" | "action_type" | "fields">): void {
    const known = this.#known.get(key) ?? { ...made, screens: 0, last: "", screen_ids: [] };
    this.#known.set(key, known);
    // A screen that offers it twice counts once.
    if (known.last === screenId) return;
    known.last = screenId;
    known.screens += 1;
    if (known.screen_ids.length < NAMED_SCREENS) known.screen_ids.push(screenId);
  }
}

interface Field {
  /** What a person calls it. */
  readonly label: string;
  readonly type: string;
  readonly role: string;
  /** Of its actions: a page may have the same field in several forms. */
  readonly ids: string[];
}

/** A screen's fields by their `name`, as forms list them, else by what they are called. */
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

function formKind(names: readonly string[], fields: readonly Field[]): FunctionKind {
  if (fields.some(({ type }) => type === "password")) return "sign_in";
  if (fields.some(({ type, role }) => type === "file" || role === "file")) return "upload";
  const asks = fields.some(({ type, role }) => type === "search" || role === "searchbox");
  const named = names.some((name) => SEARCH_NAME.test(name)) && names.length <= SEARCH_FIELDS;
  return asks || named ? "search" : "form";
}

function formName(kind: FunctionKind, labels: readonly string[], form: ActionRecord): string {
  if (labels.length === 0) return form.name;
  const some = labels.slice(0, NAMED_FIELDS).join(", ");
  return `${kindTitles[kind]}: ${some}${labels.length > NAMED_FIELDS ? ", …" : ""}`;
}

/** What a control without a name is told apart by: what its site calls it, else where it is. */
function unsaid(control: Control | undefined): string {
  if (!control) return "";
  const { name, id } = control.attributes;
  return `${control.role} ${name ?? id ?? control.selector}`.trim();
}

function controlKind(actionType: string): FunctionKind {
  switch (toolName(actionType)) {
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
