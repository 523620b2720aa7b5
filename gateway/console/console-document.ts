/**
 * The HTML document in which the console runs. It is the same for every view, and the address chooses the
 * view. Facts that the console needs immediately are attributes of the body, because inline scripts are
 * forbidden.
 */
import type { Caller } from "../security/api-key-scopes.ts";
import { version } from "../version.ts";
import { html } from "./escaped-html-template.ts";
import { ICON, PAGE_HEADERS, SCRIPT_PATH, STYLE_PATH } from "./html-layout-of-gateway-pages.ts";

/** Paths of the views of the console. The server answers each of them with the same document. */
export const VIEW_PATHS = [
  "/",
  "/actors",
  "/actors/:kind/:id",
  "/machines",
  "/machines/:kind",
  "/nodes",
  "/dead-letters",
  "/explorations",
  "/explorations/:id",
  "/sessions",
  "/sessions/:id",
  "/dialogues",
  "/dialogues/:id",
  "/maps",
  "/maps/:id",
  "/maps/:id/diff",
  "/navigations",
  "/navigations/:id",
  "/status",
  "/audit",
] as const;

export interface Visitor {
  readonly caller: Caller;
  /**
   * The token by which the console proves that a request comes from its own page. Absent if Cairn requires no
   * key.
   */
  readonly token: string | undefined;
}

export function shellResponse({ caller, token }: Visitor): Response {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body data-version="${version}" data-caller="${caller.name}" data-scope="${caller.scope}" data-token="${token ?? ""}">
<div id="app"></div>
<noscript><p class="noscript">The console needs JavaScript. The <a href="/guide">guide</a> and the <a href="/docs">API</a> work without it: for example <a href="/api/actors">/api/actors</a> and <a href="/ready">/ready</a>.</p></noscript>
</body>
</html>
`;
  return new Response(page.text, { headers: PAGE_HEADERS });
}
