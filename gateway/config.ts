/**
 * All settings of Cairn in one schema, which is read from the environment. Each has a description and a
 * default. `doctor` prints the settings with their sources, and no other file reads the environment.
 */
import { availableParallelism, totalmem } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { Refused } from "../machines/errors.ts";
import { roles } from "../machines/runtime/cluster-node-roles.ts";
import { leaseLimits } from "../machines/runtime/shared-runtime-limits.ts";
import { lifecycleLimits, sessionLimits } from "../machines/session/session-limits.ts";
import { MINUTE, SECOND } from "../machines/time-and-size-units.ts";
import { fileVariable, type Given, givenIn } from "./config-secret-files.ts";
import {
  addressRanges,
  chosenTools,
  databaseName,
  hostNames,
  namedKeys,
  natsUrls,
  oneOf,
  origins,
  roleNames,
  serverUrl,
  urlWith,
  wholeNumber,
  yesNo,
} from "./config-value-schemas.ts";
import { type GivenSecrets, givenSecrets, isSecretVariable } from "./environment-secrets.ts";
import { toolSetNames } from "./tools/tool-sets.ts";
import { version } from "./version.ts";

interface SettingMeta {
  readonly env: string;
  readonly description: string;
  /** Whether the value is masked when it is printed and in every log line. */
  readonly secret?: boolean;
  /** Text that the documentation shows as the default, if the real default differs between machines. */
  readonly defaultText?: string;
}

function setting<T extends z.ZodType>(schema: T, meta: SettingMeta): T {
  return schema.meta({ ...meta });
}

/** Returns how many live sessions a machine with the given cores and memory supports. */
function defaultLiveSessions(cores: number, memory: number): number {
  const { perCore, memoryShare, assumedMemory: reckoned } = lifecycleLimits;
  return Math.max(2, Math.min(cores * perCore, Math.floor((memory * memoryShare) / reckoned)));
}

/**
 * The minimum lifetime of a lease in milliseconds. An owner relies on its lease only for the share `giveUpAt` of the
 * lifetime. This time must be long enough to send an action to a browser (at most `dispatchWithin`). One second is
 * added as reserve.
 */
const SHORTEST_LEASE = sessionLimits.dispatchWithin / leaseLimits.giveUpAt + SECOND;

/** The maximum lifetime of a lease in milliseconds. */
const LONGEST_LEASE = 10 * MINUTE;

