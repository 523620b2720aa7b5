/** Records the actions of a session, lists recordings, and replays one in the session. */
import type { RecordingHead } from "../../../../machines/session/session-recording-schemas.ts";
import { call, callTool, get, path, post } from "../console-api-client.ts";
import { useAction, useResource } from "../preact-store-hooks.ts";
import { ActionButton, Empty, Loaded, Moment, Table } from "../view-components.tsx";

export function Recordings({ room }: { readonly room: string }) {
  const list = useResource("recordings", () =>
    get<{ readonly recordings: readonly RecordingHead[] }>("/api/recordings"),
  );
  const [isRunning, run] = useAction();
  const isRecording =
    list.value?.recordings.some(({ room_name, ended_at }) => room_name === room && ended_at === null) ??
    false;
  const record = (): void =>
    void run(
      async () => {
        await callTool(isRecording ? "stop_recording" : "start_recording", { room_name: room });
      },
      isRecording ? "The recording is stored." : "Actions are recorded.",
    ).then(list.reload);
  return (
    <>
      <p>
        <ActionButton disabled={isRunning} onClick={record}>
          {isRecording ? "Stop recording" : "Record the next actions"}
        </ActionButton>
      </p>
      <Loaded of={list}>
        {({ recordings }) =>
          recordings.length === 0 ? (
            <Empty title="Nothing is recorded.">
              A recording repeats actions later, each on the element that is surely the same.
            </Empty>
          ) : (
            <Table caption="Recordings" head={["Name", "Room", "Begun", "Ended", "Do"]}>
              {recordings.map(({ recording_id, name, room_name, started_at, ended_at }) => (
                <tr key={recording_id}>
                  <td class="id">
                    <a href={path("/api/recordings", recording_id)} target="_blank" rel="noreferrer">
                      {name}
                    </a>
                  </td>
                  <td>{room_name}</td>
                  <td>
                    <Moment at={started_at} />
                  </td>
                  <td>{ended_at === null ? "recording now" : <Moment at={ended_at} />}</td>
                  <td>
                    <ActionButton
                      disabled={isRunning}
                      onClick={() =>
                        void run(
                          () => post("/api/recordings/replay", { room_name: room, recording_id }),
                          "Replayed.",
                        )
                      }
                    >
                      Replay here
                    </ActionButton>{" "}
                    <ActionButton
                      disabled={isRunning}
                      onClick={() =>
                        void run(() => call("DELETE", path("/api/recordings", recording_id))).then(
                          list.reload,
                        )
                      }
                    >
                      Delete
                    </ActionButton>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </>
  );
}
