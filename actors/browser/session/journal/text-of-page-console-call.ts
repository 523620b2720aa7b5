/**
 * Converts the arguments of a console call to the text that a person sees in the console. Format specifiers
 * follow the Console standard (§2.2.1).
 */
interface Property {
  readonly name: string;
  readonly type: string;
  readonly value?: string | undefined;
}

/** An argument of a console call, as the DevTools protocol reports it. */
export interface ConsoleArgument {
  readonly type: string;
  readonly subtype?: string | undefined;
  readonly value?: unknown;
  readonly unserializableValue?: string | undefined;
  readonly description?: string | undefined;
  readonly preview?:
    | {
        readonly overflow: boolean;
        readonly properties: readonly Property[];
        readonly subtype?: string | undefined;
      }
    | undefined;
}

export function consoleText(args: readonly ConsoleArgument[]): string {
  const [first, ...rest] = args;
  if (first?.type !== "string") return args.map(textOf).join(" ");
  let used = 0;
  const head = String(first.value).replace(/%[sdifoOc%]/g, (directive) => {
    if (directive === "%%") return "%";
    const next = rest[used];
    if (!next) return directive;
    used++;
    return directive === "%c" ? "" : textOf(next);
  });
  return [head, ...rest.slice(used).map(textOf)].join(" ");
}

function textOf({
  type,
  subtype,
  value,
  unserializableValue,
  description,
  preview,
}: ConsoleArgument): string {
  if (unserializableValue !== undefined) return unserializableValue;
  if (type === "undefined") return "undefined";
  if (type !== "object" || subtype === "null")
    return value === undefined ? (description ?? "") : String(value);
  if (!preview || subtype === "error" || subtype === "node") return description ?? "object";
  const isList = preview.subtype === "array";
  const parts = preview.properties.map((property) => {
    const shown =
      property.type === "string" ? JSON.stringify(property.value ?? "") : (property.value ?? property.type);
    return isList ? shown : `${property.name}: ${shown}`;
  });
  const all = [...parts, ...(preview.overflow ? ["…"] : [])].join(", ");
  return isList ? `[${all}]` : `{${all}}`;
}