export const settingsSchema = z.object({
  dataDir: setting(
    z
      .string()
      .default(".cairn")
      .transform((path) => resolve(path)),
    {
      env: "CAIRN_DATA",
      description: "Folder that holds everything that lasts: the database and its backups.",
      defaultText: ".cairn",
    },
  ),
  surrealUrl: setting(serverUrl.optional(), {
    env: "SURREAL_URL",
    description:
      "SurrealDB server (3 or newer) that stores everything, instead of the database in CAIRN_DATA. For wss:// with a private authority set NODE_EXTRA_CA_CERTS=<file.pem>.",
  }),
  surrealUser: setting(z.string().optional(), {
    env: "SURREAL_USER",
    description: "User of the server, the namespace or the database at SURREAL_URL.",
  }),
  surrealPass: setting(z.string().optional(), {
    env: "SURREAL_PASS",
    description: "Password of SURREAL_USER.",
    secret: true,
  }),
  surrealNamespace: setting(databaseName.default("cairn"), {
    env: "SURREAL_NS",
    description: "Namespace at SURREAL_URL. It is created when it is missing and the user may create it.",
  }),
  surrealDatabase: setting(databaseName.default("cairn"), {
    env: "SURREAL_DB",
    description: "Database in the namespace, used by Cairn only. It is created like the namespace.",
  }),
  store: setting(oneOf(["own", "bus"]).default("own"), {
    env: "CAIRN_STORE",
    description:
      "own: the database in CAIRN_DATA or at SURREAL_URL. bus: the database that another node with the same NATS_URL serves.",
  }),
  natsUrl: setting(natsUrls.optional(), {
    env: "NATS_URL",
    description:
      "NATS servers (2.9 or newer, with JetStream) of one cluster, comma-separated. All Cairns with the same servers are one system and share the work. Use tls:// for TLS.",
  }),
  natsUser: setting(z.string().optional(), {
    env: "NATS_USER",
    description: "User at NATS_URL.",
  }),
  natsPass: setting(z.string().optional(), {
    env: "NATS_PASS",
    description: "Password of NATS_USER.",
    secret: true,
  }),
  natsCreds: setting(z.string().optional(), {
    env: "NATS_CREDS",
    description: "File with the credentials for NATS_URL (.creds), instead of user and password.",
  }),
  natsCa: setting(z.string().optional(), {
    env: "NATS_CA",
    description: "File (PEM) with the authority of the certificates at NATS_URL.",
  }),
  natsCert: setting(z.string().optional(), {
    env: "NATS_CERT",
    description: "File (PEM) with the client certificate for NATS_URL.",
  }),
  natsKey: setting(z.string().optional(), {
    env: "NATS_KEY",
    description: "File (PEM) with the key of NATS_CERT.",
  }),
  natsReplicas: setting(wholeNumber(1, 5).default(1), {
    env: "NATS_REPLICAS",
    description: "Number of NATS servers that keep each durable stream: 3 survives the loss of one.",
  }),
  roles: setting(roleNames.prefault(roles.join(",")), {
    env: "CAIRN_ROLES",
    description:
      "Roles of this node, comma-separated: gateway (answers requests), browser (hosts actors that render pages), compute (hosts all other actors).",
    defaultText: "gateway, browser, compute",
  }),
  host: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9._:-]+$/, "a host name or an IP address")
      .default("127.0.0.1"),
    {
      env: "HOST",
      description:
        "Address to listen on. An address other than loopback needs CAIRN_API_KEY or CAIRN_API_KEYS.",
    },
  ),
  port: setting(wholeNumber(0, 65_535).default(8_000), {
    env: "PORT",
    description: "Port to listen on; 0 takes a free port.",
  }),
  apiKey: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, "printable ASCII without spaces")
      .optional(),
    {
      env: "CAIRN_API_KEY",
      description:
        "When set, every request but GET /health needs `Authorization: Bearer <key>`, and the console asks for it. This key may do everything.",
      secret: true,
    },
  ),
  apiKeys: setting(namedKeys.prefault(""), {
    env: "CAIRN_API_KEYS",
    description:
      "More keys, comma-separated: name:scope:key. Scopes: read, act (sessions, explorations, maps), admin (operations). The name appears in the audit log.",
    secret: true,
  }),
  allowedHosts: setting(hostNames.prefault(""), {
    env: "CAIRN_ALLOWED_HOSTS",
    description:
      "More names that the Host header may have, comma-separated, such as that of a reverse proxy.",
  }),
  allowedOrigins: setting(origins.prefault(""), {
    env: "CAIRN_ALLOWED_ORIGINS",
    description: "Origins whose web pages may call Cairn, comma-separated. They receive CORS headers.",
  }),
  workers: setting(wholeNumber(1, 64).default(Math.min(availableParallelism(), 4)), {
    env: "CAIRN_WORKERS",
    description: "Worker threads that run the actors.",
    defaultText: "number of cores, at most 4",
  }),
  leaseTtl: setting(
    z.coerce
      .number("a whole number of milliseconds")
      .int("a whole number of milliseconds")
      .min(
        SHORTEST_LEASE,
        `at least ${SHORTEST_LEASE}: an action in a browser needs a lease that is certain for ${sessionLimits.dispatchWithin} ms`,
      )
      .max(LONGEST_LEASE, `at most ${LONGEST_LEASE}: so long would the work of a dead node stand still`)
      .default(leaseLimits.ttl),
    {
      env: "CAIRN_LEASE_TTL_MS",
      description: `Milliseconds after which the work of a dead or frozen node is taken over, from ${SHORTEST_LEASE} to ${LONGEST_LEASE}.`,
    },
  ),
  userAgent: setting(
    z
      .string()
      .regex(/^[\x20-\x7e]+$/, "printable ASCII")
      .default(`Cairn/${version}`),
    {
      env: "CAIRN_USER_AGENT",
      description: "User agent of explorations. Rules of robots.txt are matched against its first word.",
      defaultText: "Cairn/<version>",
    },
  ),
  allowPrivate: setting(addressRanges.prefault("no"), {
    env: "CAIRN_ALLOW_PRIVATE",
    description:
      "Private addresses that may be opened: no, yes, or ranges such as 10.0.0.0/8, comma-separated. Loopback is allowed while HOST is loopback; link-local and metadata addresses are never allowed.",
    defaultText: "no",
  }),
  allowSelf: setting(yesNo.prefault("no"), {
    env: "CAIRN_ALLOW_SELF",
    description:
      "yes: explorations and sessions may open this Cairn's own pages. Off by default, since a page in a session could call Cairn.",
    defaultText: "no",
  }),
  chromium: setting(z.string().optional(), {
    env: "CAIRN_CHROMIUM",
    description:
      "Chromium, headless shell, Chrome or Edge: a path, or a name on the PATH. Unset: the one of Playwright or of the system; without one, Cairn installs one.",
  }),
  tools: setting(chosenTools.prefault("core"), {
    env: "CAIRN_TOOLS",
    description: `Tool sets that MCP clients list in addition to the tools of the protocol specification: ${toolSetNames.filter((name) => name !== "all").join(", ")}, or all (with whole schemas), comma-separated. Tools that are not listed can still be called.`,
    defaultText: "core",
  }),
  evaluate: setting(yesNo.prefault("no"), {
    env: "CAIRN_EVALUATE",
    description:
      "yes: callers may run their own scripts in pages (the action evaluate). Off by default, since such a script can do and read everything that the page can.",
    defaultText: "no",
  }),
  liveSessions: setting(
    wholeNumber(1, 10_000).default(defaultLiveSessions(availableParallelism(), totalmem())),
    {
      env: "CAIRN_LIVE_SESSIONS",
      description:
        "Most sessions with an open browser. Beyond it the longest idle session hibernates. At least one for each worker.",
      defaultText: "by memory and cores",
    },
  ),
  preparedPage: setting(yesNo.prefault("yes"), {
    env: "CAIRN_PREPARED_PAGE",
    description:
      "no: do not keep an empty page ready for the next session. Sessions then start more slowly, and each worker with a browser for sessions needs less memory.",
    defaultText: "yes",
  }),
  redisUrl: setting(
    z
      .string()
      .refine(
        (text) =>
          text.split(",").every((url) => z.url({ protocol: /^rediss?$/ }).safeParse(url.trim()).success),
        "a URL that begins with redis:// or rediss://",
      )
      .optional(),
    {
      env: "REDIS_URL",
      description:
        "Redis (6.2 or newer) of the queues browser_commands and knowledge-retrieval and of the event channels. Use rediss:// for TLS. For a cluster: the URL of one node, or of several nodes separated by commas.",
      secret: true,
    },
  ),
  redisCluster: setting(yesNo.prefault("no"), {
    env: "CAIRN_REDIS_CLUSTER",
    description: "yes: REDIS_URL is a Redis Cluster.",
    defaultText: "no",
  }),
  redisPrefix: setting(
    z
      .string()
      .regex(/^[\w:.{}-]*$/, "letters, digits and _ : . - { } only")
      .default(""),
    {
      env: "CAIRN_REDIS_PREFIX",
      description:
        "Prefix of all keys and channels in Redis, such as `shop:`, so that several installations can share one Redis.",
      defaultText: "none",
    },
  ),
  s3Endpoint: setting(urlWith("http", "https").optional(), {
    env: "CAIRN_S3_ENDPOINT",
    description:
      "S3-compatible object storage for results that are too large for Redis, such as https://s3.eu-central-1.amazonaws.com. Objects are not deleted by Cairn: give the bucket an expiry rule.",
  }),
  s3Bucket: setting(z.string().min(1).optional(), {
    env: "CAIRN_S3_BUCKET",
    description: "Bucket at CAIRN_S3_ENDPOINT. It must exist.",
  }),
  s3Region: setting(z.string().min(1).default("us-east-1"), {
    env: "CAIRN_S3_REGION",
    description: "Region of CAIRN_S3_BUCKET.",
  }),
  s3AccessKey: setting(z.string().min(1).optional(), {
    env: "CAIRN_S3_ACCESS_KEY",
    description: "Access key of CAIRN_S3_BUCKET.",
  }),
  s3SecretKey: setting(z.string().min(1).optional(), {
    env: "CAIRN_S3_SECRET_KEY",
    description: "Secret key of CAIRN_S3_ACCESS_KEY.",
    secret: true,
  }),
  livekitUrl: setting(urlWith("ws", "wss", "http", "https").optional(), {
    env: "LIVEKIT_URL",
    description:
      "LiveKit server that sessions publish their video to, such as wss://livekit.example.com. A start may name another.",
  }),
  livekitApiKey: setting(z.string().min(1).optional(), {
    env: "LIVEKIT_API_KEY",
    description: "Key of LIVEKIT_URL, for access tokens and signed webhooks.",
  }),
  livekitApiSecret: setting(z.string().min(1).optional(), {
    env: "LIVEKIT_API_SECRET",
    description: "Secret of LIVEKIT_API_KEY.",
    secret: true,
  }),
  openaiApiKey: setting(z.string().min(1).optional(), {
    env: "OPENAI_API_KEY",
    description:
      "Key of OpenAI, or of the server at OPENAI_BASE_URL. Without a model the offline policy answers.",
    secret: true,
  }),
  openaiBaseUrl: setting(urlWith("http", "https").optional(), {
    env: "OPENAI_BASE_URL",
    description: "A server that speaks the API of OpenAI, such as http://127.0.0.1:11434/v1.",
  }),
  geminiApiKey: setting(z.string().min(1).optional(), {
    env: "GEMINI_API_KEY",
    description: "Key of Google's Gemini, used when neither OPENAI_API_KEY nor OPENAI_BASE_URL is set.",
    secret: true,
  }),
  geminiBaseUrl: setting(urlWith("http", "https").optional(), {
    env: "GEMINI_BASE_URL",
    description: "A server that speaks the API of Gemini, instead of Google's.",
  }),
  modelStrong: setting(z.string().min(1).optional(), {
    env: "CAIRN_MODEL_STRONG",
    description: "Model for decisions, plans and extraction.",
    defaultText: "gpt-5 or gemini-2.5-pro",
  }),
  modelFast: setting(z.string().min(1).optional(), {
    env: "CAIRN_MODEL_FAST",
    description: "Model for quick judgements.",
    defaultText: "gpt-5-mini or gemini-2.5-flash",
  }),
  modelEmbedding: setting(z.string().min(1).optional(), {
    env: "CAIRN_MODEL_EMBEDDING",
    description: "Model for embeddings.",
    defaultText: "text-embedding-3-small or gemini-embedding-001",
  }),
  logLevel: setting(oneOf(["debug", "info", "warn", "error", "silent"]).default("info"), {
    env: "CAIRN_LOG_LEVEL",
    description: "Least severe level that is logged: debug, info, warn, error or silent.",
  }),
  logFormat: setting(oneOf(["auto", "json", "pretty"]).default("auto"), {
    env: "CAIRN_LOG_FORMAT",
    description: "json, pretty, or auto: pretty when stderr is a terminal.",
  }),
});

