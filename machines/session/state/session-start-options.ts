/** The start options of a session except the viewport: identity, locale, device and credentials. */
import { z } from "zod";
import { environmentLimits } from "../session-limits.ts";
import { databaseSchema } from "./indexeddb-schema.ts";
import { loginSchema, secretNameSchema } from "./login-recipe.ts";

const environment = environmentLimits;

const hostSchema = z
  .string()
  .regex(/^(\*\.)?[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/, "a host such as example.com")
  .describe("Host, with or without a port; *.example.com for all under it");

export { hostSchema };

const cookieSchema = z.object({
  name: z.string().min(1),
  value: z.string(),
  domain: z.string().optional(),
  path: z.string().optional(),
  url: z.string().optional(),
  expires: z.number().optional().describe("Seconds since the epoch; -1: ends with the session"),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
  sameSite: z.enum(["Strict", "Lax", "None"]).optional(),
});

export const storageStateSchema = z.object({
  cookies: z.array(cookieSchema).max(environment.cookies).default([]),
  origins: z
    .array(
      z.object({
        origin: z.url({ protocol: /^https?$/ }),
        localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
        indexedDB: z.array(databaseSchema).max(environment.databases).optional(),
      }),
    )
    .max(environment.origins)
    .default([]),
});
export type StorageState = z.output<typeof storageStateSchema>;

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "a header's name");
const headerValue = z.union([
  z
    .string()
    .max(environment.headerLength)
    .regex(/^[\t\x20-\x7e\x80-\uffff]*$/, "no line breaks"),
  z.object({ secret: secretNameSchema }).strict(),
]);
const headerSet = z
  .record(headerName, headerValue)
  .refine((headers) => Object.keys(headers).length <= environment.headers, {
    message: `at most ${environment.headers} headers`,
  });

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

export const environmentShape = {
  storage_state: storageStateSchema
    .optional()
    .describe(
      "Cookies, localStorage and IndexedDB to begin with, in the form of get_storage_state (and of Playwright)",
    ),
  login: loginSchema
    .optional()
    .describe("Signs in before initial_url is opened; again with the action login"),
  http_auth: z
    .object({
      username: z.string().max(1_000),
      password: z.string().max(1_000).optional(),
      secret: secretNameSchema.optional(),
      host: hostSchema.optional(),
    })
    .strict()
    .refine(({ password, secret }) => (password === undefined) !== (secret === undefined), {
      message: "a password or the name of a secret is needed",
    })
    .optional()
    .describe(
      "For servers that ask for a password themselves; only at host, by default that of the first address",
    ),
  headers: z
    .union([headerSet, z.array(z.object({ host: hostSchema, headers: headerSet }).strict()).max(20)])
    .optional()
    .describe("Sent with every request to headers_host only, or by host as [{ host, headers }]"),
  headers_host: hostSchema.optional().describe("By default that of the first address"),
  proxy: z
    .object({
      server: z
        .string()
        .regex(/^(http:\/\/)?(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}\/?$/, "http://host:port"),
      username: z.string().max(1_000).optional(),
      password: z.string().max(1_000).optional(),
      secret: secretNameSchema.optional(),
    })
    .strict()
    .optional()
    .describe("Behind Cairn's own way out, whose rules hold all the same"),
  user_agent: z
    .string()
    .min(1)
    .max(1_000)
    .regex(/^[\x20-\x7e]+$/, "printable ASCII")
    .optional(),
  locale: z.string().refine(isLocale, "a language tag such as de-AT").optional(),
  timezone: z.string().refine(isTimezone, "an IANA time zone such as Europe/Vienna").optional(),
  geolocation: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      accuracy: z.number().min(0).default(10).describe("Metres"),
    })
    .strict()
    .optional()
    .describe("Pages may ask for it and are told this"),
  device: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "Name of a device of Playwright's list, such as iPhone 15 or Pixel 7; its viewport takes the place",
    ),
  device_scale_factor: z.number().min(0.1).max(10).optional(),
  is_mobile: z.boolean().optional(),
  has_touch: z.boolean().optional(),
  color_scheme: z.enum(["light", "dark", "no-preference"]).optional(),
  reduced_motion: z.enum(["reduce", "no-preference"]).optional(),
};
const environmentSchema = z.object(environmentShape);
export type Environment = z.output<typeof environmentSchema>;
export type EnvironmentName = keyof Environment;
// The cast is safe: `environmentShape` is an object literal, so `Object.keys` returns exactly its keys.
export const environmentNames = Object.keys(environmentShape) as readonly EnvironmentName[];

/** The start options with their secrets inserted. Each credential is restricted to one host. */
export interface BrowserEnvironment
  extends Omit<Environment, "storage_state" | "login" | "http_auth" | "headers" | "headers_host" | "proxy"> {
  readonly credentials: readonly {
    readonly hosts: readonly string[];
    readonly username: string;
    readonly password: string;
  }[];
  readonly headers: readonly {
    readonly hosts: readonly string[];
    readonly headers: Readonly<Record<string, string>>;
  }[];
}
