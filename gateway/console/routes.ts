/** The routes of the console. Every view has its own URL and is linked from the first page. */
import { Elysia } from "elysia";
import type { Surface } from "../context.ts";
import { readText } from "../rest/request-body.ts";
import type { ConsoleSessions } from "../security/console-session.ts";
import type { Keys } from "../security/keys.ts";
import { hidden } from "../security/route-scopes.ts";
import { actorListPage } from "./actor-list.ts";
import { actorPage } from "./actor-page.ts";
import { pageScript, styleSheet } from "./assets.ts";
import type { Diagrams } from "./chart/diagrams.ts";
import { homePage } from "./home.ts";
import { machinesPage } from "./machines-page.ts";
import { SCRIPT_PATH, STYLE_PATH } from "./page.ts";
import { SIGN_IN_PATH, signedIn, signInPage } from "./sign-in.ts";

const looked = hidden("read");
const open = hidden("open");

export interface ConsoleOptions {
  readonly surface: Surface;
  readonly diagrams: Diagrams;
  /** Absent where no key is required. */
  readonly signIn: { readonly keys: Keys; readonly sessions: ConsoleSessions } | undefined;
}

export function consoleRoutes({ surface, diagrams, signIn }: ConsoleOptions) {
  const { system } = surface;
  return new Elysia({ name: "console" })
    .get("/", () => homePage(), looked)
    .get("/actors", async ({ query }) => actorListPage(await system.available(), query), looked)
    .get(
      "/actors/:kind/:id",
      async ({ params }) => actorPage(await system.available(), diagrams, params),
      looked,
    )
    .get("/machines", async () => machinesPage(await system.available(), diagrams), looked)
    .get(SIGN_IN_PATH, () => (signIn ? signInPage("/") : signedIn("/")), open)
    .post(
      SIGN_IN_PATH,
      async ({ request }) => {
        const form = new URLSearchParams(await readText(request));
        const next = form.get("next") ?? "/";
        if (!signIn) return signedIn(next);
        const caller = signIn.keys.callerOf(form.get("key") ?? "");
        if (!caller) return signInPage(next, true);
        const secure = request.headers.get("x-forwarded-proto") === "https";
        return signedIn(next, signIn.sessions.cookie(caller, Date.now(), secure));
      },
      { parse: "none", ...open },
    )
    .get(STYLE_PATH, ({ request }) => styleSheet(request), open)
    .get(SCRIPT_PATH, ({ request }) => pageScript(request), looked);
}