export type Config = z.infer<typeof settingsSchema>;
export type SettingName = keyof Config;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting extends SettingMeta {
  readonly name: SettingName;
}

const metaSchema = z.object({
  env: z.string(),
  description: z.string(),
  secret: z.boolean().optional(),
  defaultText: z.string().optional(),
});

/** All settings in the order of the schema. */
export const settings: readonly Setting[] = settingsSchema.keyof().options.map((name) => {
  const { env, description, secret, defaultText } = metaSchema.parse(settingsSchema.shape[name].meta());
  return {
    name,
    env,
    description,
    ...(secret ? { secret } : {}),
    ...(defaultText === undefined ? {} : { defaultText }),
  };
});

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: Readonly<Record<SettingName, Given["source"]>>;
  readonly secrets: GivenSecrets;
  /**
   * Warnings about variables that have no effect: unknown variables whose names start with `CAIRN_`, and variables
   * that need another setting which is not set.
   */
  readonly warnings: readonly string[];
}

/** Returns the URL with its user name and password masked. */
function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/]*@/, "//********@");
}

/**
 * Maps a setting to the settings that have no effect without it. For example, `natsUser` has no effect
 * without `natsUrl`.
 */
const dependent: Partial<Record<SettingName, readonly SettingName[]>> = {
  surrealUrl: ["surrealUser", "surrealPass", "surrealNamespace", "surrealDatabase"],
  natsUrl: ["natsUser", "natsPass", "natsCreds", "natsCa", "natsCert", "natsKey", "natsReplicas", "roles"],
  redisUrl: ["redisCluster", "redisPrefix", "s3Endpoint"],
  s3Endpoint: ["s3Region"],
  geminiApiKey: ["geminiBaseUrl"],
};

