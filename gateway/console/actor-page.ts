/**
 * `/actors/{kind}/{id}`: the statechart of one actor with its current states, and its timers, effects, events
 * and context.
 * Parts with `data-live` are rendered again when the script requests it. The script updates the diagram and
 * the log itself, from `/ws/inspect`.
 */
import { Refused } from "../../machines/errors.ts";
import { activeStates, type Chart } from "../../machines/inspection/statechart.ts";
import type { ActorDetail } from "../../machines/runtime/protocol.ts";
import type { Cairn } from "../actor-system.ts";
import type { Diagrams } from "./chart/diagrams.ts";
import { escapeHtml, Html, html } from "./html.ts";
import { lastTransition } from "./last-transition.ts";
import { moment, timeOfDay } from "./moment.ts";
import { pageResponse } from "./page.ts";
import { valueTree } from "./value-tree.ts";

function facts(actor: ActorDetail): Html {
  const { state, status, shard, owner, fence, mailbox, machine } = actor;
  const full = mailbox.waiting > 0 ? html`${mailbox.waiting} of ${mailbox.capacity}` : html`empty`;
  return html`<dl class="facts">
<div><dt>State</dt><dd><span class="state-name${state === "parked" && " parked"}" id="state">${state}</span></dd></div>
${status !== "active" && html`<div><dt>Machine</dt><dd>${status}</dd></div>`}
<div><dt>Mailbox</dt><dd id="mailbox" data-capacity="${mailbox.capacity}">${full}</dd></div>
<div><dt>Shard</dt><dd>${shard} <span class="soft">fence ${fence}</span></dd></div>
<div><dt>Owner</dt><dd>${owner}</dd></div>
<div><dt>Version</dt><dd>${machine.version}</dd></div>
</dl>
${actor.parked && html`<p class="note">Out of service since ${moment(actor.parked.at)}: <b>${actor.parked.code}</b> ${actor.parked.message}</p>`}`;
}

function listOf<Item>(items: readonly Item[], none: string, show: (item: Item) => Html): Html {
  if (items.length === 0) return html`<p class="empty">${none}</p>`;
  return html`<ul class="plain">${items.map((item) => html`<li>${show(item)}</li>`)}</ul>`;
}

function underWay({ timers, effects, outbox }: ActorDetail): Html {
  return html`<h2>Effects</h2>${listOf(effects, "None runs.", ({ id, src, run }) => html`<b>${id}</b> ${src !== id && src} <span class="soft">run ${run}</span>`)}
<h2>Timers</h2>${listOf(timers, "None is set.", ({ event, due }) => html`${event} <span class="soft">at ${moment(due)}</span>`)}
<h2>Sends</h2>${listOf(outbox, "Nothing waits to be delivered.", ({ to, event, seq }) => html`${event} to <b>${to}</b> <span class="soft">no. ${seq}</span>`)}`;
}

function logLines({ last_events }: ActorDetail): Html {
  // The arrival of a send is not an event of the machine.
  const shown = last_events.toReversed().filter(({ source }) => source !== "outbox");
  return html`<ol class="plain" id="log" tabindex="0" aria-label="Events, the newest first">${shown.map(
    ({ at, type, source, outcome, state }) =>
      html`<li>${timeOfDay(at)}<span>${source} → <b>${type}</b>${outcome !== "ok" && html` <span class="bad">${outcome}</span>`} <span class="soft">${state}</span></span></li>
`,
  )}</ol>`;
}

/** The diagram with its active states and its last transition highlighted. */
function highlightedDiagram(svg: string, chart: Chart, { value, parked, last_events }: ActorDetail): Html {
  // Escaped as in the drawing.
  const active = new Set(parked ? [] : activeStates(chart, value).map(escapeHtml));
  const taken = escapeHtml(lastTransition(chart, last_events) ?? "");
  const lit = svg.replace(
    /<g class="([\w ]+)" data-(state|words|transition)="([^"]*)"/g,
    (whole, name: string, of: string, id: string) => {
      const is = of === "transition" ? id === taken && "taken" : active.has(id) && "active";
      return is ? `<g class="${name} ${is}" data-${of}="${id}"` : whole;
    },
  );
  return new Html(lit);
}

export async function actorPage(
  cairn: Cairn,
  diagrams: Diagrams,
  { kind, id }: { readonly kind: string; readonly id: string },
): Promise<Response> {
  const [actor, chart] = await Promise.all([cairn.operations.actor(kind, id), chartFor(cairn, kind)]);
  const drawing = chart && highlightedDiagram(await diagrams.draw(chart), chart, actor);
  const diagram = `/api/machines/${encodeURIComponent(kind)}/diagram.svg`;
  const body = html`<h1>${kind} <span class="mono">${id}</span></h1>
<div data-live id="facts">${facts(actor)}</div>
<div class="columns">
<section class="card">
<h2>Statechart</h2>
${
  drawing
    ? html`<div class="scroll" tabindex="0" role="group" aria-label="Statechart">${drawing}</div>
<p class="legend"><span><span class="key"></span>where it is</span><span><span class="key taken"></span>the last transition</span><a href="${diagram}">the diagram alone</a></p>`
    : html`<p class="empty">This node does not know the machine of ${kind}.</p>`
}
</section>
<div>
<section class="card"><h2>Events</h2>${logLines(actor)}</section>
<section class="card" data-live id="under-way">${underWay(actor)}</section>
<section class="card"><h2>Context</h2><div data-live id="context">${valueTree(actor.context)}</div></section>
</div>
</div>`;
  const follows = new URLSearchParams({ kind, id }).toString();
  return pageResponse({ title: `${kind} ${id}`, body, follows });
}

/** Another node of the cluster may have a kind that this node does not know. */
async function chartFor(cairn: Cairn, kind: string): Promise<Chart | undefined> {
  try {
    return await cairn.machines.chart(kind);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
