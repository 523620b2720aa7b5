/**
 * `/actors`: all stored actors, page by page, by kind and state.
 * The page follows the states of the shown kind; its script requests a new rendering when one changes.
 */
import { z } from "zod";
import type { ActorSummary, Nodes } from "../../machines/runtime/protocol.ts";
import type { Cairn } from "../actor-system.ts";
import { type Html, html } from "./html.ts";
import { consoleLimits } from "./limits.ts";
import { moment } from "./moment.ts";
import { pageResponse } from "./page.ts";

const text = z
  .string()
  .trim()
  .max(200)
  .transform((given) => (given === "" ? undefined : given))
  .optional();
/** A form also sends empty fields. */
const querySchema = z.object({ kind: text, state: text, id: text, cursor: text });
type Query = z.infer<typeof querySchema>;

export function actorPath(kind: string, id: string): string {
  return `/actors/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`;
}

function listPath(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const parameters = new URLSearchParams(given).toString();
  return parameters === "" ? "/actors" : `/actors?${parameters}`;
}

/** The node and worker that own each shard. */
function owners({ nodes }: Nodes): ReadonlyMap<number, string> {
  return new Map(
    nodes.flatMap((node) =>
      node.workers.flatMap((worker) => worker.shards.map((shard) => [shard, worker.name] as const)),
    ),
  );
}

function row({ kind, id, state, shard, updated_at }: ActorSummary, owner: string | undefined): Html {
  return html`<tr data-actor="${kind}/${id}"><td class="id"><a href="${actorPath(kind, id)}">${id}</a></td><td>${kind}</td><td><span class="state-name${state === "parked" && " parked"}">${state}</span></td><td>${moment(updated_at)}</td><td class="soft">shard ${shard}</td><td class="soft">${owner ?? "nobody now"}</td></tr>
`;
}

function filters(query: Query, kinds: readonly string[]): Html {
  const chosen = (kind: string | undefined) => query.kind === kind && html` selected`;
  return html`<form class="filters" action="/actors" method="get">
<label>Kind <select name="kind"><option value=""${chosen(undefined)}>all</option>${kinds.map(
    (kind) => html`<option value="${kind}"${chosen(kind)}>${kind}</option>`,
  )}</select></label>
<label>State <input name="state" value="${query.state ?? ""}" placeholder="active, parked, …" autocomplete="off"></label>
<label>Id <input name="id" placeholder="opens this one actor" autocomplete="off"></label>
<button>Show</button>
</form>`;
}

export async function actorListPage(cairn: Cairn, given: unknown): Promise<Response> {
  const query = querySchema.parse(given);
  if (query.kind !== undefined && query.id !== undefined) {
    return new Response(null, { status: 303, headers: { location: actorPath(query.kind, query.id) } });
  }
  const { kind, state, cursor } = query;
  const [{ actors, next_cursor }, nodes] = await Promise.all([
    cairn.operations.actors({ kind, state, cursor, limit: consoleLimits.actorsPage }),
    cairn.operations.nodes(),
  ]);
  const owner = owners(nodes);
  const next = next_cursor === null ? undefined : listPath({ ...query, cursor: next_cursor });
  const body = html`<h1>Actors</h1>
${filters(query, cairn.machines.kinds())}
${query.id !== undefined && html`<p class="note">Choose a kind, too: an id is one of its kind.</p>`}
<section class="card scroll" id="list" data-live>
${
  actors.length === 0
    ? html`<p class="empty">There is no such actor.</p>`
    : html`<table class="actors"><thead><tr><th>Id</th><th>Kind</th><th>State</th><th>Last activity (UTC)</th><th>Shard</th><th>Owner</th></tr></thead>
<tbody>${actors.map((actor) => row(actor, owner.get(actor.shard)))}</tbody></table>`
}
<nav class="pages" aria-label="Pages">${cursor !== undefined && html`<a href="${listPath({ ...query, cursor: undefined })}">First page</a>`}${next !== undefined && html`<a href="${next}" rel="next">Next page</a>`}</nav>
</section>`;
  // Lease owners belong to no kind, so they are followed for all.
  const follows = new URLSearchParams(
    kind === undefined ? { what: "state,dead_letter,lease,worker" } : { what: "state,dead_letter", kind },
  );
  return pageResponse({ title: "Actors", body, follows: follows.toString() });
}
