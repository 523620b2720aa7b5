/**
 * The view `/dead-letters`: lists messages that actors could not handle, with buttons to replay or discard
 * them.
 */
import { useState } from "preact/hooks";
import type {
  DeadLetter,
  DeadLetters,
  Replayed,
} from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { type ApiError, asApiError, call, get, path, post, query as queryOf } from "../console-api-client.ts";
import { say } from "../console-app-state.ts";
import { ValueTree } from "../forms/json-value-tree.tsx";
import { useAction, useLive, useResource } from "../preact-store-hooks.ts";
import { ActionButton, Card, Empty, Loaded, Moment, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

function Letter({ letter, changed }: { readonly letter: DeadLetter; readonly changed: () => void }) {
  const [isRunning, run] = useAction();
  const [failure, setFailure] = useState<Pick<ApiError, "code" | "message">>();
  const { id, kind, actor_id, item, error, attempts, at } = letter;
  async function replay(): Promise<void> {
    setFailure(undefined);
    try {
      const { state, outcome } = await post<Replayed>(`${path("/api/dead-letters", id)}/replay`);
      if (outcome?.error) setFailure(outcome.error);
      else say(`Replayed: ${kind}/${actor_id} is ${state} now.`);
    } catch (thrown) {
      setFailure(asApiError(thrown));
    }
    changed();
  }
  return (
    <Card class="letter">
      <div class="card-head">
        <h2>
          <a href={path("/actors", kind, actor_id)}>
            {kind} {actor_id}
          </a>
        </h2>
        <div class="actions">
          <ActionButton needs="admin" disabled={isRunning} onClick={() => void run(replay)}>
            Replay
          </ActionButton>
          <ActionButton
            needs="admin"
            disabled={isRunning}
            onClick={() =>
              void run(() => call("DELETE", path("/api/dead-letters", id)), "Discarded.").then(changed)
            }
          >
            Discard
          </ActionButton>
        </div>
      </div>
      <p>
        {error.message} <span class="mono soft">{error.code}</span>
      </p>
      <p class="soft">
        A {item}, tried {attempts} times, last <Moment at={at} />
      </p>
      {failure && (
        <p class="note bad" role="alert">
          It failed again: {failure.message} <span class="mono">{failure.code}</span>
        </p>
      )}
      <details>
        <summary>The message</summary>
        <ValueTree value={letter.message} />
      </details>
    </Card>
  );
}

export function DeadLettersView({ query }: ViewProps) {
  const cursor = query.get("cursor") ?? "";
  const list = useResource(`letters ${cursor}`, () =>
    get<DeadLetters>(`/api/dead-letters${queryOf({ cursor, limit: 20 })}`),
  );
  useLive("/ws/inspect?what=dead_letter", list.reload, list.reload);
  return (
    <View
      title="Dead letters"
      about="A message that makes its actor fail three times is kept here for 30 days. A replay gives it to the actor again, at most once."
    >
      <Loaded of={list}>
        {({ dead_letters, next_cursor }) =>
          dead_letters.length === 0 ? (
            <Empty title="There are no dead letters.">
              Every message was handled. When one cannot be, it appears here with its error.
            </Empty>
          ) : (
            <>
              {dead_letters.map((letter) => (
                <Letter key={letter.id} letter={letter} changed={list.reload} />
              ))}
              {next_cursor !== null && (
                <a href={`/dead-letters${queryOf({ cursor: next_cursor })}`}>Next page</a>
              )}
            </>
          )
        }
      </Loaded>
    </View>
  );
}
