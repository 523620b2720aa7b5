/**
 * The view `/maps/{id}`: a drawn map, a search for screens, and one screen with its actions and transitions.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphScreen, MapGraph } from "../../../../machines/knowledge/map-drawing-graph.ts";
import { call, get, path, query as queryOf } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { focusRegion } from "../keep-keyboard-focus-in-console.ts";
import { MapCanvas } from "../map/map-canvas.tsx";
import { ScreenDetails } from "../map/screen-details.tsx";
import { useAction, useLive, useResource } from "../preact-store-hooks.ts";
import { ActionButton, Card, Empty, Facts, Loaded, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

/** Maximum number of screens that the view lists. A person finds other screens by the search. */
const MOST_LISTED = 80;

function fitting(screens: readonly GraphScreen[], words: string): readonly GraphScreen[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return screens.filter(({ name, url, screen_id }) => {
    const content = `${name} ${url} ${screen_id}`.toLowerCase();
    return wanted.every((word) => content.includes(word));
  });
}

function ScreenList({
  id,
  screens,
  words,
  setWords,
  found,
}: {
  readonly id: string;
  readonly screens: readonly GraphScreen[];
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly found: readonly GraphScreen[];
}) {
  return (
    <Card title={`Screens (${screens.length})`} class="screens">
      <input
        type="search"
        aria-label="Find a screen"
        placeholder="Find a screen"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <ul class="plain">
        {found.slice(0, MOST_LISTED).map(({ screen_id, name, url, instances }) => (
          <li key={screen_id}>
            <a href={`${path("/maps", id)}${queryOf({ screen: screen_id })}`}>{name || screen_id}</a>
            {instances > 1 && <span class="badge">{instances}</span>}
            <br />
            <span class="soft mono">{URL.canParse(url) ? new URL(url).pathname : url}</span>
          </li>
        ))}
      </ul>
      {found.length > MOST_LISTED && (
        <p class="soft">and {found.length - MOST_LISTED} more: search for them</p>
      )}
      {found.length === 0 && <p class="nothing">No screen fits.</p>}
    </Card>
  );
}

export function MapView({ parameters: { id = "" }, query }: ViewProps) {
  const graph = useResource(id, () => get<MapGraph>(`${path("/api/knowledge", id)}/graph`));
  const [words, setWords] = useState("");
  const [isRunning, run] = useAction();
  const chosen = query.get("screen") ?? undefined;
  useLive(
    `/ws/inspect?${new URLSearchParams({ kind: "knowledge", id, what: "state" })}`,
    () => graph.reload(),
    () => graph.reload(),
  );
  const screens = graph.value?.screens ?? [];
  const found = useMemo(() => fitting(screens, words), [screens, words]);
  const focus = useMemo(
    () => ({
      chosen,
      found: words.trim() === "" ? undefined : new Set(found.map(({ screen_id }) => screen_id)),
    }),
    [chosen, found, words],
  );
  const side = useRef<HTMLDivElement>(null);
  const shown = useRef(chosen);
  // The details of the chosen screen appear above the link on which the person clicked. So the focus moves up
  // to the details.
  useEffect(() => {
    const isOld = shown.current === chosen;
    shown.current = chosen;
    const section = side.current?.querySelector("section");
    if (isOld || chosen === undefined || !section) return;
    if (document.activeElement?.closest(".chart-card")) return;
    focusRegion(section);
    section.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const here = path("/maps", id);
  const choose = (screen: string | undefined): void =>
    open(`${here}${queryOf({ screen })}`, { replace: true });
  const inferred = graph.value?.transitions.filter((transition) => transition.inferred).length ?? 0;
  return (
    <View
      title={id}
      up={{ href: "/maps", text: "Maps" }}
      wide
      actions={
        <>
          <a href={`${path("/api/knowledge", id)}/export`} download={`${id}.map.json`}>
            Export
          </a>
          <a href={`${here}/diff`}>Changes</a>
          <a href={path("/actors", "knowledge", id)}>Statechart</a>
          <ActionButton
            disabled={isRunning}
            onClick={() =>
              void run(() => call("DELETE", path("/api/knowledge", id)), "The map is deleted.").then(
                (isDone) => {
                  if (isDone) open("/maps");
                },
              )
            }
          >
            Delete
          </ActionButton>
        </>
      }
    >
      <Loaded of={graph}>
        {(value) =>
          value.screens.length === 0 ? (
            <Empty title="This map has no screens yet.">
              They appear when an exploration has read the first pages.
            </Empty>
          ) : (
            <>
              <Facts
                of={[
                  { name: "Screens", value: value.screens.length },
                  { name: "Transitions", value: value.transitions.length },
                  { name: "Inferred", value: `${inferred} (dashed)` },
                ]}
              />
              <div class="map">
                <Card class="chart-card tall">
                  <MapCanvas graph={value} focus={focus} choose={choose} />
                  {chosen !== undefined && (
                    <p class="legend">
                      <span>
                        <span class="key line out" /> leads to
                      </span>
                      <span>
                        <span class="key line into" /> is reached from
                      </span>
                      <button type="button" class="link" onClick={() => choose(undefined)}>
                        Show the whole map
                      </button>
                    </p>
                  )}
                </Card>
                <div ref={side}>
                  {chosen !== undefined && (
                    <ScreenDetails key={chosen} map={id} graph={value} screenId={chosen} />
                  )}
                  <ScreenList
                    id={id}
                    screens={value.screens}
                    words={words}
                    setWords={setWords}
                    found={found}
                  />
                </div>
              </div>
            </>
          )
        }
      </Loaded>
    </View>
  );
}
