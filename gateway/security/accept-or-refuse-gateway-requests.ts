/**
 * The guard decides which requests are accepted. It checks the header Host against DNS rebinding, the header
 * Origin against foreign web pages, and the key. It runs before everything else.
 */
import { Refused } from "../../machines/errors.ts";
import type { Config } from "../config.ts";
import { type Caller, LOCAL, unauthorized } from "./api-key-scopes.ts";
import type { KeyConfig, Keys } from "./api-keys.ts";
import type { ConsoleSessions } from "./console-sign-in-session.ts";
import { isLoopback, isWildcard, plainHost } from "./listen-address-rules.ts";
import type { Tickets } from "./websocket-tickets.ts";

export type GuardConfig = KeyConfig & Pick<Config, "host" | "allowedHosts" | "allowedOrigins">;

export interface Guard {
  /**
   * Returns the caller; `undefined` where no key is needed. Throws `security.*` (401, 403) to refuse the
   * request.
   */
  check(request: Request, path: string): Promise<Caller | undefined>;
  /** Returns CORS headers for pages of a configured origin; empty for other origins. */
  corsHeaders(request: Request): Readonly<Record<string, string>>;
}

/** Returns the host name from `name[:port]`. An IPv6 address keeps its brackets. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}

/**
 * Returns the ticket in the URL of a WebSocket request; `null` for other requests, which cannot use tickets.
 */
function ticketOf(request: Request): string | null {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return null;
  return new URL(request.url).searchParams.get("ticket");
}

/**
 * The places in which a request may have credentials: a key, a ticket, or the cookie of a console session.
 * Tickets and sessions are accepted only if keys are configured.
 */
export interface Credentials {
  readonly keys: Keys;
  readonly tickets: Tickets;
  readonly sessions: ConsoleSessions;
}

/**
 * Paths that need no key. Liveness, the sign-in form and its style sheet reveal nothing. On the path of the
 * LiveKit webhooks, a signature replaces the key.
 */
export const OPEN_PATHS: ReadonlySet<string> = new Set([
  "/health",
  "/sign-in",
  "/sign-out",
  "/console/console.css",
  "/webhooks/livekit",
]);

export function createGuard(config: GuardConfig, { keys, tickets, sessions }: Credentials): Guard {
  const boundToLoopback = isLoopback(config.host);
  const wildcard = isWildcard(config.host);
  const ownHost = plainHost(config.host);
  const allowedHosts = new Set(config.allowedHosts.map((host) => host.toLowerCase()));
  const allowedOrigins = new Set(config.allowedOrigins);

  function hostAllowed(host: string): boolean {
    const name = hostName(host);
    if (isLoopback(name) || plainHost(name) === ownHost) return true;
    if (allowedHosts.has(name) || allowedHosts.has(host.toLowerCase())) return true;
    // If Cairn listens on a wildcard address such as `0.0.0.0`, it does not know its own host names. It then accepts
    // any Host header, but requires a key, which a foreign page cannot guess.
    return !boundToLoopback && wildcard && allowedHosts.size === 0;
  }

  function originAllowed(origin: string, host: string): boolean {
    if (allowedOrigins.has(origin)) return true;
    // Only a page of this Cairn, with the same host and port, is an allowed origin. Another port of this
    // machine belongs to another program, which is not trusted.
    return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
  }

  function checkHost(host: string): void {
    if (hostAllowed(host)) return;
    throw new Refused(
      "security.host_refused",
      `Cairn does not answer to the host "${hostName(host)}". Add it to CAIRN_ALLOWED_HOSTS if it is meant to.`,
      { status: 403 },
    );
  }

  function checkOrigin(origin: string | null, host: string): void {
    if (origin === null || originAllowed(origin, host)) return;
    throw new Refused(
      "security.origin_refused",
      `Pages of ${origin} may not call Cairn. Add the origin to CAIRN_ALLOWED_ORIGINS if they are meant to.`,
      { status: 403 },
    );
  }

  async function callerOf(request: Request): Promise<Caller> {
    if (!keys.any) return LOCAL;
    const ticket = ticketOf(request);
    const bearer = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const caller =
      (ticket === null ? undefined : await tickets.redeem(ticket, Date.now())) ??
      // A key in a header has priority over the session cookie, because the browser adds the cookie by
      // itself.
      (bearer === undefined ? signedIn(request) : keys.callerOf(bearer));
    if (caller) return caller;
    throw unauthorized();
  }

  /**
   * Returns the signed-in person of a console session. A request other than GET is accepted only from a page
   * of this Cairn.
   */
  function signedIn(request: Request): Caller | undefined {
    const now = Date.now();
    const caller = sessions.callerOf(request, now);
    if (!caller || request.method === "GET" || sessions.isFromOwnPage(request, now)) return caller;
    throw new Refused(
      "security.csrf",
      "The console's cookie is accepted for requests of the console's own pages only. Open the page again, or send a key.",
      { status: 403 },
    );
  }

  return {
    async check(request, path) {
      const host = request.headers.get("host") ?? new URL(request.url).host;
      checkHost(host);
      checkOrigin(request.headers.get("origin"), host);
      const preflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
      return OPEN_PATHS.has(path) || preflight ? undefined : await callerOf(request);
    },
    corsHeaders(request) {
      const origin = request.headers.get("origin");
      if (origin === null || !allowedOrigins.has(origin)) return {};
      return {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, PUT, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, idempotency-key, x-request-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id",
        "access-control-expose-headers":
          "x-request-id, idempotency-replayed, retry-after, ratelimit, ratelimit-policy, mcp-session-id, mcp-protocol-version",
        vary: "origin",
      };
    },
  };
}