/** The settings that name a model. They have no effect without a model server. */
const modelNames = ["modelStrong", "modelFast", "modelEmbedding"] as const;

/** Refuses settings that are valid alone, but not together, such as an S3 endpoint without a bucket. */
const consistent = settingsSchema.superRefine((given, context) => {
  const { store, natsUrl, surrealUrl, apiKey, apiKeys } = given;
  const { s3Endpoint, s3Bucket, s3AccessKey, s3SecretKey } = given;
  const storage = [s3Endpoint, s3Bucket, s3AccessKey, s3SecretKey];
  if (storage.includes(undefined) && storage.some((value) => value !== undefined))
    context.addIssue({
      code: "custom",
      path: ["s3Endpoint"],
      message: "set CAIRN_S3_ENDPOINT, CAIRN_S3_BUCKET, CAIRN_S3_ACCESS_KEY and CAIRN_S3_SECRET_KEY together",
    });
  if (apiKeys.some(({ key }) => key === apiKey))
    context.addIssue({ code: "custom", path: ["apiKeys"], message: "one of them is CAIRN_API_KEY" });
  if (given.redisUrl?.includes(",") && !given.redisCluster)
    context.addIssue({
      code: "custom",
      path: ["redisUrl"],
      message: "names several servers, which only a cluster has: set CAIRN_REDIS_CLUSTER=true",
    });
  const wrong = (message: string) => context.addIssue({ code: "custom", path: ["store"], message });
  if (store !== "bus") return;
  if (natsUrl === undefined) wrong("needs NATS_URL, without which there is no other node");
  if (surrealUrl !== undefined) wrong("is one store and SURREAL_URL is another: unset one of them");
});

