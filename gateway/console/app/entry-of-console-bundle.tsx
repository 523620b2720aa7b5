/** The entry of the web console: chooses the view by the address and renders it. */
import { type ComponentType, render } from "preact";
import { useMemo } from "preact/hooks";
import { CommandPalette } from "./command-palette.tsx";
import { applyTheme, consoleStore } from "./console-app-state.ts";
import { matchPath, parseAddress, startRouter } from "./console-router.ts";
import { keepFocus } from "./keep-keyboard-focus-in-console.ts";
import { NavigationBar } from "./navigation-bar.tsx";
import { useStore } from "./preact-store-hooks.ts";
import { ToastList } from "./toast-list.tsx";
import { Empty, View } from "./view-components.tsx";
import { ActorView } from "./views/actor-view.tsx";
import { ActorsView } from "./views/actors-view.tsx";
import { AuditView } from "./views/audit-view.tsx";
import { DeadLettersView } from "./views/dead-letters-view.tsx";
import { DialogueView } from "./views/dialogue-view.tsx";
import { DialoguesView } from "./views/dialogues-view.tsx";
import { ExplorationView } from "./views/exploration-view.tsx";
import { ExplorationsView } from "./views/explorations-view.tsx";
import { HomeView } from "./views/home-view.tsx";
import { MapDiffView } from "./views/map-diff-view.tsx";
import { MapView } from "./views/map-view.tsx";
import { MapsView } from "./views/maps-view.tsx";
import { NavigationRunView } from "./views/navigation-run-view.tsx";
import { NavigationsView } from "./views/navigation-runs-view.tsx";
import { NodesView } from "./views/nodes-view.tsx";
import { SessionView } from "./views/session-view.tsx";
import { SessionsView } from "./views/sessions-view.tsx";
import { MachinesView, MachineView } from "./views/state-machines-view.tsx";
import { StatusView } from "./views/status-view.tsx";
import type { ViewProps } from "./views/view-props.ts";

const VIEWS: readonly (readonly [pattern: string, view: ComponentType<ViewProps>])[] = [
  ["/", HomeView],
  ["/explorations", ExplorationsView],
  ["/explorations/:id", ExplorationView],
  ["/maps", MapsView],
  ["/maps/:id", MapView],
  ["/maps/:id/diff", MapDiffView],
  ["/sessions", SessionsView],
  ["/sessions/:id", SessionView],
  ["/dialogues", DialoguesView],
  ["/dialogues/:id", DialogueView],
  ["/navigations", NavigationsView],
  ["/navigations/:id", NavigationRunView],
  ["/actors", ActorsView],
  ["/actors/:kind/:id", ActorView],
  ["/machines", MachinesView],
  ["/machines/:kind", MachineView],
  ["/dead-letters", DeadLettersView],
  ["/nodes", NodesView],
  ["/status", StatusView],
  ["/audit", AuditView],
];

function NotHere() {
  return (
    <View title="Not here">
      <Empty title="The console has no such view.">
        <a href="/">Go to the start</a>
      </Empty>
    </View>
  );
}

function Console() {
  const address = useStore(consoleStore, (state) => state.address);
  const { path, query } = useMemo(() => parseAddress(address), [address]);
  for (const [pattern, Chosen] of VIEWS) {
    const parameters = matchPath(pattern, path);
    // The path is the component's key. So a new path creates a new view, and a new query alone keeps the
    // current view.
    if (parameters) return <Chosen key={path} parameters={parameters} query={query} />;
  }
  return <NotHere />;
}

function Frame() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <NavigationBar />
      <main id="main">
        <Console />
      </main>
      <ToastList />
      <CommandPalette />
    </>
  );
}

const root = document.getElementById("app");
if (root) {
  applyTheme();
  keepFocus();
  startRouter((path) => VIEWS.some(([pattern]) => matchPath(pattern, path) !== undefined));
  render(<Frame />, root);
}
