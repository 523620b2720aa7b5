/**
 * The LiveKit server and credentials of a session: those of its start, or those of the settings.
 * The secret of the settings is used with the server of the settings only: a token that is sent to another
 * server would open the operator's rooms to it.
 */
import type { Destinations } from "../../machines/egress/destinations.ts";
import { Refused } from "../../machines/errors.ts";
import type { LiveKitOptions } from "../../machines/session/livekit-schemas.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type LiveKitKey, publisherToken } from "../streaming/index.ts";

/** `LIVEKIT_URL`, `LIVEKIT_API_KEY` and `LIVEKIT_API_SECRET`. */
export interface LiveKitSettings {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
}

/** The LiveKit parameters of a start. */
export interface LiveKitRequest extends LiveKitSettings {
  readonly token?: string | undefined;
  readonly fps: number;
}

/** A server, and how to get a token for it. */
export interface LiveKitAccess {
  readonly url: string;
  readonly credentials: LiveKitKey | { readonly token: string };
  /** A caller named the server, so the egress policy applies to it. */
  readonly isForeign: boolean;
}

/** The key of the settings; `undefined` when they are incomplete. */
export function keyOf({ key, secret }: LiveKitSettings): LiveKitKey | undefined {
  return key && secret ? { key, secret } : undefined;
}

/** The access of the settings; `undefined` when they are incomplete. */
function settingsAccess(settings: LiveKitSettings): LiveKitAccess | undefined {
  const credentials = keyOf(settings);
  if (!settings.url || !credentials) return undefined;
  return { url: serverUrl(settings.url), credentials, isForeign: false };
}

/**
 * The access that a start requests; `undefined` for a session without LiveKit.
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

/** The URL for LiveKit's client. Servers are often named by the scheme of HTTP. */
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
 * Resolves the name of a server that a caller named, and checks its addresses.
 *
 * @throws Refused `egress.refused` (403), `video.unknown_host` (422)
 */
export async function assertServerAllowed(
  { url, isForeign }: LiveKitAccess,
  destinations: Destinations,
): Promise<void> {
  if (!isForeign) return;
  // The policy knows the schemes of HTTP, which a WebSocket begins with.
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

/** The LiveKit part of a start, with the credentials encrypted. Those of the settings are not stored. */
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

/** Decrypts the access of a start. Rejects with `vault.cannot_open`; `undefined` when settings were removed. */
export async function openAccess(
  room: string,
  options: LiveKitOptions,
  { settings, secrets }: { readonly settings: LiveKitSettings; readonly secrets: Secrets },
): Promise<LiveKitAccess | undefined> {
  if (options.access === undefined) return settingsAccess(settings);
  // Encrypted by `sealAccess`.
  return JSON.parse(await (await secrets.vault).open(options.access, purpose(room))) as LiveKitAccess;
}

/** A token to join the room with. */
export async function tokenFor(room: string, { credentials }: LiveKitAccess): Promise<string> {
  return "token" in credentials ? credentials.token : await publisherToken(room, credentials);
}

/** The values that must not appear in anything that leaves the session. */
export function secretsOf({ credentials }: LiveKitAccess): readonly string[] {
  return "token" in credentials ? [credentials.token] : [credentials.secret];
}
