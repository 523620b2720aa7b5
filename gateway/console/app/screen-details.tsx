/**
 * Shows one screen of a map: its description, its actions, and the transitions to and from it. A button goes
 * to the screen in a session.
 */
import { useState } from "preact/hooks";
import type { GraphScreen, GraphTransition, MapGraph } from "../../../machines/knowledge/map-graph.ts";
import type { AgentResponse } from "../../../machines/knowledge/protocol.ts";
import type { ActorList } from "../../../machines/runtime/protocol.ts";
import { ApiError, get, path, post, query as queryOf } from "./api-client.ts";
import { useAction, useResource } from "./use-store.ts";
import { ValueTree } from "./value-tree.tsx";
import { ActionButton, Card, Loaded } from "./view-parts.tsx";

/** Maximum number of links in one list of the details. Some screens have hundreds of links. */
const MOST_LINKS = 30;

interface DetailsProps {
  readonly map: string;
  readonly graph: MapGraph;
  readonly screenId: string;
}

async function ask(map: string, instruction: Readonly<Record<string, unknown>>): Promise<AgentResponse> {
  const answer = await post<AgentResponse>(`${path("/api/knowledge", map)}/query`, instruction);
  if (!answer.success) {
    throw new ApiError(
      String(answer.metadata.code ?? "knowledge.no_answer"),
      answer.error ?? "The map has no answer.",
      200,
    );
  }
  return answer;
}

function Ways({
  title,
  map,
  graph,
  of,
  other,
}: {
  readonly title: string;
  readonly map: string;
  readonly graph: MapGraph;
  readonly of: readonly GraphTransition[];
  readonly other: (transition: GraphTransition) => string;
}) {
  const names = new Map(graph.screens.map(({ screen_id, name }) => [screen_id, name]));
  return (
    <details>
      <summary>
        {title} ({of.length})
      </summary>
      <ul class="plain">
        {of.slice(0, MOST_LINKS).map((transition) => {
          const id = other(transition);
          return (
            <li key={id}>
              <a href={`${path("/maps", map)}${queryOf({ screen: id })}`}>{names.get(id) || id}</a>{" "}
              {transition.inferred && <span class="badge">inferred</span>}
              {transition.failures > 0 && (
                <span class="badge bad">
                  failed {transition.failures} of {transition.failures + transition.successes}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {of.length > MOST_LINKS && <p class="soft">and {of.length - MOST_LINKS} more</p>}
    </details>
  );
}

function Steps({ answer }: { readonly answer: AgentResponse }) {
  return answer.actions.length === 0 ? (
    <p class="nothing">You are there.</p>
  ) : (
    <ol class="route">
      {answer.actions.map((action, at) => (
        <li key={at}>
          {action.description} <span class="mono soft">{action.tool_name}</span>
        </li>
      ))}
    </ol>
  );
}

interface Execution {
  readonly status: string;
  readonly steps?: unknown;
  readonly reroutes?: unknown;
}

function TakeMeThere({ map, screen }: { readonly map: string; readonly screen: GraphScreen }) {
  const sessions = useResource("sessions", () => get<ActorList>("/api/actors?kind=session&limit=100"));
  const [isRunning, run] = useAction();
  const [room, setRoom] = useState("");
  const [walked, setWalked] = useState<{ readonly room: string; readonly execution: Execution }>();
  const [route, setRoute] = useState<AgentResponse>();
  // By default the most recently used session is selected, because its browser probably shows this site.
  const live = (sessions.value?.actors ?? [])
    .filter(({ state }) => !/closed|failed/.test(state))
    .sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
  const chosen = room || live[0]?.id || "";
  const target = screen.screen_id;
  const go = (): void =>
    void run(async () => {
      setWalked(undefined);
      const answer = await ask(map, {
        instruction_type: "navigate_to_screen",
        target,
        execute: true,
        id: crypto.randomUUID(),
        context: { room_name: chosen },
      });
      setWalked({ room: chosen, execution: answer.metadata.execution as Execution });
    }, "Arrived.");
  const show = (): void =>
    void run(async () => {
      setRoute(
        await ask(map, { instruction_type: "navigate_to_screen", target, context: { room_name: chosen } }),
      );
    });
  if (sessions.value && live.length === 0) {
    return (
      <p class="nothing">
        To go there, <a href="/sessions">open a session</a> at this site.
      </p>
    );
  }
  return (
    <div class="take">
      <label>
        Session
        <select value={chosen} onChange={({ currentTarget }) => setRoom(currentTarget.value)}>
          {live.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <div class="answers">
        <ActionButton class="primary" disabled={isRunning || chosen === ""} onClick={go}>
          Take me there
        </ActionButton>
        <button type="button" disabled={isRunning || chosen === ""} onClick={show}>
          Show the route
        </button>
      </div>
      {isRunning && <p role="status">On the way…</p>}
      {walked && (
        <p role="status" class="note good">
          {walked.execution.status === "arrived" ? "Arrived" : walked.execution.status}:{" "}
          <a href={path("/sessions", walked.room)}>see it in {walked.room}</a>
        </p>
      )}
      {route && <Steps answer={route} />}
    </div>
  );
}

export function ScreenDetails({ map, graph, screenId }: DetailsProps) {
  const screen = graph.screens.find(({ screen_id }) => screen_id === screenId);
  const context = useResource(screen && `${map} ${screenId}`, () =>
    ask(map, { instruction_type: "get_screen_context", target: screenId }),
  );
  const actions = useResource(screen && `actions ${map} ${screenId}`, () =>
    ask(map, { instruction_type: "get_actions", target: screenId, context: { current_screen_id: screenId } }),
  );
  if (!screen) {
    return (
      <Card title="Not on this map">
        <p class="nothing">The map has no screen {screenId}.</p>
      </Card>
    );
  }
  return (
    <Card title={screen.name || screen.screen_id} class="screen">
      <p class="mono soft">{screen.url}</p>
      <p>
        <span class="badge">{screen.content_type.replaceAll("_", " ")}</span>{" "}
        {screen.instances > 1 && <span class="badge">{screen.instances} instances</span>}
      </p>
      <TakeMeThere map={map} screen={screen} />
      <Ways
        title="Leads to"
        map={map}
        graph={graph}
        of={graph.transitions.filter(({ from }) => from === screenId)}
        other={({ to }) => to}
      />
      <Ways
        title="Reached from"
        map={map}
        graph={graph}
        of={graph.transitions.filter(({ to }) => to === screenId)}
        other={({ from }) => from}
      />
      <details>
        <summary>Actions</summary>
        <Loaded of={actions}>{(answer) => <Steps answer={answer} />}</Loaded>
      </details>
      <details>
        <summary>What Cairn knows of it</summary>
        <Loaded of={context}>
          {(answer) => <ValueTree value={{ ...answer.expected_result, ...answer.metadata }} />}
        </Loaded>
      </details>
    </Card>
  );
}
