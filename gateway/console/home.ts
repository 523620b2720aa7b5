/**
 * The first page: what this is, and a plain link to every view.
 */
import { version } from "../version.ts";
import { html } from "./html.ts";
import { pageResponse } from "./page.ts";

export function homePage(): Response {
  return pageResponse({
    title: "First page",
    body: html`<h1>This is a Cairn</h1>
<p>It explores web applications, keeps a map of each, and tells agents the way. Version ${version}.</p>
<section class="card">
<h2>Look</h2>
<ul class="plain">
<li><a href="/actors">Actors</a>: everything that is at work, with its state, live</li>
<li><a href="/machines">Machines</a>: the statecharts that they follow</li>
<li><a href="/api/knowledge">Maps</a> and <a href="/api/knowledge/explore/jobs">explorations</a>, as JSON</li>
<li><a href="/ready">Readiness</a>: whether it can work, and what is missing</li>
</ul>
</section>
<section class="card">
<h2>Call</h2>
<ul class="plain">
<li><a href="/docs">API</a>: every route, to try out, or <a href="/redoc">to read</a>, or as <a href="/openapi.json">OpenAPI</a></li>
<li><a href="/mcp/tools">Tools</a>: the same, for agents</li>
</ul>
</section>`,
  });
}
