/** Lists the actors of one kind, each with a link to its view, its state and its last activity. */
import type { ComponentChildren } from "preact";
import type { ActorList } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { get, path } from "../console-api-client.ts";
import { useLive, useResource } from "../preact-store-hooks.ts";
import { Empty, Loaded, Moment, StateName, Table } from "../view-components.tsx";

/** Maximum number of actors that a list of one kind shows. The view `/actors` shows all actors. */
const MOST_LISTED = 100;

interface ActorsOfKindProps {
  readonly kind: string;
  /** The first part of the path of an actor's view, such as `/sessions/`. The actor's id follows it. */
  readonly view: string;
  readonly caption: string;
  /** Heading of the column with the ids of the actors. */
  readonly idHeading: string;
  /** Title that is shown when the list is empty. Below the title, `children` explain what the user can do. */
  readonly emptyTitle: string;
  readonly children: ComponentChildren;
}

export function ActorsOfKind({ kind, view, caption, idHeading, emptyTitle, children }: ActorsOfKindProps) {
  const list = useResource(kind, () => get<ActorList>(`/api/actors?kind=${kind}&limit=${MOST_LISTED}`));
  useLive(`/ws/inspect?kind=${kind}&what=state`, list.reload, list.reload);
  return (
    <Loaded of={list}>
      {({ actors, next_cursor }) =>
        actors.length === 0 ? (
          <Empty title={emptyTitle}>{children}</Empty>
        ) : (
          <div>
            <Table caption={caption} head={[idHeading, "State", "Last activity"]}>
              {actors.map(({ id, state, updated_at }) => (
                <tr key={id}>
                  <td class="id">
                    <a href={path(view, id)}>{id}</a>
                  </td>
                  <td>
                    <StateName state={state} />
                  </td>
                  <td>
                    <Moment at={updated_at} />
                  </td>
                </tr>
              ))}
            </Table>
            {next_cursor !== null && (
              <p class="soft">
                These are the first {actors.length}.{" "}
                <a href={`/actors?kind=${kind}`}>The list of all actors</a> has the others.
              </p>
            )}
          </div>
        )
      }
    </Loaded>
  );
}
