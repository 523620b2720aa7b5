/** The view `/sessions`: a form that opens a browser session, and the list of all sessions. */
import { ActorsOfKind } from "../actors-of-kind.tsx";
import { callTool, path } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { SchemaForm } from "../json-schema-form.tsx";
import { Card, View } from "../view-components.tsx";

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

export function SessionsView() {
  return (
    <View
      title="Sessions"
      about="A session is a browser of its own for a room. Agents act in it by indices of elements; here you see what they see."
    >
      <div class="columns list-first">
        <ActorsOfKind
          kind="session"
          view="/sessions"
          caption="Sessions"
          idHeading="Room"
          emptyTitle="No browser runs yet."
        >
          Open one: choose a name and an address.
        </ActorsOfKind>
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
