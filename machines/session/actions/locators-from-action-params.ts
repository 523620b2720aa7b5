/**
 * Reads locators from the parameters of an action. Wherever an action accepts `index`, it also accepts
 * `fingerprint`, `selector` (with `frame`), `role`, `name`, `label` or `text`.
 */

import { z } from "zod";
import { isRecord } from "../../is-plain-object.ts";
import type { ElementDescription, Locator, Locators } from "../controls/find-element-by-locator.ts";

const text = z.string().min(1).max(2_000);

/** Fields of a fingerprint that are not among the element's HTML attributes. */
const DESCRIPTION = ["role", "name", "tag", "attributes", "alone", "caption"] as const;

/** The fingerprint of an element from a recording, or the description that a map returned. */
const fingerprintSchema = z
  .looseObject({ role: z.string().optional(), name: z.string().optional() })
  .describe("As an answer of a map or a recording has it");

export const locatorSchema = z.strictObject({
  fingerprint: fingerprintSchema.optional(),
  selector: text.optional().describe("CSS that means one element; ` >>> ` leads into a shadow root"),
  xpath: text.optional().describe("Accepted beside a selector; not read"),
  frame: z.array(text).optional().describe("Selectors of the frames that lead to it"),
  role: text.optional(),
  name: text.optional().describe("Accessible name, with or without the role"),
  label: text.optional().describe("The label of a field"),
  text: text.optional().describe("The whole text of the element"),
});

// The cast is safe: these are the keys of an object literal.
export const locatorKeys = Object.keys(locatorSchema.shape) as readonly (keyof typeof locatorSchema.shape)[];

/**
 * Keys of a locator that can identify an element alone. The other keys only reduce the number of matching
 * elements.
 */
const NAMING = new Set<string>(["fingerprint", "selector", "role", "name", "label", "text"]);

type Params = Readonly<Record<string, unknown>>;

export interface SplitParams {
  /**
   * The parameters of an action without its locators (descriptions of elements). An index for which the caller gave a
   * locator is 0.
   */
  readonly params: Params;
  readonly locators: Locators;
  /** Invalid locators (descriptions of elements). `path` is the place of the locator in the parameters. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Separates the locators from the other parameters of an action.
 *
 * @param own the parameters that the action itself defines, by name. Such a name is never part of a locator:
 * `text` of the action `input` is the text to type.
 */
export function splitLocators(params: Params, own: Params): SplitParams {
  const locators: Record<string, Locator> = {};
  const issues: { path: string; message: string }[] = [];
  const parse = (
    values: Params,
    keys: readonly string[],
    at: { readonly path: string; readonly index: string },
  ): boolean => {
    const parsed = locatorSchema.safeParse(Object.fromEntries(keys.map((key) => [key, values[key]])));
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues)
        issues.push({ path: [at.path, ...path].filter((part) => part !== "").join("."), message });
      return false;
    }
    const { xpath: _, fingerprint, ...rest } = parsed.data;
    locators[at.index] = { ...rest, ...(fingerprint ? { fingerprint: descriptionOf(fingerprint) } : {}) };
    return true;
  };
  const take = (values: Params, known: Params, path: string): Params => {
    if (!("index" in known) || given(values.index)) return values;
    const keys = locatorKeys.filter((key) => !Object.hasOwn(known, key) && given(values[key]));
    if (!keys.some((key) => NAMING.has(key))) return values;
    if (!parse(values, keys, { path, index: path === "" ? "index" : `${path}.index` })) return values;
    const others = Object.entries(values).filter(([key]) => !keys.some((one) => one === key));
    return { ...Object.fromEntries(others), index: 0 };
  };
  /**
   * If the action has a parameter `to_index`, the caller may give a locator in the parameter `to` instead of
   * this index.
   */
  const takeGoal = (values: Params): Params => {
    const { to, ...others } = values;
    if (!("to_index" in own) || !isRecord(to) || given(values.to_index)) return values;
    return parse(to, Object.keys(to), { path: "to", index: "to_index" })
      ? { ...others, to_index: 0 }
      : values;
  };
  const top = takeGoal(take(params, own, ""));
  const { fields } = top;
  const split =
    Array.isArray(fields) && "fields" in own
      ? {
          ...top,
          fields: fields.map((field: unknown, at) =>
            isRecord(field)
              ? take(withValue(field), { index: 0, label: "", value: "" }, `fields.${at}`)
              : field,
          ),
        }
      : top;
  return { params: split, locators, issues };
}

/**
 * Callers often write the value of a form field as `text`, as for the action `input`. If another parameter
 * names the field and there is no `value`, returns the field with this text as its `value`.
 */
function withValue(field: Params): Params {
  const { text, ...others } = field;
  const isNamed = [...NAMING, "index"].some((key) => given(others[key]));
  return isNamed && given(text) && !Object.hasOwn(others, "value") ? { ...others, value: text } : field;
}

/**
 * Returns the description of an element in a fingerprint, with all attributes in one object. In maps of older
 * versions, the attributes are fields of the fingerprint itself.
 */
function descriptionOf(fingerprint: Params): ElementDescription {
  if (isRecord(fingerprint.attributes)) return fingerprint;
  const attributes = Object.entries(fingerprint).filter(
    ([key, value]) => !DESCRIPTION.some((one) => one === key) && typeof value === "string",
  );
  const known = Object.entries(fingerprint).filter(([key]) => DESCRIPTION.some((one) => one === key));
  return {
    ...Object.fromEntries(known),
    attributes: Object.fromEntries(attributes) as Record<string, string>,
  }; // The cast is safe: the filter keeps only strings.
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
