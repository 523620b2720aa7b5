/**
 * Validates and encrypts the secret parts of an action or of a session's start options, before they are
 * stored.
 */
import { isDeepStrictEqual } from "node:util";
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import { Refused } from "../../machines/errors.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import { maskedParams } from "../../machines/session/build-session-events.ts";
import type { SessionOptions } from "../../machines/session/session-protocol.ts";
import type { Environment } from "../../machines/session/state/session-start-options.ts";
import { deviceNamed } from "../browser/index.ts";
import type { Vault } from "../secrets/encryption-vault.ts";
import type { Secrets } from "../secrets/secret-store.ts";
import { loginPurpose } from "./login-action.ts";
import { startPurpose } from "./resolve-secrets-in-session-environment.ts";

interface StartRequest {
  readonly options: SessionOptions;
  readonly environment: Environment;
  readonly egress: EgressPolicy;
  readonly secrets: Secrets;
}

/** Returns the options of a session's start with the environment encrypted. */
export async function prepareStart(
  room: string,
  { options, environment, egress, secrets }: StartRequest,
): Promise<SessionOptions> {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined);
  if (given.length === 0) return options;
  const { login, proxy, device, headers, headers_host, http_auth } = environment;
  if (login) assertUrlAllowed(new URL(login.url), egress);
  if (proxy)
    assertUrlAllowed(new URL(proxy.server.includes("://") ? proxy.server : `http://${proxy.server}`), egress);
  const hosted = login !== undefined || /^https?:/.test(options.initial_url ?? "");
  if (!hosted) {
    if (http_auth && http_auth.host === undefined) throw needsHost("http_auth.host");
    if (headers && !Array.isArray(headers) && headers_host === undefined) throw needsHost("headers_host");
  }
  const named = device === undefined ? undefined : await deviceNamed(device);
  const { viewport, ...claims } = named ?? {};
  const sealed = await (await secrets.vault).seal(
    JSON.stringify({ ...claims, ...Object.fromEntries(given) }),
    startPurpose(room),
  );
  return {
    ...options,
    ...(viewport ? { viewport_width: viewport.width, viewport_height: viewport.height } : {}),
    environment: sealed,
  };
}

interface Sealing {
  readonly secrets: Secrets;
  /**
   * Whether all nodes have the same encryption key. If they have different keys, typed text is stored
   * unencrypted, because another node could not decrypt the text.
   */
  readonly oneKey: boolean;
}

/** Encrypts the secret parameters of an action: its login recipe or its typed text. */
export async function sealAction(
  room: string,
  action: Action,
  { secrets, oneKey }: Sealing,
): Promise<Action> {
  if (action.name === "login") return await sealedLogin(room, action, secrets);
  const shown = maskedParams(action);
  if (!oneKey || isDeepStrictEqual(shown, action.params)) return action;
  const sealed = await (await secrets.vault).seal(JSON.stringify(action.params), typedTextPurpose(room));
  // `sealed` is not part of the type `Action`. The cast is safe, because only `openAction` reads these
  // parameters, and it decrypts them first.
  return { ...action, params: { ...shown, sealed } } as unknown as Action;
}

/** Decrypts an action that `sealAction` encrypted. */
export async function openAction(room: string, action: Action, secrets: Opening): Promise<Action> {
  // `sealAction` stores encrypted parameters in the field `sealed`, so the cast is safe. Unencrypted
  // parameters have no such field.
  const { sealed } = action.params as { readonly sealed?: string };
  if (sealed === undefined || action.name === "login") return action;
  const params: unknown = JSON.parse(await (await secrets.vault).open(sealed, typedTextPurpose(room)));
  // The decrypted parameters are those that `sealAction` encrypted, so the cast is safe.
  return { ...action, params } as Action;
}

interface Opening {
  readonly vault: Promise<Vault>;
}

/** Returns the purpose (authenticated context) for the encryption of typed text. */
function typedTextPurpose(room: string): string {
  return `typed/${room}`;
}

async function sealedLogin(
  room: string,
  action: Extract<Action, { name: "login" }>,
  secrets: Secrets,
): Promise<Action> {
  const { login } = action.params;
  if (login === undefined) return action;
  const sealed = await (await secrets.vault).seal(JSON.stringify(login), loginPurpose(room));
  // The cast is safe: `loginAction` decrypts the parameters before other code reads them.
  return { name: "login", params: { sealed } as typeof action.params };
}

function needsHost(path: string): Refused {
  return new Refused(
    "request.invalid",
    `${path} is needed where there is no initial_url, whose host it would be.`,
    {
      status: 422,
      details: { issues: [{ path, message: "a host is needed" }] },
    },
  );
}
