/**
 * The routes of the web console. Every view has its own address, and all views are served as the same
 * document.
 */
import { Elysia } from "elysia";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { readText } from "../rest/request-body.ts";
import type { Keys } from "../security/api-keys.ts";
import type { ConsoleSessions } from "../security/console-sign-in-session.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { consoleScript, styleSheet } from "./console-assets.ts";
import { shellResponse, VIEW_PATHS } from "./console-document.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH, signedIn, signInPage } from "./console-sign-in-page.ts";
import { SCRIPT_PATH, STYLE_PATH } from "./html-layout-of-gateway-pages.ts";
import type { TrySite } from "./try-it/try-it-site.ts";

const looked = hidden("read");
const open = hidden("open");

export interface ConsoleOptions {
  readonly surface: Surface;
  /** The configuration of sign-in. It is absent if Cairn requires no key. */
  readonly signIn: { readonly keys: Keys; readonly sessions: ConsoleSessions } | undefined;
  readonly trySite: TrySite;
}

const isSecure = (request: Request): boolean => request.headers.get("x-forwarded-proto") === "https";

export function consoleRoutes({ surface, signIn, trySite }: ConsoleOptions) {
  const shell = ({ request }: { readonly request: Request }): Response => {
    const { caller } = surface.requests.authenticated(request);
    return shellResponse({ caller, token: signIn?.sessions.tokenOf(request, Date.now()) });
  };
  const app = new Elysia({ name: "console" });
  for (const path of VIEW_PATHS) app.get(path, shell, looked);
  return app
    .post("/console/try-it", async () => Response.json(await trySite.open()), {
      parse: "none",
      ...hidden("act"),
    })
    .get(
      SIGN_IN_PATH,
      ({ request }) => {
        const next = new URL(request.url).searchParams.get("next") ?? "/";
        return signIn ? signInPage(next) : signedIn(next);
      },
      open,
    )
    .post(
      SIGN_IN_PATH,
      async ({ request }) => {
        const form = new URLSearchParams(await readText(request));
        const next = form.get("next") ?? "/";
        if (!signIn) return signedIn(next);
        const caller = signIn.keys.callerOf(form.get("key") ?? "");
        if (!caller) return signInPage(next, true);
        return signedIn(next, signIn.sessions.cookie(caller, Date.now(), isSecure(request)));
      },
      { parse: "none", ...open },
    )
    .post(
      SIGN_OUT_PATH,
      ({ request }) => signedIn(SIGN_IN_PATH, signIn?.sessions.endingCookie(isSecure(request))),
      { parse: "none", ...open },
    )
    .get(STYLE_PATH, ({ request }) => styleSheet(request), open)
    .get(SCRIPT_PATH, ({ request }) => consoleScript(request), looked);
}
