/**
 * Chooses the LiveKit server and the credentials of a session: from the session's start, or from the
 * settings. The secret of the settings is used only with the server of the settings. Another server could use
 * a token with this secret to enter the operator's rooms.
 */
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { Refused } from "../../machines/errors.ts";
import type { LiveKitOptions } from "../../machines/session/outputs/livekit-schemas.ts";
import type { Secrets } from "../secrets/secret-store.ts";
import { type LiveKitKey, publisherToken } from "../streaming/index.ts";

/** The settings `LIVEKIT_URL`, `LIVEKIT_API_KEY` and `LIVEKIT_API_SECRET`. */
export interface LiveKitSettings {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
}

/** The LiveKit parameters with which a session was started. */
export interface LiveKitRequest extends LiveKitSettings {
  readonly token?: string | undefined;
  readonly fps: number;
}

/** A LiveKit server, and the credentials for a token. */
export interface LiveKitAccess {
  readonly url: string;
  readonly credentials: LiveKitKey | { readonly token: string };
  /** True if the caller named the LiveKit server. The egress policy then applies to it. */
  readonly isForeign: boolean;
}

/** Returns LiveKit's API key and its secret from the settings, or `undefined` when one of them is missing. */
export function keyOf({ key, secret }: LiveKitSettings): LiveKitKey | undefined {
  return key && secret ? { key, secret } : undefined;
}

/** Returns the LiveKit server and credentials of the settings, or `undefined` when they are incomplete. */
function settingsAccess(settings: LiveKitSettings): LiveKitAccess | undefined {
  const credentials = keyOf(settings);
  if (!settings.url || !credentials) return undefined;
  return { url: serverUrl(settings.url), credentials, isForeign: false };
}

/**
 * Returns the LiveKit server and credentials that a start requests, or `undefined` for a session without
 * LiveKit.
 *
 * @throws Refused `video.incomplete` (422)
 */
export function requestedAccess(
  { url, key, secret, token }: LiveKitRequest,
  settings: LiveKitSettings,
): LiveKitAccess | undefined {
  const own = settingsAccess(settings);
  if (url === undefined && key === undefined && secret === undefined && token === undefined) return own;
  const server = serverUrl(url ?? settings.url);
  const isForeign = settings.url === undefined || serverUrl(settings.url) !== server;
  if (token !== undefined) return { url: server, credentials: { token }, isForeign };
  if (key !== undefined && secret !== undefined)
    return { url: server, credentials: { key, secret }, isForeign };
  if (key !== undefined || secret !== undefined)
    throw incomplete("livekit_api_key and livekit_api_secret belong together: give both, or livekit_token.");
  if (own && !isForeign) return own;
  throw incomplete(
    `There are no credentials for ${new URL(server).host}: give livekit_token, or livekit_api_key and livekit_api_secret. ` +
      "Those of the settings are used for LIVEKIT_URL only.",
  );
}

/**
 * Returns the URL for LiveKit's client, with a WebSocket scheme. Many servers are named with an HTTP scheme.
 */
function serverUrl(given: string | undefined): string {
  if (given === undefined) throw incomplete("livekit_url is needed, since LIVEKIT_URL is not set.");
  const url = URL.parse(given);
  const scheme = url && { "ws:": "ws:", "http:": "ws:", "wss:": "wss:", "https:": "wss:" }[url.protocol];
  if (!url || !scheme)
    throw incomplete("livekit_url is no address of a LiveKit server, such as wss://livekit.example.com.");
  return `${scheme}//${url.host}${url.pathname.replace(/\/$/, "")}`;
}

function incomplete(message: string): Refused {
  return new Refused("video.incomplete", message, { status: 422 });
}

/**
 * Resolves the host name of a server that the caller named, and checks its addresses.
 *
 * @throws Refused `egress.refused` (403), `video.unknown_host` (422)
 */
export async function assertServerAllowed(
  { url, isForeign }: LiveKitAccess,
  destinations: Destinations,
): Promise<void> {
  if (!isForeign) return;
  // The egress policy knows only HTTP schemes. A WebSocket connection begins with HTTP, so the scheme is
  // replaced.
  const address = new URL(url.replace(/^ws/, "http"));
  try {
    await destinations.addressesOf(address);
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    throw new Refused("video.unknown_host", `The LiveKit server ${address.host} has no address.`, {
      status: 422,
      cause,
    });
  }
}

const purpose = (room: string): string => `livekit/${room}`;

/**
 * Returns the LiveKit fields of the command that starts a session. Credentials in these fields are encrypted.
 * Credentials from the configuration are left out, so they are not stored.
 */
export async function sealAccess(
  room: string,
  {
    access,
    fps,
    settings,
  }: { readonly access: LiveKitAccess; readonly fps: number; readonly settings: LiveKitSettings },
  secrets: Secrets,
): Promise<LiveKitOptions> {
  const own = settingsAccess(settings);
  if (
    own &&
    own.url === access.url &&
    "key" in access.credentials &&
    access.credentials.secret === settings.secret
  )
    return { fps };
  return { fps, access: await (await secrets.vault).seal(JSON.stringify(access), purpose(room)) };
}

/**
 * Decrypts the LiveKit credentials from the options with which a session was started. Returns `undefined`
 * when the LiveKit settings were removed since the start. Rejects with `vault.cannot_open`.
 */
export async function openAccess(
  room: string,
  options: LiveKitOptions,
  { settings, secrets }: { readonly settings: LiveKitSettings; readonly secrets: Secrets },
): Promise<LiveKitAccess | undefined> {
  if (options.access === undefined) return settingsAccess(settings);
  // `sealAccess` encrypted the JSON of a `LiveKitAccess`, so the cast is safe.
  return JSON.parse(await (await secrets.vault).open(options.access, purpose(room))) as LiveKitAccess;
}

/** Returns a token with which the session joins its LiveKit room. */
export async function tokenFor(room: string, { credentials }: LiveKitAccess): Promise<string> {
  return "token" in credentials ? credentials.token : await publisherToken(room, credentials);
}

/** Returns the secrets in the access to a LiveKit room. The session masks them in every result. */
export function secretsOf({ credentials }: LiveKitAccess): readonly string[] {
  return "token" in credentials ? [credentials.token] : [credentials.secret];
}
