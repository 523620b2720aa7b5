/**
 * A diagram as a separate SVG document with its style sheet inside. It follows the reader's light or dark
 * theme.
 */
const STYLE = `<style>
svg { --paper: #fff; --ink: #1b1f27; --soft: #5a6372; --line: #c9d0da; background: var(--paper); }
@media (prefers-color-scheme: dark) {
  svg { --paper: #1d2128; --ink: #e7eaf0; --soft: #a0a9b8; --line: #454d5b; }
}
text { fill: var(--ink); }
.guard { fill: var(--soft); }
.box, .label .pill, .backdrop { fill: var(--paper); }
.box, .inner, .line { stroke: var(--soft); }
.rule, .label .pill { stroke: var(--line); }
.start, .head { fill: var(--soft); }
.parallel > .box { stroke-dasharray: 6 4; }
</style>`;

export function asDocument(svg: string): Response {
  const document = svg.replace(/^<svg[^>]*>/, (open) => `${open}\n${STYLE}`);
  return new Response(document, {
    headers: {
      "content-type": "image/svg+xml; charset=utf-8",
      // The content policy of the diagram permits its own style sheet and nothing else.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    },
  });
}
