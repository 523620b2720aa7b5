/**
 * Converts the IndexedDB databases of pages to the form of Playwright's storage state and back. Values that
 * JSON supports are written unchanged. Others are encoded with a letter for their kind, as in Playwright's
 * `utilityScriptSerializers.ts`, with one more letter for `Blob`.
 */
import type { TransferredDatabase } from "./indexeddb-schema.ts";
import type { SavedDatabase, SavedStore, Written } from "./saved-session.ts";

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

export function transferred({ name, version, stores }: SavedDatabase): TransferredDatabase {
  return {
    name,
    version,
    stores: stores.map(({ name, keyPath, autoIncrement, indexes, records }) => ({
      name,
      ...pathOut(keyPath),
      autoIncrement,
      indexes: indexes.map(({ keyPath, ...index }) => ({ ...index, ...pathOut(keyPath) })),
      records: records.map(([key, value]) => ({
        // In an object store with a key path, the key is a field of the value. So the key is written
        // separately only for stores without a key path.
        ...(keyPath === null ? outAs("key", key) : {}),
        ...outAs("value", value),
      })),
    })),
  };
}

export function taken({ name, version, stores }: TransferredDatabase): SavedDatabase {
  return {
    name,
    version,
    stores: stores.map((store): SavedStore => {
      const { name, autoIncrement, indexes, records } = store;
      return {
        name,
        keyPath: pathIn(store),
        autoIncrement,
        indexes: indexes.map((index) => ({
          name: index.name,
          unique: index.unique,
          multiEntry: index.multiEntry,
          keyPath: pathIn(index) ?? "",
        })),
        records: records.map(({ key, keyEncoded, value, valueEncoded }) => [
          keyEncoded === undefined ? encode(key) : decoded(keyEncoded),
          valueEncoded === undefined ? encode(value) : decoded(valueEncoded),
        ]),
      };
    }),
  };
}

function pathOut(path: string | readonly string[] | null): {
  keyPath?: string;
  keyPathArray?: string[];
} {
  if (path === null) return {};
  return typeof path === "string" ? { keyPath: path } : { keyPathArray: [...path] };
}

function pathIn(of: {
  readonly keyPath?: string | undefined;
  readonly keyPathArray?: readonly string[] | undefined;
}): string | readonly string[] | null {
  return of.keyPathArray ?? of.keyPath ?? null;
}

function outAs(what: "key" | "value", written: unknown): Readonly<Record<string, unknown>> {
  const plain = plainOf(written);
  return plain === undefined ? { [`${what}Encoded`]: letters(written) } : { [what]: plain };
}

