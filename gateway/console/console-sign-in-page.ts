/** The sign-in page, and error pages for browsers. */
import type { CairnError } from "../../machines/errors.ts";
import { publicBody } from "../rest/error-response.ts";
import type { PathRedaction } from "../security/file-path-redaction.ts";
import { html } from "./escaped-html-template.ts";
import { pageResponse } from "./html-layout-of-gateway-pages.ts";

export const SIGN_IN_PATH = "/sign-in";
export const SIGN_OUT_PATH = "/sign-out";

/** Returns the path if it is a path of this Cairn, otherwise "/". This prevents redirects to other sites. */
function ownPath(given: string): string {
  const here = "http://cairn.invalid";
  if (!given.startsWith("/") || !URL.canParse(given, here)) return "/";
  const { origin, pathname, search } = new URL(given, here);
  return origin === here && !pathname.startsWith("//") ? pathname + search : "/";
}

export function signInPage(next: string, wrong = false): Response {
  const page = pageResponse({
    title: "Sign in",
    status: 401,
    body: html`<h1>Sign in</h1>
<p>This Cairn asks for a key: the value of <span class="mono">CAIRN_API_KEY</span>, or one of <span class="mono">CAIRN_API_KEYS</span>.</p>
${wrong && html`<p class="note">That is not the key.</p>`}
<form class="filters" action="${SIGN_IN_PATH}" method="post">
<input type="hidden" name="next" value="${ownPath(next)}">
<label>Key <input type="password" name="key" required autofocus autocomplete="current-password"></label>
<button>Sign in</button>
</form>`,
  });
  page.headers.set("www-authenticate", "Bearer");
  return page;
}

/** After a sign-in, redirects the person to the page that was requested before. */
export function signedIn(next: string, cookie?: string): Response {
  const headers = new Headers({ location: ownPath(next), "cache-control": "no-store" });
  if (cookie !== undefined) headers.set("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** Whether the request asks for an HTML page, as a browser does. */
export function wantsPage(request: Request): boolean {
  if (!URL.canParse(request.url)) return false;
  return request.method === "GET" && (request.headers.get("accept") ?? "").includes("text/html");
}

/** Renders an error as a page, or the sign-in form when the key is missing. */
export function failurePage(error: CairnError, request: Request, places: PathRedaction): Response {
  const { pathname, search } = new URL(request.url);
  if (error.status === 401) return signInPage(pathname + search);
  const { code, message } = publicBody(error, places);
  return pageResponse({
    title: String(error.status),
    status: error.status,
    body: html`<h1>${error.status === 404 ? "Not here" : "That did not work"}</h1>
<p>${message}</p>
<p class="soft mono">${code}</p>
<p><a href="/">First page</a> · <a href="/guide">Guide</a></p>`,
  });
}
