/** The view `/sessions`: a form that opens a browser session, and the list of all sessions. */
import type { SessionList } from "../../../../machines/session/list-sessions-schemas.ts";
import { callTool, get, path, query as queryOf } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { SchemaForm } from "../forms/json-schema-form.tsx";
import { useLive, useResource } from "../preact-store-hooks.ts";
import { Card, Empty, Loaded, Moment, StateName, Table, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

const START_FORM = {
  type: "object",
  required: ["room_name", "initial_url"],
  properties: {
    room_name: { type: "string", description: "A name of your choice" },
    initial_url: { type: "string", description: "The first address" },
    viewport_width: { type: "integer", default: 1_280, minimum: 200, maximum: 4_000 },
    viewport_height: { type: "integer", default: 800, minimum: 200, maximum: 4_000 },
  },
} as const;

/**
 * Viewport of the sessions that the console opens. The picture of this size fits next to the console's lists.
 */
const SIZE = { viewport_width: 1_280, viewport_height: 800 };

export async function startSession(values: Readonly<Record<string, unknown>>): Promise<void> {
  await callTool("start_browser_session", { ...SIZE, ...values });
}

/** The sessions that are not closed, page by page, each with the address that it shows. */
function OpenSessions({ cursor }: { readonly cursor: string }) {
  const list = useResource(`sessions ${cursor}`, () =>
    get<SessionList>(`/api/sessions${queryOf({ cursor })}`),
  );
  useLive("/ws/inspect?kind=session&what=state", list.reload, list.reload);
  return (
    <Loaded of={list}>
      {({ sessions, next_cursor }) =>
        sessions.length === 0 ? (
          <Empty title="No browser runs yet.">Open one: choose a name and an address.</Empty>
        ) : (
          <div>
            <Table caption="Sessions" head={["Room", "State", "Address", "Last activity"]}>
              {sessions.map(({ room_name, state, url, last_used_at }) => (
                <tr key={room_name}>
                  <td class="id">
                    <a href={path("/sessions", room_name)}>{room_name}</a>
                  </td>
                  <td>
                    <StateName state={state} />
                  </td>
                  <td class="id">{url ?? ""}</td>
                  <td>
                    <Moment at={last_used_at} />
                  </td>
                </tr>
              ))}
            </Table>
            {next_cursor !== null && (
              <nav class="pages" aria-label="Pages">
                <a href={`/sessions${queryOf({ cursor: next_cursor })}`}>Next page</a>
              </nav>
            )}
          </div>
        )
      }
    </Loaded>
  );
}

export function SessionsView({ query }: ViewProps) {
  return (
    <View
      title="Sessions"
      about="A session is a browser of its own for a room. Agents act in it by indices of elements; here you see what they see."
    >
      <div class="columns list-first">
        <OpenSessions cursor={query.get("cursor") ?? ""} />
        <Card title="Open a session">
          <SchemaForm
            schema={START_FORM}
            submit="Open"
            onSubmit={async (values) => {
              await startSession(values);
              open(path("/sessions", String(values.room_name)));
            }}
          />
        </Card>
      </div>
    </View>
  );
}