/** Returns the value if JSON can express it, otherwise `undefined`. */
function plainOf(written: unknown): Plain | undefined {
  // The cast is safe: a value that was parsed from JSON and is not an object is a plain value.
  if (typeof written !== "object" || written === null) return written as Plain;
  const { $: kind, is } = written as Written;
  if (kind === "array") {
    const items = (is as readonly unknown[]).map(plainOf);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (kind !== "object") return undefined;
  const entries = (is as readonly (readonly [string, unknown])[]).map(
    ([key, value]) => [key, plainOf(value)] as const,
  );
  if (entries.some(([key, value]) => value === undefined || key === "__proto__")) return undefined;
  // No value is undefined after the check above, so the cast is safe.
  return Object.fromEntries(entries) as Plain;
}

/** Converts a plain value to its stored form, in which `$` names the kind of a value. */
function encode(plain: unknown): unknown {
  if (Array.isArray(plain)) return { $: "array", is: plain.map(encode) };
  if (typeof plain !== "object" || plain === null) return plain === undefined ? { $: "undefined" } : plain;
  return { $: "object", is: Object.entries(plain).map(([key, value]) => [key, encode(value)]) };
}

const VIEWS: Readonly<Record<string, string>> = {
  i8: "Int8Array",
  ui8: "Uint8Array",
  ui8c: "Uint8ClampedArray",
  i16: "Int16Array",
  ui16: "Uint16Array",
  i32: "Int32Array",
  ui32: "Uint32Array",
  f32: "Float32Array",
  f64: "Float64Array",
  bi64: "BigInt64Array",
  bui64: "BigUint64Array",
};
const LETTERS = new Map(Object.entries(VIEWS).map(([letters, name]) => [name, letters]));

/**
 * Encodes all values as Playwright does, with a letter for their kind, such as `v` for a special number or
 * `undefined`.
 */
function letters(root: unknown): unknown {
  /**
   * The objects that were encoded so far. An object that occurs again is written as a reference to its number
   * `id`. Simple values such as dates have no number and are written again.
   */
  const seen: { readonly written: Written; readonly id: number | undefined }[] = [];
  let lastId = 0;
  const go = (value: unknown): unknown => {
    if (value === null) return { v: "null" };
    if (typeof value !== "object") return value;
    const written = value as Written;
    const { $: kind, is } = written;
    const items = is as readonly unknown[];
    const meet = (again: boolean): number => {
      const id = again ? ++lastId : 0;
      seen.push({ written, id: again ? id : undefined });
      return id;
    };
    switch (kind) {
      case "number":
        return { v: String(is) };
      case "undefined":
        return { v: "undefined" };
      case "bigint":
        return { bi: String(is) };
      case "same": {
        const known = seen[Number(is)];
        if (known?.id !== undefined) return { ref: known.id };
        return known ? simple(known.written) : { v: "undefined" };
      }
      case "array": {
        const id = meet(true);
        return { a: items.map(go), id };
      }
      case "set": {
        const id = meet(true);
        return { s: items.map(go), id };
      }
      case "map": {
        const id = meet(true);
        const m = items.map((item) => {
          // The cast is safe: an entry is a list of two.
          const [k, v] = (item as Written).is as readonly [unknown, unknown];
          seen.push({ written: item as Written, id: undefined });
          return { k: go(k), v: go(v) };
        });
        return { m, id };
      }
      case "object": {
        const id = meet(true);
        const o = (is as readonly (readonly [string, unknown])[]).map(([k, v]) => ({ k, v: go(v) }));
        return { o, id };
      }
      default:
        meet(false);
        return simple(written);
    }
  };
  return go(root);
}

/**
 * Converts a value that contains no other values, such as a date, to the form of Playwright's storage state.
 */
function simple({ $: kind, is, of = "", type = "", name, at }: Written): unknown {
  switch (kind) {
    case "date":
      return { d: typeof is === "number" ? new Date(is).toJSON() : null };
    case "regexp": {
      const [p, f] = is as readonly [string, string];
      return { r: { p, f } };
    }
    case "buffer":
      return { ab: { b: is } };
    case "view":
      return { ta: { b: is, k: LETTERS.get(of) ?? "ui8" } };
    case "error":
      return { e: { n: of, m: is, s: "" } };
    default:
      return { blob: { b: is, t: type, ...(name === undefined ? {} : { n: name, l: at ?? 0 }) } };
  }
}

/** Decodes values that Playwright has encoded with a letter for their kind. */
function decoded(root: unknown): unknown {
  const numbers = new Map<unknown, number>();
  let met = 0;
  const go = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const fields = value as Readonly<Record<string, unknown>>;
    const list = (of: unknown): readonly unknown[] => (Array.isArray(of) ? of : []);
    const pairs = (of: unknown): readonly { readonly k: unknown; readonly v: unknown }[] =>
      list(of).filter((one): one is { k: unknown; v: unknown } => typeof one === "object" && one !== null);
    const meet = (): void => {
      if (typeof fields.id === "number") numbers.set(fields.id, met);
      met++;
    };
    if ("ref" in fields) return { $: "same", is: numbers.get(fields.ref) ?? 0 };
    if ("v" in fields) {
      if (fields.v === "null") return null;
      return fields.v === "undefined" ? { $: "undefined" } : { $: "number", is: String(fields.v) };
    }
    if ("bi" in fields) return { $: "bigint", is: String(fields.bi) };
    if ("u" in fields) return String(fields.u);
    meet();
    if ("a" in fields) return { $: "array", is: list(fields.a).map(go) };
    if ("s" in fields) return { $: "set", is: list(fields.s).map(go) };
    if ("o" in fields) return { $: "object", is: pairs(fields.o).map(({ k, v }) => [String(k), go(v)]) };
    if ("m" in fields) {
      const is = pairs(fields.m).map(({ k, v }) => {
        met++;
        return { $: "array", is: [go(k), go(v)] };
      });
      return { $: "map", is };
    }
    // All other values are objects with one field, whose name is a letter for the kind of value, such as `d`
    // for a date. A missing content counts as empty.
    const inner = Object.values(fields)[0] as Readonly<Record<string, unknown>> | string | null;
    const held = typeof inner === "object" && inner !== null ? inner : {};
    const text = (letter: string): string => String(held[letter] ?? "");
    if ("d" in fields) return { $: "date", is: Date.parse(String(inner)) };
    if ("r" in fields) return { $: "regexp", is: [text("p"), text("f")] };
    if ("e" in fields) return { $: "error", of: text("n"), is: text("m") };
    if ("ab" in fields) return { $: "buffer", is: text("b") };
    if ("ta" in fields) return { $: "view", of: VIEWS[text("k")] ?? "Uint8Array", is: text("b") };
    const file = "n" in held ? { name: text("n"), at: Number(held.l) } : {};
    return { $: "blob", type: text("t"), ...file, is: text("b") };
  };
  return go(root);
}
