/**
 * The first page: what Cairn is, and a link to every view.
 */
import { version } from "../version.ts";
import { html } from "./html.ts";
import { pageResponse } from "./page.ts";

export function homePage(): Response {
  return pageResponse({
    title: "Start",
    body: html`<h1>Cairn</h1>
<p>Cairn explores web applications, keeps a map of each, and gives AI agents routes and browsers. Version ${version}.</p>
<section class="card">
<h2>Learn</h2>
<ul class="plain">
<li><a href="/guide/getting-started">Getting started</a>: explore a site, ask its map, act in a browser</li>
<li><a href="/guide/mcp">Connect an agent</a> over MCP</li>
<li><a href="/guide">The guide</a></li>
</ul>
</section>
<section class="card">
<h2>Watch</h2>
<ul class="plain">
<li><a href="/actors">Actors</a>: everything that runs, with its state, live</li>
<li><a href="/machines">Machines</a>: the statecharts of all kinds</li>
<li><a href="/api/knowledge">Maps</a> and <a href="/api/knowledge/explore/jobs">explorations</a>, as JSON</li>
<li><a href="/ready">Readiness</a>: whether Cairn can work, and what is missing</li>
</ul>
</section>
<section class="card">
<h2>Call</h2>
<ul class="plain">
<li><a href="/docs">API</a>: every route, to try out, <a href="/redoc">to read</a>, or as <a href="/openapi.json">OpenAPI</a></li>
<li><a href="/mcp/tools">Tools</a>: every tool with its schema</li>
</ul>
</section>`,
  });
}
