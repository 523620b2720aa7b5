/**
 * Resolves the environment of a session when it starts: decrypts it and replaces the names of secrets by
 * their values.
 */
import { Refused } from "../../machines/errors.ts";
import type { SessionOptions } from "../../machines/session/session-protocol.ts";
import type { LoginRecipe } from "../../machines/session/state/login-recipe.ts";
import { storageOf } from "../../machines/session/state/playwright-storage-state.ts";
import type { SavedSession } from "../../machines/session/state/saved-session.ts";
import type { BrowserEnvironment, Environment } from "../../machines/session/state/session-start-options.ts";
import type { UpstreamProxy } from "../egress/index.ts";
import type { Secrets } from "../secrets/secret-store.ts";

export interface ResolvedEnvironment {
  readonly environment: BrowserEnvironment;
  readonly storage: Pick<SavedSession, "cookies" | "origins"> | undefined;
  readonly login: LoginRecipe | undefined;
  readonly upstream: UpstreamProxy | undefined;
  /** Values of secrets. The session masks them in every result. */
  readonly secrets: readonly string[];
}

const EMPTY_ENVIRONMENT: ResolvedEnvironment = {
  environment: { credentials: [], headers: [] },
  storage: undefined,
  login: undefined,
  upstream: undefined,
  secrets: [],
};

/** Returns the purpose (authenticated context) for the encryption of a session's start options. */
export function startPurpose(room: string): string {
  return `start/${room}`;
}

/**
 * Decrypts the environment and inserts secrets. Rejects with `vault.cannot_open`, `secret.not_found` or
 * `secret.other_host`.
 */
export async function resolveEnvironment(
  room: string,
  { environment: sealed, initial_url }: SessionOptions,
  secrets: Secrets,
): Promise<ResolvedEnvironment> {
  if (sealed === undefined) return EMPTY_ENVIRONMENT;
  // The gateway validated the environment before it encrypted it, so the cast is safe.
  const requested = JSON.parse(await (await secrets.vault).open(sealed, startPurpose(room))) as Environment;
  const { storage_state, login, http_auth, headers, headers_host, proxy, ...plain } = requested;
  const first = hostOf(login?.url ?? initial_url ?? undefined);
  const hidden: string[] = [];
  const reveal = async (name: string, hosts: readonly string[]): Promise<string> => {
    // The value may be sent to all of these hosts, so the secret must be allowed for each of them.
    for (const host of hosts) {
      const value = await secrets.reveal(name, `https://${host.replace(/^\*\./, "any.")}/`, hosts);
      hidden.push(value);
      if (host === hosts.at(-1)) return value;
    }
    throw needsHost("A secret");
  };
  const credentials: BrowserEnvironment["credentials"][number][] = [];
  if (http_auth) {
    const hosts = hostsOf(http_auth.host ?? first, "http_auth");
    const { username, password = "", secret } = http_auth;
    const value = secret === undefined ? password : await reveal(secret, hosts);
    hidden.push(value, Buffer.from(`${username}:${value}`).toString("base64"));
    credentials.push({ hosts, username, password: value });
  }
  const sets = Array.isArray(headers)
    ? headers.map((one) => ({ hosts: [one.host], headers: one.headers }))
    : headers && Object.keys(headers).length > 0
      ? [{ hosts: hostsOf(headers_host ?? first, "headers"), headers }]
      : [];
  const sent: BrowserEnvironment["headers"][number][] = [];
  for (const { hosts, headers: wanted } of sets) {
    const values: Record<string, string> = {};
    for (const [name, value] of Object.entries(wanted)) {
      values[name] = typeof value === "string" ? value : await reveal(value.secret, hosts);
      if (SECRET_NAME.test(name)) hidden.push(values[name], values[name].replace(/^\w+ /, ""));
    }
    sent.push({ hosts, headers: values });
  }
  let upstream: UpstreamProxy | undefined;
  if (proxy) {
    const server = proxy.server.includes("://") ? proxy.server : `http://${proxy.server}`;
    const { username, secret } = proxy;
    const password = secret === undefined ? proxy.password : await reveal(secret, [new URL(server).host]);
    if (password !== undefined) hidden.push(password);
    upstream = { server, username, password };
  }
  return {
    environment: { ...plain, credentials, headers: sent },
    storage: storage_state && storageOf(storage_state),
    login,
    upstream,
    secrets: [...hidden, ...(login ? await secretsIn(login, secrets) : [])],
  };
}

/**
 * Returns the secret values of a login recipe. They are masked from the start, even in a restored session.
 */
async function secretsIn({ url, fields, totp_secret }: LoginRecipe, secrets: Secrets): Promise<string[]> {
  const found: string[] = totp_secret === undefined ? [] : [totp_secret];
  for (const { secret, value, label = "", selector = "" } of fields) {
    if (typeof value === "string" && SECRET_NAME.test(`${label} ${selector}`)) found.push(value);
    if (secret === undefined) continue;
    // A secret that was deleted or belongs to another host cannot have been typed. It needs no mask.
    const known = await secrets.reveal(secret, url, [new URL(url).host]).catch(() => undefined);
    if (known !== undefined) found.push(known);
  }
  return found;
}

const SECRET_NAME = /passw|passphrase|pwd|secret|token|auth|cookie|api-?key|\bpin\b|\bkey\b/i;

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:/.test(url) && URL.canParse(url) ? new URL(url).host : undefined;
}

function hostsOf(host: string | undefined, of: string): readonly string[] {
  if (host === undefined) throw needsHost(of);
  return [host];
}

function needsHost(of: string): Refused {
  return new Refused(
    "request.invalid",
    `${of} needs a host: name it, or give an initial_url, whose host it is then bound to.`,
    { status: 422, details: { issues: [{ path: of, message: "a host is needed" }] } },
  );
}
