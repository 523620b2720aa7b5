/**
 * The view `/actors`: lists all stored actors by kind and state, page by page, and updates as states change.
 */
import { useState } from "preact/hooks";
import type { ActorList } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { get, path, query as queryOf } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { useLive, useResource } from "../preact-store-hooks.ts";
import { Empty, Loaded, Moment, StateName, Table, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

/** Number of actors on one page of the view's list. */
const PAGE = 50;

export function ActorsView({ query }: ViewProps) {
  const kind = query.get("kind") ?? "";
  const state = query.get("state") ?? "";
  const cursor = query.get("cursor") ?? "";
  const [stateText, setStateText] = useState(state);
  const kinds = useResource("kinds", () => get<{ readonly kinds: readonly string[] }>("/api/machines"));
  const list = useResource(`${kind} ${state} ${cursor}`, () =>
    get<ActorList>(`/api/actors${queryOf({ kind, state, cursor, limit: PAGE })}`),
  );
  // State changes and dead letters (commands that an actor could not handle) change the list of actors, so the list
  // is then read again. Other events do not change it.
  useLive(`/ws/inspect${queryOf({ kind, what: "state,dead_letter" })}`, list.reload, list.reload);
  const address = (change: Readonly<Record<string, string>>): string =>
    `/actors${queryOf({ kind, state, ...change })}`;
  return (
    <View
      title="Actors"
      about="Everything Cairn does is done by actors. Each has durable state and a statechart."
    >
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          open(address({ state: stateText.trim() }));
        }}
      >
        <label>
          Kind
          <select value={kind} onChange={({ currentTarget }) => open(address({ kind: currentTarget.value }))}>
            <option value="">all</option>
            {(kinds.value?.kinds ?? [kind].filter(Boolean)).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          State
          <input
            value={stateText}
            placeholder="active, parked, …"
            autocomplete="off"
            onInput={({ currentTarget }) => setStateText(currentTarget.value)}
          />
        </label>
        <button type="submit">Show</button>
      </form>
      <Loaded of={list}>
        {({ actors, next_cursor }) =>
          actors.length === 0 ? (
            <Empty title="There is no such actor.">
              {kind || state || cursor ? (
                <a href="/actors">Show all actors</a>
              ) : (
                <>
                  Start an <a href="/explorations">exploration</a>, and its actors appear here.
                </>
              )}
            </Empty>
          ) : (
            <>
              <Table caption="Actors" head={["Id", "Kind", "State", "Last activity", "Shard"]}>
                {actors.map((actor) => (
                  <tr key={`${actor.kind}/${actor.id}`} data-actor={`${actor.kind}/${actor.id}`}>
                    <td class="id">
                      <a href={path("/actors", actor.kind, actor.id)}>{actor.id}</a>
                    </td>
                    <td>{actor.kind}</td>
                    <td>
                      <StateName state={actor.state} />
                    </td>
                    <td>
                      <Moment at={actor.updated_at} />
                    </td>
                    <td class="soft">{actor.shard}</td>
                  </tr>
                ))}
              </Table>
              <nav class="pages" aria-label="Pages">
                {cursor !== "" && <a href={address({})}>First page</a>}
                {next_cursor !== null && (
                  <a href={address({ cursor: next_cursor })} rel="next">
                    Next page
                  </a>
                )}
              </nav>
            </>
          )
        }
      </Loaded>
    </View>
  );
}
