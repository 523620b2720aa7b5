/** The view `/dialogues`: a form that gives a session a task in words, and the list of all dialogues. */

import { useState } from "preact/hooks";
import type { ActorList } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { ActorsOfKind } from "../actors/actors-of-kind.tsx";
import { get, path, post } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { may } from "../facts-in-console-document.ts";
import { useAction, useLive, useResource } from "../preact-store-hooks.ts";
import { Card, Loaded, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

function StartForm({ room }: { readonly room: string }) {
  const sessions = useResource("sessions", () => get<ActorList>("/api/actors?kind=session&limit=100"));
  useLive("/ws/inspect?kind=session&what=state", sessions.reload, sessions.reload);
  const [chosen, setChosen] = useState(room);
  const [task, setTask] = useState("");
  const [isRunning, run] = useAction();
  return (
    <Loaded of={sessions}>
      {({ actors }) =>
        actors.length === 0 ? (
          <p class="nothing">
            A dialogue works in a browser session. <a href="/sessions">Open a session</a> first.
          </p>
        ) : (
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void run(async () => {
                const room_name = chosen || actors[0]?.id;
                const { dialogue_id } = await post<{ readonly dialogue_id: string }>("/api/dialogues", {
                  task,
                  room_name,
                });
                open(path("/dialogues", dialogue_id));
              });
            }}
          >
            <div class="field">
              <label for="dialogue-room">Session</label>
              <select
                id="dialogue-room"
                value={chosen || actors[0]?.id}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              >
                {actors.map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            </div>
            <div class="field">
              <label for="dialogue-task">Task</label>
              <textarea
                id="dialogue-task"
                rows={3}
                required
                value={task}
                placeholder={'Type "Vienna" into City and click Save'}
                onInput={({ currentTarget }) => setTask(currentTarget.value)}
              />
            </div>
            <button type="submit" class="primary" disabled={isRunning || !may("act")}>
              Plan it
            </button>
          </form>
        )
      }
    </Loaded>
  );
}

export function DialoguesView({ query }: ViewProps) {
  return (
    <View
      title="Dialogues"
      about="A dialogue carries out a task in words: it plans, asks what is unclear, gets approval, and recovers when a step fails."
    >
      <div class="columns list-first">
        <ActorsOfKind
          kind="dialogue"
          view="/dialogues"
          caption="Dialogues"
          idHeading="Dialogue"
          emptyTitle="No task has been given yet."
        >
          Say in words what is to be done in a session. No model is needed.
        </ActorsOfKind>
        <Card title="A new task">
          <StartForm room={query.get("room") ?? ""} />
        </Card>
      </div>
    </View>
  );
}
