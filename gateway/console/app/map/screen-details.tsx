/**
 * Shows a screen of a map: its picture, its description, its actions, and the routes to it and from it. A
 * button opens the screen in a session.
 */
import { useState } from "preact/hooks";
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";
import type {
  GraphScreen,
  GraphTransition,
  MapGraph,
} from "../../../../machines/knowledge/map-drawing-graph.ts";
import type { ActorList } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { get, path, query as queryOf } from "../console-api-client.ts";
import { useAction, useLive, useResource } from "../preact-store-hooks.ts";
import { ActionButton, Card, Loaded } from "../view-components.tsx";
import { RouteFinder } from "./map-route-finder.tsx";
import { RouteSteps } from "./map-route-steps.tsx";
import { ScreenKnowledge } from "./screen-indicators-and-tasks.tsx";
import { askMap } from "./send-map-instruction.ts";

/**
 * Maximum number of links in each list that the details of a screen show. Some screens have hundreds of
 * links.
 */
const MOST_LINKS = 30;

interface DetailsProps {
  readonly map: string;
  readonly graph: MapGraph;
  readonly screenId: string;
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

interface Execution {
  readonly status: string;
  readonly steps?: unknown;
  readonly reroutes?: unknown;
}

function TakeMeThere({ map, screen }: { readonly map: string; readonly screen: GraphScreen }) {
  const sessions = useResource("sessions", () => get<ActorList>("/api/actors?kind=session&limit=100"));
  useLive("/ws/inspect?kind=session&what=state", sessions.reload, sessions.reload);
  const [isRunning, run] = useAction();
  const [room, setRoom] = useState("");
  const [walked, setWalked] = useState<{ readonly room: string; readonly execution: Execution }>();
  const [route, setRoute] = useState<AgentResponse>();
  // The most recently used session is selected by default, because its browser probably shows the site of
  // this map.
  const live = (sessions.value?.actors ?? [])
    .filter(({ state }) => !/closed|failed/.test(state))
    .sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
  const chosen = room || live[0]?.id || "";
  const target = screen.screen_id;
  const go = (): void =>
    void run(async () => {
      setWalked(undefined);
      const answer = await askMap(map, {
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
        await askMap(map, { instruction_type: "navigate_to_screen", target, context: { room_name: chosen } }),
      );
    });
  // The buttons need the list of sessions. Until the list is loaded, the buttons are left out instead of being
  // disabled, because Tab would skip disabled buttons.
  return (
    <Loaded of={sessions}>
      {() =>
        live.length === 0 ? (
          <p class="nothing">
            To go there, <a href="/sessions">open a session</a> at this site.
          </p>
        ) : (
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
              <ActionButton class="primary" disabled={isRunning} onClick={go}>
                Take me there
              </ActionButton>
              <button type="button" disabled={isRunning} onClick={show}>
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
            {route && <RouteSteps answer={route} />}
          </div>
        )
      }
    </Loaded>
  );
}

function Picture({
  map,
  screen: { name },
  picture,
}: {
  readonly map: string;
  readonly screen: GraphScreen;
  readonly picture: string;
}) {
  return (
    <figure class="screen-picture">
      <img
        src={`${path("/api/knowledge", map)}/screens/${encodeURIComponent(picture)}/picture`}
        alt={`${name || picture}, as the exploration saw it`}
      />
      <figcaption class="soft">Taken by the last exploration. Filled fields are covered.</figcaption>
    </figure>
  );
}

export function ScreenDetails({ map, graph, screenId }: DetailsProps) {
  const screen = graph.screens.find(({ screen_id }) => screen_id === screenId);
  const context = useResource(screen && `${map} ${screenId}`, () =>
    askMap(map, { instruction_type: "get_screen_context", target: screenId }),
  );
  const actions = useResource(screen && `actions ${map} ${screenId}`, () =>
    askMap(map, {
      instruction_type: "get_actions",
      target: screenId,
      context: { current_screen_id: screenId },
    }),
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
      {screen.picture !== undefined && <Picture map={map} screen={screen} picture={screen.picture} />}
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
      <RouteFinder map={map} graph={graph} screenId={screenId} />
      <details>
        <summary>Actions</summary>
        <Loaded of={actions}>{(answer) => <RouteSteps answer={answer} />}</Loaded>
      </details>
      <Loaded of={context}>{(answer) => <ScreenKnowledge answer={answer} />}</Loaded>
    </Card>
  );
}
