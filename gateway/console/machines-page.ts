/** `/machines`: the statecharts of all kinds. */
import type { Cairn } from "../actor-system.ts";
import type { Diagrams } from "./chart/diagrams.ts";
import { Html, html } from "./html.ts";
import { pageResponse } from "./page.ts";

export async function machinesPage(cairn: Cairn, diagrams: Diagrams): Promise<Response> {
  const drawn = await Promise.all(
    cairn.machines.kinds().map(async (kind) => {
      const chart = await cairn.machines.chart(kind);
      return { kind, chart, svg: await diagrams.draw(chart) };
    }),
  );
  const body = html`<h1>Machines</h1>
<p>Every actor follows the statechart of its kind. ${drawn.map(({ kind }) => html`<a href="#${kind}">${kind}</a> `)}</p>
${drawn.map(
  ({ kind, chart, svg }) => html`<section class="card" id="${kind}">
<h2>${kind}</h2>
<p class="soft">${chart.states.length} states, ${chart.transitions.length} transitions · <a href="/actors?kind=${kind}">actors</a> · <a href="/api/machines/${kind}">as JSON</a> · <a href="/api/machines/${kind}/diagram.svg">the diagram alone</a></p>
<div class="scroll" tabindex="0" role="group" aria-label="Statechart of ${kind}">${new Html(svg)}</div>
</section>
`,
)}`;
  return pageResponse({ title: "Machines", body });
}
