/** The view `/dialogues/{id}`: the panel of a dialogue, with the picture of its session. */
import type { DialogueView as Dialogue } from "../../../../machines/dialogue/dialogue-schemas.ts";
import { get, path } from "../console-api-client.ts";
import { DialoguePanel } from "../dialogue/dialogue-panel.tsx";
import { useLive, useResource } from "../preact-store-hooks.ts";
import { Loaded, View } from "../view-components.tsx";
import { SessionStage, useSession } from "./session-view.tsx";
import type { ViewProps } from "./view-props.ts";

export function DialogueView({ parameters: { id = "" } }: ViewProps) {
  const dialogue = useResource(id, () => get<Dialogue>(path("/api/dialogues", id)));
  const room = dialogue.value?.room_name || undefined;
  const { store, refresh, stream } = useSession(room);
  useLive(path("/ws/dialogues", id), dialogue.reload, dialogue.reload);
  return (
    <View
      title={dialogue.value?.task ?? id}
      up={{ href: "/dialogues", text: "Dialogues" }}
      wide
      actions={
        <>
          {room && <a href={path("/sessions", room)}>Session {room}</a>}
          <a href={path("/actors", "dialogue", id)}>Statechart</a>
        </>
      }
    >
      <Loaded of={dialogue}>
        {(value) => (
          <div class="beside">
            <DialoguePanel dialogue={value} changed={dialogue.reload} />
            {room && <SessionStage room={room} store={store} refresh={refresh} stream={stream} />}
          </div>
        )}
      </Loaded>
    </View>
  );
}
