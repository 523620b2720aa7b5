/**
 * The API pages: Swagger UI to try requests, and Redoc to read. Both render `/openapi.json` in the browser
 * and load nothing from other hosts. Both need inline styles and a worker from a blob URL, so their content
 * policy permits these.
 */
import { type Html, html } from "../console/escaped-html-template.ts";
import { ASSETS_PATH } from "./docs-assets.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};

function page(title: string, parts: { readonly head: Html; readonly body: Html }): Response {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Cairn</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS_PATH}/docs.css">
${parts.head}
</head>
<body>
<nav class="top" aria-label="Documentation">
<a class="brand" href="/">Cairn</a>
<a href="/docs">Try it out</a>
<a href="/redoc">Read</a>
<a href="/openapi.json">OpenAPI</a>
</nav>
<noscript><p>This page is drawn by a script. <a href="/openapi.json">/openapi.json</a> says the same.</p></noscript>
${parts.body}
</body>
</html>
`;
  return new Response(text, { headers });
}

export function tryOutPage(): Response {
  return page("API", {
    head: html`<link rel="stylesheet" href="${ASSETS_PATH}/swagger-ui.css">`,
    body: html`<main id="docs"></main>
<script src="${ASSETS_PATH}/swagger-ui.js"></script>
<script src="${ASSETS_PATH}/docs.js"></script>`,
  });
}

export function readingPage(): Response {
  return page("API reference", {
    head: html``,
    body: html`<main><redoc spec-url="/openapi.json" scroll-y-offset=".top" path-in-middle-panel required-props-first></redoc></main>
<script src="${ASSETS_PATH}/redoc.js"></script>`,
  });
}
