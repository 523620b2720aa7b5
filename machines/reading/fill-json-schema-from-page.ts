/**
 * Fills a requested JSON schema from a page without a model. Values come from labelled values, tables and
 * JSON-LD of the page. It returns an answer only if every required field has a value.
 */
import { isRecord } from "../is-plain-object.ts";

type Json = Readonly<Record<string, unknown>>;

export interface PageFacts {
  readonly labelled: readonly { readonly label: string; readonly value: string }[];
  readonly tables: readonly {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
  /** The JSON-LD objects of the page. */
  readonly objects: readonly Json[];
}

/**
 * Fills the schema with values from the page's structure. Returns `undefined` when the structure does not
 * contain them.
 */
export function answerFromStructure(schema: Json, facts: PageFacts): unknown {
  if (schema.type === "array") return rowsFor(schema, facts);
  return fieldsFor(schema, facts);
}

/**
 * Returns the value whose label contains all words of a question; `undefined` if there is none or several.
 */
export function answerInWords(query: string, { labelled }: PageFacts): Json | undefined {
  const wanted = wordsOf(query).filter((word) => !COMMON.has(word));
  if (wanted.length === 0) return undefined;
  const found = labelled.filter(({ label }) => {
    const words = wordsOf(label);
    return wanted.every((word) => words.includes(word));
  });
  const values = new Set(found.map(({ value }) => value));
  const [first] = found;
  return first && values.size === 1 ? { [first.label]: first.value } : undefined;
}

/** Words of questions that never name a field, such as "what" and "the". */
const COMMON: ReadonlySet<string> = new Set(
  "the a an of is are what which this page get find show me its".split(" "),
);

function fieldsFor(schema: Json, facts: PageFacts): Json | undefined {
  const properties = recordOf(schema.properties);
  if (!properties) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : Object.keys(properties);
  const found: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    const value = fieldValue(name, recordOf(field) ?? {}, facts);
    if (value !== undefined) found[name] = value;
    else if (required.includes(name)) return undefined;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

function fieldValue(name: string, field: Json, facts: PageFacts): unknown {
  if (field.type === "array") return rowsFor(field, facts);
  const called = [name, field.title].filter((one): one is string => typeof one === "string").map(keyOf);
  const labelled = facts.labelled.find(({ label }) => called.includes(keyOf(label)));
  const object = facts.objects.find((one) => Object.keys(one).some((key) => called.includes(keyOf(key))));
  const key = object && Object.keys(object).find((one) => called.includes(keyOf(one)));
  return typed(labelled?.value ?? (object && key ? object[key] : undefined), field);
}

/**
 * Returns the rows of the only table that has a column for each required field; `undefined` if there is none
 * or several.
 */
function rowsFor(schema: Json, { tables }: PageFacts): readonly Json[] | undefined {
  const items = recordOf(schema.items);
  const properties = items && recordOf(items.properties);
  if (!items || !properties) return undefined;
  const required = Array.isArray(items.required) ? items.required : Object.keys(properties);
  const fitting = tables.filter(({ columns }) => {
    const keys = columns.map(keyOf);
    return required.every((name) => keys.includes(keyOf(String(name))));
  });
  const [table] = fitting;
  if (!table || fitting.length > 1) return undefined;
  const keys = table.columns.map(keyOf);
  return table.rows.map((row) =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, field]) => {
        const at = keys.indexOf(keyOf(name));
        const value = at < 0 ? undefined : typed(row[at], recordOf(field) ?? {});
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  );
}

/** Converts a text to the type that the schema requests; `undefined` when the text is not such a value. */
function typed(value: unknown, { type }: Json): unknown {
  if (value === undefined || value === null) return undefined;
  if (type !== "number" && type !== "integer") return type === "string" ? textOf(value) : value;
  if (typeof value === "number") return value;
  const digits = /-?\d[\d,.\s]*/.exec(String(value))?.[0];
  const number = digits === undefined ? Number.NaN : Number(digits.replace(/[,\s]/g, "").replace(/\.$/, ""));
  return Number.isFinite(number) ? number : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/**
 * Reduces a field name to letters and digits, so that `unit_price`, `Unit price` and `unitPrice` are equal.
 */
function keyOf(text: string): string {
  return wordsOf(text.replace(/([a-z])([A-Z])/g, "$1 $2")).join("");
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function recordOf(value: unknown): Json | undefined {
  return isRecord(value) ? value : undefined;
}
