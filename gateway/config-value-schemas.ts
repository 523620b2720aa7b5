/** Schemas for values of environment variables, which are texts: lists, addresses, names, yes and no. */
import { z } from "zod";
import { ALL_PRIVATE, rangeProblem } from "../machines/egress/egress-policy.ts";
import { roles } from "../machines/runtime/cluster-node-roles.ts";
import { LOCAL } from "./security/api-key-scopes.ts";
import { MAIN_KEY_NAME, type NamedKey, readKey } from "./security/api-keys.ts";
import { toolSetNames } from "./tools/tool-sets.ts";

/**
 * Parses a list such as `"a, b"` into `["a", "b"]`. Line breaks separate entries too, because a list may come
 * from a file.
 */
const list = z.string().transform((text) =>
  text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Returns the schema of a whole number within two limits. Its error always names both limits. */
export function wholeNumber(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

/** Returns the schema of a value that must be one of the given words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(", ")}` });

/** Returns the schema of a URL that must have one of the given schemes, such as `https`. */
export function urlWith(...schemes: readonly string[]) {
  const begin = schemes.map((scheme) => `${scheme}://`).join(" or ");
  return z.url({
    protocol: new RegExp(`^(?:${schemes.join("|")})$`),
    error: `a URL that begins with ${begin}`,
  });
}

export const origins = list.pipe(
  z.array(
    z.string().refine((item) => URL.canParse(item) && new URL(item).origin === item, {
      error: (issue) => `"${String(issue.input)}" is not an origin such as https://app.example.com`,
    }),
  ),
);

/** The URL of a SurrealDB server. User and password are separate settings, because URLs are printed. */
export const serverUrl = z
  .string()
  .regex(/^(ws|wss|http|https):\/\/[^/?#]+/i, {
    error: "a ws://, wss://, http:// or https:// URL",
    abort: true,
  })
  .refine((url) => URL.canParse(url) && !new URL(url).username && !new URL(url).password, {
    error: "give the user and the password as SURREAL_USER and SURREAL_PASS",
  });

export const natsUrls = z
  .string()
  .regex(
    /^(nats|tls):\/\/[^/?#,\s]+(\s*,\s*(nats|tls):\/\/[^/?#,\s]+)*$/i,
    "nats:// or tls:// URLs, comma-separated",
  )
  .refine((urls) => !urls.includes("@"), {
    error: "give the user and the password as NATS_USER and NATS_PASS",
  });

export const roleNames = list.pipe(
  z
    .array(z.enum(roles, { error: (issue) => `"${String(issue.input)}" is none of ${roles.join(", ")}` }))
    .min(1, "at least one role"),
);

export const chosenTools = list.pipe(
  z
    .array(
      z.enum(toolSetNames, {
        error: (issue) => `"${String(issue.input)}" is none of ${toolSetNames.join(", ")}`,
      }),
    )
    .min(1, "at least one"),
);

export const databaseName = z.string().regex(/^[A-Za-z0-9_-]+$/, "letters, digits, _ and -");

export const hostNames = list.pipe(
  z.array(
    z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d+)?$/, {
      error: (issue) =>
        `"${String(issue.input)}" is not a host such as cairn.example.com or cairn.example.com:8000`,
    }),
  ),
);

/**
 * Parses a list of API keys, whose entries have the form `name:scope:key`. No error message contains a key.
 */
export const namedKeys = list.transform((items, context): readonly NamedKey[] => {
  const keys: NamedKey[] = [];
  const wrong = (message: string) => context.addIssue({ code: "custom", message });
  for (const read of items.map(readKey)) {
    if (typeof read === "string") wrong(read);
    else if (read.name === MAIN_KEY_NAME || read.name === LOCAL.name)
      wrong(`the name "${read.name}" is taken`);
    else if (keys.some(({ name }) => name === read.name)) wrong(`"${read.name}" is there twice`);
    else if (keys.some(({ key }) => key === read.key)) wrong(`"${read.name}" has the key of another`);
    else keys.push(read);
  }
  return keys;
});

/** Which private addresses may be opened: `no`, `yes`, or a list of address ranges. */
export const addressRanges = z.string().transform((text, context): readonly string[] => {
  if (/^(no|false|0)$/i.test(text)) return [];
  if (/^(yes|true|1)$/i.test(text)) return ALL_PRIVATE;
  const ranges = list.parse(text);
  for (const message of ranges.map(rangeProblem)) {
    if (message !== undefined)
      context.addIssue({ code: "custom", message: `${message}; give no, yes, or ranges` });
  }
  return ranges;
});

export const yesNo = z
  .string()
  .regex(/^(no|false|0|yes|true|1)$/i, "yes or no")
  .transform((text) => /^(yes|true|1)$/i.test(text));
