/**
 * Converts actions to recorded steps and back. An element becomes a fingerprint (a description by which it is found
 * again), and typed text is kept only if it cannot be secret.
 */

import { isRecord } from "../../is-plain-object.ts";
import type { Fingerprint } from "../controls/element-of-fingerprint.ts";
import { nameOf } from "../page/element-line.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";
import type { ActionOutcome } from "./action-outcome.ts";
import type { Action } from "./browser-action-parameters.ts";

export interface RecordedStep {
  readonly action: string;
  /** The action's parameters without element indices and without values that may be secret. */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * Fingerprints of the step's elements. The key is the path of the index in the parameters that the
   * fingerprint replaces, such as `fields.0.index`.
   */
  readonly targets: Readonly<Record<string, Fingerprint>>;
  /** Paths of values that were not recorded and that a replay must receive. */
  readonly needs: readonly string[];
  /** URL of the page on which the step was recorded. */
  readonly url: string;
  readonly effect?: string | undefined;
}

/** Actions that are not recorded: those that only read, and those whose parameters may be secret. */
const READS: ReadonlySet<string> = new Set(["dropdown_options", "extract", "evaluate", "login"]);
/**
 * For each action that types a text: the parameter with this text. If the field is for secrets, such as a
 * password field, the text is a secret.
 */
const TYPED: Readonly<Record<string, string>> = {
  input: "text",
  type_slowly: "text",
  paste: "text",
  fill_form: "value",
};
/** For each action: the name of a parameter that may contain anything, so it is always treated as secret. */
const UNKNOWN: Readonly<Record<string, string>> = { handle_dialog: "text", upload_file: "content" };

type Values = Readonly<Record<string, unknown>>;

/** Yields every value in the parameters, together with its path (the keys that lead to the value). */
function* leaves(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], unknown]> {
  if (Array.isArray(value))
    for (const [at, one] of value.entries()) yield* leaves(one, [...path, String(at)]);
  else if (isRecord(value))
    for (const [name, one] of Object.entries(value)) yield* leaves(one, [...path, name]);
  else yield [path, value];
}

const isIndex = (path: readonly string[]): boolean => /^(to_)?index$/.test(path.at(-1) ?? "");

/** Returns the element indices in the parameters of an action, each with its path. */
export function indicesOf(params: Values): readonly (readonly [path: string, index: number])[] {
  return [...leaves(params)].flatMap(([path, value]) =>
    isIndex(path) && typeof value === "number" ? [[path.join("."), value] as const] : [],
  );
}

function isSecretField({
  type,
  attributes: { autocomplete = "", name = "", id = "" },
}: Fingerprint): boolean {
  return (
    type === "password" ||
    /passw|passphrase|\bpwd\b|one-time-code|cc-(number|csc)/i.test(`${autocomplete} ${name} ${id}`)
  );
}

/**
 * Returns a copy of a value. The values at the given paths are replaced; a replacement by `undefined` removes
 * the path.
 */
function changed(
  value: unknown,
  changes: ReadonlyMap<string, unknown>,
  path: readonly string[] = [],
): unknown {
  const at = path.join(".");
  if (changes.has(at)) return changes.get(at);
  if (Array.isArray(value)) return value.map((one, index) => changed(one, changes, [...path, String(index)]));
  if (!isRecord(value)) return value;
  const fields = [...Object.entries(value), ...missing(value, changes, path)].map(
    ([name, one]) => [name, changed(one, changes, [...path, name])] as const,
  );
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}

/** Returns the fields that `changes` will add to the object at `path`, each with the value `undefined`. */
function missing(
  value: Values,
  changes: ReadonlyMap<string, unknown>,
  path: readonly string[],
): [string, unknown][] {
  const prefix = path.length === 0 ? "" : `${path.join(".")}.`;
  return [...changes.keys()].flatMap((key): [string, unknown][] => {
    const name = key.startsWith(prefix) ? key.slice(prefix.length) : "";
    return name !== "" && !name.includes(".") && !(name in value) ? [[name, undefined]] : [];
  });
}

/**
 * Converts an action to a step. Actions that failed or only read are not recorded; for them, the result is
 * `undefined`.
 *
 * @param targets elements by path, as `indicesOf` returns them
 * @param labelled returns the field to which a label belongs
 */
export function recordedStep(
  { name, params }: Action,
  { success, data }: ActionOutcome,
  page: { readonly url: string; readonly targets: Readonly<Record<string, Fingerprint>> },
  labelled: (label: string) => Fingerprint | undefined,
): RecordedStep | undefined {
  if (!success || READS.has(name)) return undefined;
  const { url, targets } = page;
  const changes = new Map<string, unknown>(Object.keys(targets).map((path) => [path, undefined]));
  const needs: string[] = [];
  const typed = TYPED[name];
  const unknown = UNKNOWN[name];
  for (const [path, value] of leaves(params)) {
    const [last, key] = [path.at(-1), path.join(".")];
    const parent = path.slice(0, -1);
    // A value may be secret only if it is typed text, the content of a file, or typed keys. All other values
    // are recorded.
    const into = typed !== undefined && last === typed;
    const letters =
      name === "send_keys" &&
      last === "keys" &&
      String(value)
        .split(" ")
        .some((one) => one.length === 1);
    if (!into && last !== unknown && !letters) continue;
    if (into) {
      const target = targets[[...parent, "index"].join(".")];
      const label = valueAt(params, [...parent, "label"]);
      const field = target ?? (typeof label === "string" ? labelled(label) : undefined);
      // Text that was typed into an ordinary field is recorded, because the outcome of the action contains it
      // anyway.
      const shown = name === "fill_form" || name === "paste" || typeof data.value === "string";
      if (field && !isSecretField(field) && shown) continue;
    }
    changes.set(key, undefined);
    needs.push(key);
  }
  const { effect } = data;
  return {
    action: name,
    // The cast is safe: changing values keeps the structure of the object.
    params: changed(params, changes) as Values,
    targets,
    needs,
    url,
    ...(typeof effect === "string" ? { effect } : {}),
  };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (isRecord(at) || Array.isArray(at) ? (at as Values)[name] : undefined),
    value,
  );
}

/**
 * Returns the parameters of a recorded step for a replay. Indices and values in them are replaced by the
 * given ones.
 */
export function replayedParams(
  { params }: { readonly params: Values },
  indices: Readonly<Record<string, number>>,
  values: Readonly<Record<string, unknown>>,
): Values {
  return changed(
    params,
    new Map<string, unknown>([...Object.entries(indices), ...Object.entries(values)]),
  ) as Values; // The cast is safe: changing values keeps the structure of the object.
}

/** Returns the element of a snapshot whose label is the given text. */
export function byLabel(
  elements: readonly HighlightedElement[],
  label: string,
): HighlightedElement | undefined {
  const wanted = label.trim().toLowerCase();
  const found = elements.filter((element) => nameOf(element).trim().toLowerCase() === wanted);
  return found.length === 1 ? found[0] : undefined;
}
