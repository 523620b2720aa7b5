/**
 * The pages of the console. Every view has its own address and is reached by a plain link from the first page.
 */
import { Elysia } from "elysia";
import { readText } from "../rest/body.ts";
import type { Surface } from "../rest/operation.ts";
import { isKey } from "../security/guard.ts";
import type { Sessions } from "../security/session.ts";
import { actorListPage } from "./actor-list.ts";
import { actorPage } from "./actor-page.ts";
import { pageScript, styleSheet } from "./assets.ts";
import type { Diagrams } from "./chart/diagrams.ts";
import { homePage } from "./home.ts";
import { machinesPage } from "./machines-page.ts";
import { SCRIPT_PATH, STYLE_PATH } from "./page.ts";
import { SIGN_IN_PATH, signedIn, signInPage } from "./sign-in.ts";

const hidden = { detail: { hide: true } } as const;

export interface ConsoleOptions {
  readonly surface: Surface;
  readonly diagrams: Diagrams;
  /** Absent where no key is asked for. */
  readonly signIn: { readonly key: string; readonly sessions: Sessions } | undefined;
}

export function consoleRoutes({ surface, diagrams, signIn }: ConsoleOptions) {
  const { system } = surface;
  return new Elysia({ name: "console" })
    .get("/", () => homePage(), hidden)
    .get("/actors", async ({ query }) => actorListPage(await system.available(), query), hidden)
    .get(
      "/actors/:kind/:id",
      async ({ params }) => actorPage(await system.available(), diagrams, params),
      hidden,
    )
    .get("/machines", async () => machinesPage(await system.available(), diagrams), hidden)
    .get(SIGN_IN_PATH, () => (signIn ? signInPage("/") : signedIn("/")), hidden)
    .post(
      SIGN_IN_PATH,
      async ({ request }) => {
        const form = new URLSearchParams(await readText(request));
        const next = form.get("next") ?? "/";
        if (!signIn) return signedIn(next);
        if (!isKey(form.get("key") ?? "", signIn.key)) return signInPage(next, true);
        const secure = request.headers.get("x-forwarded-proto") === "https";
        return signedIn(next, signIn.sessions.cookie(Date.now(), secure));
      },
      { parse: "none", ...hidden },
    )
    .get(STYLE_PATH, ({ request }) => styleSheet(request), hidden)
    .get(SCRIPT_PATH, ({ request }) => pageScript(request), hidden);
}