/**
 * Reads the configuration from `env`. An empty value counts as not set. Throws `config.invalid`, which lists
 * every invalid value.
 */
export function loadConfig(env: Environment): LoadedConfig {
  const given: Partial<Record<SettingName, string>> = {};
  // The cast is safe: the following loop sets a value for every name.
  const sources = {} as Record<SettingName, Given["source"]>;
  const issues: { readonly setting: string; readonly message: string }[] = [];
  for (const setting of settings) {
    const { value, source, problem } = givenIn(env, setting);
    sources[setting.name] = source;
    if (value !== undefined) given[setting.name] = value;
    if (problem !== undefined) issues.push({ setting: setting.env, message: `${setting.env}: ${problem}` });
  }
  const parsed = consistent.safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const found = settings.find(({ name }) => name === issue.path[0]);
    const shown = found?.secret ? "" : `=${withoutPassword(given[found?.name ?? "host"] ?? "")}`;
    issues.push({ setting: found?.env ?? "?", message: `${found?.env}${shown}: ${issue.message}` });
  }
  if (!parsed.success || issues.length > 0) {
    throw new Refused(
      "config.invalid",
      `The configuration is not valid:\n${issues.map(({ message }) => `  ${message}`).join("\n")}\nCorrect or unset these variables; \`npm run doctor\` shows every setting.`,
      { details: { issues } },
    );
  }
  const known = new Set(settings.flatMap((item) => [item.env, fileVariable(item)]));
  const warnings = [
    ...Object.keys(env)
      .filter((variable) => variable.startsWith("CAIRN_") && !known.has(variable) && env[variable])
      .filter((variable) => !isSecretVariable(variable))
      .map((variable) => `${variable} is not a setting of Cairn and has no effect`),
    ...settings
      .filter(({ name }) => !given[name])
      .flatMap((needed) =>
        settings
          .filter(({ name }) => dependent[needed.name]?.includes(name) && given[name])
          .map(({ env: variable }) => `${variable} has no effect without ${needed.env}`),
      ),
    ...(given.openaiApiKey || given.openaiBaseUrl || given.geminiApiKey ? [] : modelNames)
      .filter((name) => given[name])
      .map(
        (name) =>
          `${settingsSchema.shape[name].meta()?.env} has no effect without a model: set OPENAI_API_KEY, OPENAI_BASE_URL or GEMINI_API_KEY`,
      ),
  ];
  return { config: parsed.data, sources, secrets: givenSecrets(env), warnings };
}

/** Returns the value in the form that people read: secrets are masked, and lists are joined to one text. */
export function shownValue({ name, secret }: Setting, config: Config): string {
  const value = config[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  if (secret) return "********";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
