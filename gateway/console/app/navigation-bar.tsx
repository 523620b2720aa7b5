/** The navigation bar: links to all views, the state of the connections, and the theme. */

import { consoleStore, type Theme } from "./console-app-state.ts";
import { parseAddress } from "./console-router.ts";
import { hostPage } from "./facts-in-console-document.ts";
import { useStore } from "./preact-store-hooks.ts";

interface ViewLink {
  readonly href: string;
  readonly text: string;
  readonly group: "work" | "debug" | "operate";
}

export const VIEW_LINKS: readonly ViewLink[] = [
  { href: "/", text: "Start", group: "work" },
  { href: "/explorations", text: "Explorations", group: "work" },
  { href: "/maps", text: "Maps", group: "work" },
  { href: "/sessions", text: "Sessions", group: "work" },
  { href: "/dialogues", text: "Dialogues", group: "work" },
  { href: "/navigations", text: "Navigation", group: "work" },
  { href: "/actors", text: "Actors", group: "debug" },
  { href: "/machines", text: "Machines", group: "debug" },
  { href: "/dead-letters", text: "Dead letters", group: "debug" },
  { href: "/nodes", text: "Nodes", group: "operate" },
  { href: "/status", text: "Status", group: "operate" },
  { href: "/audit", text: "Audit", group: "operate" },
];

/** Path of the console's view that shows the work of an actor, by actor kind. The other kinds have no such view. */
export const WORK_VIEWS: Readonly<Record<string, string>> = {
  exploration: "/explorations",
  session: "/sessions",
  dialogue: "/dialogues",
  navigation: "/navigations",
  knowledge: "/maps",
};

const GROUPS = [
  { name: "work", text: "Work" },
  { name: "debug", text: "Debug" },
  { name: "operate", text: "Operate" },
] as const;

function Connection() {
  const states = useStore(consoleStore, (state) => state.connections);
  const all = Object.values(states);
  const is = all.length === 0 ? "none" : all.every((state) => state === "live") ? "on" : "off";
  const text = { none: "no live view", on: "live", off: "connecting…" }[is];
  return (
    <span id="live" role="status" data-is={is}>
      {text}
    </span>
  );
}

const THEMES: readonly Theme[] = ["system", "light", "dark"];

function ThemeChoice() {
  const theme = useStore(consoleStore, (state) => state.theme);
  return (
    <label class="theme">
      <span class="hidden-text">Theme</span>
      <select
        value={theme}
        onChange={({ currentTarget }) => {
          const chosen = THEMES.find((each) => each === currentTarget.value);
          if (chosen) consoleStore.trigger.theme({ theme: chosen });
        }}
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {each === "system" ? "System theme" : each === "light" ? "Light" : "Dark"}
          </option>
        ))}
      </select>
    </label>
  );
}

export function NavigationBar() {
  const path = parseAddress(useStore(consoleStore, (state) => state.address)).path;
  const isHere = (href: string): boolean => path === href || (href !== "/" && path.startsWith(`${href}/`));
  return (
    <header class="bar">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect x="3" y="22" width="26" height="7" rx="3.5" />
          <rect x="7" y="13" width="18" height="7" rx="3.5" />
          <rect x="11" y="4" width="10" height="7" rx="3.5" />
        </svg>
        Cairn
      </a>
      <button type="button" class="go-to" onClick={() => consoleStore.trigger.palette({ open: true })}>
        <span>Go to…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Views">
        {GROUPS.map(({ name, text }) => (
          <div class="group" key={name}>
            <p class="group-name">{text}</p>
            <ul>
              {VIEW_LINKS.filter(({ group }) => group === name).map(({ href, text: link }) => (
                <li key={href}>
                  <a href={href} aria-current={isHere(href) ? "page" : undefined}>
                    {link}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div class="group">
          <p class="group-name">Read</p>
          <ul>
            <li>
              <a href="/guide">Guide</a>
            </li>
            <li>
              <a href="/docs">API</a>
            </li>
          </ul>
        </div>
      </nav>
      <div class="bar-foot">
        <Connection />
        <ThemeChoice />
        <span class="soft who">
          {hostPage.caller} · {hostPage.scope} · {hostPage.version}
        </span>
        {hostPage.token !== "" && (
          <form method="post" action="/sign-out">
            <button type="submit" class="link">
              Sign out
            </button>
          </form>
        )}
      </div>
    </header>
  );
}
