/** The state of the console itself: current address, messages, theme, and which sockets are connected. */
import { createStore } from "@xstate/store";

export type Theme = "system" | "light" | "dark";
type ConnectionState = "connecting" | "live" | "lost";

export interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  readonly code?: string | undefined;
}

interface ConsoleState {
  /** Path and query of the address of the current view. */
  readonly address: string;
  readonly toasts: readonly Toast[];
  readonly nextToast: number;
  readonly theme: Theme;
  readonly isPaletteOpen: boolean;
  readonly connections: Readonly<Record<string, ConnectionState>>;
}

const THEME_KEY = "cairn-theme";

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

const first: ConsoleState = {
  address: location.pathname + location.search,
  toasts: [],
  nextToast: 1,
  theme: storedTheme(),
  isPaletteOpen: false,
  connections: {},
};

export const consoleStore = createStore({
  context: first,
  on: {
    moved: (state, { address }: { address: string }) => ({ ...state, address, isPaletteOpen: false }),
    toast: (state, { tone, text, code }: { tone: Toast["tone"]; text: string; code?: string }) => ({
      ...state,
      nextToast: state.nextToast + 1,
      toasts: [...state.toasts, { id: state.nextToast, tone, text, code }].slice(-4),
    }),
    dismiss: (state, { id }: { id: number }) => ({
      ...state,
      toasts: state.toasts.filter((toast) => toast.id !== id),
    }),
    theme: (state, { theme }: { theme: Theme }) => ({ ...state, theme }),
    palette: (state, { open }: { open: boolean }) => ({ ...state, isPaletteOpen: open }),
    connection: (state, { path, is }: { path: string; is: ConnectionState | undefined }) => {
      const { [path]: _, ...others } = state.connections;
      return { ...state, connections: is === undefined ? others : { ...others, [path]: is } };
    },
  },
});

/** Applies the theme to the document now and whenever it changes. */
export function applyTheme(): void {
  const apply = ({ theme }: ConsoleState): void => {
    if (theme === "system") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem(THEME_KEY);
    } else {
      document.documentElement.dataset.theme = theme;
      localStorage.setItem(THEME_KEY, theme);
    }
  };
  apply(consoleStore.getSnapshot().context);
  consoleStore.subscribe(({ context }) => apply(context));
}

export function say(text: string): void {
  consoleStore.trigger.toast({ tone: "good", text });
}
