/** The view `/`: a description of Cairn, the button "Try it", and the current work. */
import type { Started } from "../../../../machines/exploration/exploration-protocol.ts";
import type { KnowledgeSummary } from "../../../../machines/knowledge/knowledge-protocol.ts";
import type { ActorList } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { get, path, post, query as queryOf } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { may } from "../facts-in-console-document.ts";
import { useAction, useLive, useResource } from "../preact-store-hooks.ts";
import { Card, Loaded, StateName, View } from "../view-components.tsx";
import { StartExploration } from "./explorations-view.tsx";
import { startSession } from "./sessions-view.tsx";

const TRY_MAP = "try-it";
const TRY_ROOM = "try-it";

interface TrySite {
  readonly url: string;
}

/** Explores the demonstration application that Cairn serves, and opens a session on it. */
async function tryIt(): Promise<void> {
  const { url } = await post<TrySite>("/console/try-it");
  const { job_id } = await post<Started>("/api/knowledge/explore/start", {
    start_url: url,
    knowledge_id: TRY_MAP,
    max_pages: 60,
    mode: "interactive",
  });
  await startSession({ room_name: TRY_ROOM, initial_url: url });
  open(`${path("/explorations", job_id)}`);
}

function TryIt() {
  const [isRunning, run] = useAction();
  const maps = useResource("maps", () =>
    get<{ readonly knowledge: readonly KnowledgeSummary[] }>("/api/knowledge"),
  );
  const has = maps.value?.knowledge.some(({ knowledge_id }) => knowledge_id === TRY_MAP) ?? false;
  return (
    <section class="card try" aria-label="Try it">
      <div>
        <h2>Try it</h2>
        <p>
          Cairn serves a small workshop application of its own. Explore it, see its map, and let Cairn walk a
          route in a real browser. It takes two minutes and needs nothing else.
        </p>
        <div class="answers">
          <button
            type="button"
            class="primary"
            disabled={isRunning || !may("act")}
            onClick={() => void run(tryIt)}
          >
            {isRunning ? "Starting…" : has ? "Explore it again" : "Try it"}
          </button>
          {has && <a href={path("/maps", TRY_MAP)}>See its map</a>}
          {has && <a href={path("/sessions", TRY_ROOM)}>See its session</a>}
        </div>
      </div>
      <ol class="try-steps">
        <li>Cairn explores the application: pages become screens.</li>
        <li>
          On the map, choose a screen and press <b>Take me there</b>.
        </li>
        <li>Give the session a task in words, answer, approve.</li>
      </ol>
    </section>
  );
}

/** The kinds of actors that the start page lists, with the view of each. */
const VIEWS: Readonly<Record<string, string>> = {
  exploration: "/explorations",
  session: "/sessions",
  dialogue: "/dialogues",
  navigation: "/navigations",
};
/** Number of actors that the start page lists. */
const SHOWN = 8;

/** Returns the newest actors of the kinds in `VIEWS`: sessions, dialogues, explorations and others. */
async function recentActors(): Promise<ActorList["actors"]> {
  const lists = await Promise.all(
    Object.keys(VIEWS).map((kind) =>
      get<ActorList>(`/api/actors${queryOf({ kind, order: "updated", limit: SHOWN })}`),
    ),
  );
  return lists
    .flatMap(({ actors }) => actors)
    .sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1))
    .slice(0, SHOWN);
}

function Recent() {
  const actors = useResource("actors", recentActors);
  useLive("/ws/inspect?what=state", actors.reload, actors.reload);
  return (
    <Card title="Under way">
      <Loaded of={actors}>
        {(shown) =>
          shown.length === 0 ? (
            <p class="nothing">Nothing has run yet.</p>
          ) : (
            <ul class="plain recent">
              {shown.map(({ kind, id, state }) => (
                <li key={`${kind}/${id}`}>
                  <span class="soft">{kind}</span>
                  <a href={path(VIEWS[kind] ?? "/actors", id)}>{id}</a>
                  <StateName state={state} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

export function HomeView() {
  return (
    <View
      title="Cairn"
      about="Cairn explores web applications, keeps a map of each, and gives AI agents routes and browsers. Here you see every machine think, and work with it."
    >
      <TryIt />
      <div class="columns halves">
        <Recent />
        <Card title="Explore a site of your own">
          <StartExploration isShort />
        </Card>
      </div>
      <Card title="Connect">
        <ul class="plain links">
          <li>
            <a href="/guide/getting-started">Getting started</a>: explore a site, ask its map, act in a
            browser
          </li>
          <li>
            <a href="/guide/mcp">Connect an agent</a> over MCP
          </li>
          <li>
            <a href="/docs">API</a>: every route, to try out, <a href="/redoc">to read</a>, or as{" "}
            <a href="/openapi.json">OpenAPI</a>
          </li>
          <li>
            <a href="/guide">The guide</a>
          </li>
        </ul>
      </Card>
    </View>
  );
}
