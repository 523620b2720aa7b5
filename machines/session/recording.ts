/**
 * Acts as they are recorded, to be done again: what was acted on by how it is known again, what was typed unless it may
 * be a secret. Pure.
 *
 * Neighbours: `binding.ts` finds the elements again, `events.ts` masks the same parameters, `actors/session/replaying.ts`
 * does recordings again.
 */
import type { Action } from "./actions.ts";
import type { HighlightedElement } from "./analysis.ts";
import type { Fingerprint } from "./binding.ts";
import { nameOf } from "./line.ts";
import type { ActOutcome } from "./outcome.ts";

export interface RecordedStep {
  readonly action: string;
  /** Without indices, and without what may be a secret. */
  readonly params: Readonly<Record<string, unknown>>;
  /** By the path of the index that stood there, such as `index` or `fields.0.index`. */
  readonly targets: Readonly<Record<string, Fingerprint>>;
  /** What was not recorded, by its path: a replay has to be given it. */
  readonly needs: readonly string[];
  /** Of the page it was done on. */
  readonly url: string;
  readonly effect?: string | undefined;
}

/** Acts that only tell, and those that are made of what may be secret. */
const READS: ReadonlySet<string> = new Set(["dropdown_options", "extract", "evaluate", "login"]);
/** Typed into something: a secret when that is for one. */
const TYPED: Readonly<Record<string, string>> = {
  input: "text",
  type_slowly: "text",
  paste: "text",
  fill_form: "value",
};
/** Of these nobody can tell. */
const UNKNOWN: Readonly<Record<string, string>> = { handle_dialog: "text", upload_file: "content" };

type Values = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every value of a parameter, with its path. */
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

/** The indices that an action names, by their paths. */
export function indicesOf(params: Values): readonly (readonly [path: string, index: number])[] {
  return [...leaves(params)].flatMap(([path, value]) =>
    isIndex(path) && typeof value === "number" ? [[path.join("."), value] as const] : [],
  );
}

export function isSecretField({
  type,
  attributes: { autocomplete = "", name = "", id = "" },
}: Fingerprint): boolean {
  return (
    type === "password" ||
    /passw|passphrase|\bpwd\b|one-time-code|cc-(number|csc)/i.test(`${autocomplete} ${name} ${id}`)
  );
}

/** With values at paths; `undefined` takes one away. */
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

/** Names that changes add to a record. */
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
 * `undefined` for one that is not recorded: what failed, and what only tells.
 * @param targets by path, as `indicesOf` gives it
 * @param labelled the field that a label means
 */
export function recordedStep(
  { name, params }: Action,
  { success, data }: ActOutcome,
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
    // A list of options is no secret, the place of a file's content may be any.
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
      // What was typed into a field that is not for secrets is told in what came of it.
      const shown = name === "fill_form" || name === "paste" || typeof data.value === "string";
      if (field && !isSecretField(field) && shown) continue;
    }
    changes.set(key, undefined);
    needs.push(key);
  }
  const { effect } = data;
  return {
    action: name,
    params: changed(params, changes) as Values, // A record stays one.
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

/** The parameters of a step with the indices of now, and with what was not recorded. */
export function replayedParams(
  { params }: { readonly params: Values },
  indices: Readonly<Record<string, number>>,
  values: Readonly<Record<string, unknown>>,
): Values {
  return changed(
    params,
    new Map<string, unknown>([...Object.entries(indices), ...Object.entries(values)]),
  ) as Values; // As above.
}

/** The element that a label means, among those of an analysis. */
export function byLabel(
  elements: readonly HighlightedElement[],
  label: string,
): HighlightedElement | undefined {
  const wanted = label.trim().toLowerCase();
  const found = elements.filter((element) => nameOf(element).trim().toLowerCase() === wanted);
  return found.length === 1 ? found[0] : undefined;
}
