/**
 * The guard: which requests are heard at all.
 *
 * Host and Origin are checked against DNS rebinding and foreign web pages, the key against strangers. It comes
 * before everything else and knows no route but the few that tell nothing and so need no key.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { Refused } from "../../machines/errors.ts";
import type { Config } from "../config.ts";
import { isLoopback, isWildcard, plainHost } from "./bind.ts";
import type { Sessions } from "./session.ts";
import type { Tickets } from "./tickets.ts";

export type GuardConfig = Pick<Config, "host" | "apiKey" | "allowedHosts" | "allowedOrigins">;

export interface Guard {
  /** Throws `security.*` (401, 403) when the request is not to be heard. */
  check(request: Request, path: string): void;
  /** CORS headers for a page of a configured origin; nothing for everybody else. */
  corsHeaders(request: Request): Readonly<Record<string, string>>;
}

/** `name[:port]` as its name; IPv6 keeps its brackets. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The ticket of a WebSocket that is to be opened; nothing else is opened with one. */
function ticketOf(request: Request): string | null {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return null;
  return new URL(request.url).searchParams.get("ticket");
}

/** What else than the key opens something, and only while there is a key. */
export interface OtherWays {
  readonly tickets: Tickets;
  readonly sessions: Sessions | undefined;
}

/** They tell nothing: whether Cairn lives, where the key is given, and how that looks. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/health", "/sign-in", "/console/console.css"]);

/** Is this the key? Digests have one length, so the comparison takes the same time whatever was sent. */
export function isKey(given: string, key: string): boolean {
  return timingSafeEqual(digest(given), digest(key));
}

export function createGuard(config: GuardConfig, { tickets, sessions }: OtherWays): Guard {
  const boundToLoopback = isLoopback(config.host);
  const wildcard = isWildcard(config.host);
  const allowedHosts = new Set(config.allowedHosts.map((host) => host.toLowerCase()));
  const allowedOrigins = new Set(config.allowedOrigins);

  function hostAllowed(host: string): boolean {
    const name = hostName(host);
    if (isLoopback(name) || plainHost(name) === plainHost(config.host)) return true;
    if (allowedHosts.has(name) || allowedHosts.has(host.toLowerCase())) return true;
    // On a wildcard bind Cairn cannot know its own names; the key, which a page cannot guess, stands for the check.
    return !boundToLoopback && wildcard && allowedHosts.size === 0;
  }

  function originAllowed(origin: string, host: string): boolean {
    if (allowedOrigins.has(origin)) return true;
    if (!URL.canParse(origin)) return false;
    const { host: originHost, hostname } = new URL(origin);
    return originHost === host.toLowerCase() || (boundToLoopback && isLoopback(hostname));
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

  function checkKey(request: Request): void {
    if (config.apiKey === undefined) return;
    const ticket = ticketOf(request);
    if (ticket !== null && tickets.redeem(ticket, Date.now())) return;
    if (request.method === "GET" && sessions?.isOpen(request, Date.now())) return;
    const token = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token !== undefined && isKey(token, config.apiKey)) return;
    throw new Refused(
      "security.unauthorized",
      "This Cairn needs its key: send `Authorization: Bearer <CAIRN_API_KEY>`, or open a WebSocket with the `?ticket=` that POST /api/tickets gives.",
      { status: 401 },
    );
  }

  return {
    check(request, path) {
      const host = request.headers.get("host") ?? new URL(request.url).host;
      checkHost(host);
      checkOrigin(request.headers.get("origin"), host);
      const preflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
      if (!OPEN_PATHS.has(path) && !preflight) checkKey(request);
    },
    corsHeaders(request) {
      const origin = request.headers.get("origin");
      if (origin === null || !allowedOrigins.has(origin)) return {};
      return {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, x-request-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id",
        "access-control-expose-headers": "x-request-id, mcp-session-id, mcp-protocol-version",
        vary: "origin",
      };
    },
  };
}
