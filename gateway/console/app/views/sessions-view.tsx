/** The view `/sessions`: a form that opens a browser session, and the list of all sessions. */
import type { ActorList } from "../../../../machines/runtime/protocol.ts";
import { callTool, get, path } from "../api-client.ts";
import { open } from "../router.ts";
import { SchemaForm } from "../schema-form.tsx";
import { useLive, useResource } from "../use-store.ts";
import { Card, Empty, Loaded, Moment, StateName, Table, View } from "../view-parts.tsx";

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

/** Viewport of the sessions that the console opens. It fits next to the console's lists. */
const SIZE = { viewport_width: 1_280, viewport_height: 800 };

export async function startSession(values: Readonly<Record<string, unknown>>): Promise<void> {
  await callTool("start_browser_session", { ...SIZE, ...values });
}

export function SessionsView() {
  const list = useResource("sessions", () => get<ActorList>("/api/actors?kind=session&limit=100"));
  useLive("/ws/inspect?kind=session&what=state", list.reload, list.reload);
  return (
    <View
      title="Sessions"
      about="A session is a browser of its own for a room. Agents act in it by indices of elements; here you see what they see."
    >
      <div class="columns list-first">
        <Loaded of={list}>
          {({ actors }) =>
            actors.length === 0 ? (
              <Empty title="No browser runs yet.">Open one: choose a name and an address.</Empty>
            ) : (
              <Table caption="Sessions" head={["Room", "State", "Last activity"]}>
                {actors.map(({ id, state, updated_at }) => (
                  <tr key={id}>
                    <td class="id">
                      <a href={path("/sessions", id)}>{id}</a>
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
            )
          }
        </Loaded>
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
