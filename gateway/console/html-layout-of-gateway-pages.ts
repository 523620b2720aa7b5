/**
 * The frame of pages that the server renders: the guide, the sign-in form, error pages. Its content policy
 * forbids inline scripts, inline styles and other hosts.
 */
import { type Html, html } from "./escaped-html-template.ts";

export const STYLE_PATH = "/console/console.css";
export const SCRIPT_PATH = "/console/console.js";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  // With the policy "no-referrer", browsers send `Origin: null` when a form is submitted. Cairn's request guard would
  // then refuse every sign-in.
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};

export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

/** The icon of the console: three stones of a cairn. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cg fill='%235a6372'%3E%3Crect x='1' y='11' width='14' height='4' rx='2'/%3E%3Crect x='3' y='6.5' width='10' height='3.6' rx='1.8'/%3E%3Crect x='5' y='2' width='6' height='3.6' rx='1.8'/%3E%3C/g%3E%3C/svg%3E";

export function pageResponse({ title, body, status = 200 }: Page): Response {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Cairn</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body class="document">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/">Cairn</a>
<nav aria-label="Pages"><a href="/">Console</a><a href="/guide">Guide</a><a href="/docs">API</a></nav>
</header>
<main id="main">
${body}
</main>
</body>
</html>
`;
  return new Response(page.text, { status, headers: PAGE_HEADERS });
}
