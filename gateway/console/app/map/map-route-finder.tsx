/** Shows the route to a screen from another screen that the person names. */
import { useState } from "preact/hooks";
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";
import type { MapGraph } from "../../../../machines/knowledge/map-drawing-graph.ts";
import { useAction } from "../preact-store-hooks.ts";
import { RouteSteps } from "./map-route-steps.tsx";
import { askMap } from "./send-map-instruction.ts";

/** Maximum number of screens in the list of suggestions. A person can type the name of any other screen. */
const MOST_SUGGESTED = 300;

interface RouteFinderProps {
  readonly map: string;
  readonly graph: MapGraph;
  /** The screen at which the shown route ends. */
  readonly screenId: string;
}

export function RouteFinder({ map, graph, screenId }: RouteFinderProps) {
  const [text, setText] = useState("");
  const [route, setRoute] = useState<{ readonly from: string; readonly answer: AgentResponse }>();
  const [isRunning, run] = useAction();
  const others = graph.screens.filter(({ screen_id }) => screen_id !== screenId);
  const wanted = text.trim().toLowerCase();
  const from = others.find(
    ({ screen_id, name }) => name.toLowerCase() === wanted || screen_id === text.trim(),
  );
  const show = (): void =>
    void run(async () => {
      if (!from) return;
      const answer = await askMap(map, {
        instruction_type: "navigate_to_screen",
        target: screenId,
        context: { current_screen_id: from.screen_id },
      });
      setRoute({ from: from.name || from.screen_id, answer });
    });
  return (
    <details>
      <summary>Route from another screen</summary>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <input
          type="text"
          aria-label="From screen"
          placeholder="From screen"
          list="route-from"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <datalist id="route-from">
          {others.slice(0, MOST_SUGGESTED).map(({ screen_id, name }) => (
            <option key={screen_id} value={name || screen_id} />
          ))}
        </datalist>
        <button type="submit" disabled={isRunning || from === undefined}>
          Show it
        </button>
      </form>
      {route && (
        <>
          <p class="soft">From {route.from}:</p>
          <RouteSteps answer={route.answer} />
        </>
      )}
    </details>
  );
}
