/**
 * The command palette, which opens any view, actor, map or session after a few letters. Ctrl+K or a slash
 * opens it.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { KnowledgeSummary } from "../../../machines/knowledge/knowledge-protocol.ts";
import type { ActorList } from "../../../machines/runtime/runtime-administration-schemas.ts";
import { get, path } from "./console-api-client.ts";
import { consoleStore } from "./console-app-state.ts";
import { open } from "./console-router.ts";
import { VIEW_LINKS, WORK_VIEWS } from "./navigation-bar.tsx";
import { useStore } from "./preact-store-hooks.ts";

interface Entry {
  readonly text: string;
  readonly kind: string;
  readonly href?: string;
  readonly run?: () => void;
}

const MOST_SHOWN = 12;

const views: readonly Entry[] = VIEW_LINKS.map(({ href, text }) => ({ href, text, kind: "view" }));
const commands: readonly Entry[] = (["light", "dark", "system"] as const).map((theme) => ({
  text: `Use the ${theme} theme`,
  kind: "command",
  run: () => consoleStore.trigger.theme({ theme }),
}));
const pages: readonly Entry[] = [
  { href: "/guide", text: "Guide", kind: "page" },
  { href: "/docs", text: "API", kind: "page" },
];

async function actorEntries(): Promise<readonly Entry[]> {
  const { actors } = await get<ActorList>("/api/actors?limit=200");
  return actors.flatMap(({ kind, id }): Entry[] => {
    const view = WORK_VIEWS[kind];
    return [
      ...(view && kind !== "knowledge" ? [{ text: id, kind, href: path(view, id) }] : []),
      { text: `${kind} ${id}`, kind: "actor", href: path("/actors", kind, id) },
    ];
  });
}

async function mapEntries(): Promise<readonly Entry[]> {
  const { knowledge } = await get<{ readonly knowledge: readonly KnowledgeSummary[] }>("/api/knowledge");
  return knowledge.map(({ knowledge_id }) => ({
    text: knowledge_id,
    kind: "map",
    href: path("/maps", knowledge_id),
  }));
}

function Palette() {
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly Entry[]>([]);
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [isIncomplete, setIncomplete] = useState(false);
  // The command palette gets the focus at once, so that the first typed letters are not lost.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    input.current?.focus();
  }, []);
  useEffect(() => {
    // The lists of actors, maps and sessions are loaded independently. If one list cannot be loaded, the
    // command palette still offers all other entries.
    for (const load of [actorEntries, mapEntries]) {
      load().then(
        (entries) => setFound((before) => [...before, ...entries]),
        () => setIncomplete(true),
      );
    }
  }, []);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (entry: Entry): boolean => {
      const content = `${entry.text} ${entry.kind}`.toLowerCase();
      return words.every((word) => content.includes(word));
    };
    return [...views, ...found, ...commands, ...pages].filter(fits).slice(0, MOST_SHOWN);
  }, [text, found]);
  const close = (): void => consoleStore.trigger.palette({ open: false });
  function take(entry: Entry | undefined): void {
    close();
    if (entry?.run) entry.run();
    else if (entry?.kind === "page") location.assign(entry.href ?? "/");
    else if (entry?.href !== undefined) open(entry.href);
  }
  function key(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((before) => (before + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      take(shown[chosen]);
    }
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={close}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={shown.length > 0 ? `palette-${chosen}` : undefined}
        aria-label="Go to a view, an actor, a map or a session"
        placeholder="Go to a view, an actor, a map, a session…"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={key}
      />
      <div id="palette-entries" role="listbox" aria-label="Entries">
        {shown.map((entry, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of the list
          <div
            key={`${entry.kind} ${entry.text}`}
            id={`palette-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen}
            onClick={() => take(entry)}
          >
            <span>{entry.text}</span>
            <span class="soft">{entry.kind}</span>
          </div>
        ))}
        {shown.length === 0 && <p class="nothing">Nothing fits.</p>}
        {isIncomplete && <p class="nothing">Not all actors and maps could be loaded.</p>}
      </div>
    </dialog>
  );
}

export function CommandPalette() {
  const isOpen = useStore(consoleStore, (state) => state.isPaletteOpen);
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      const isShortcut =
        (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping);
      if (!isShortcut) return;
      event.preventDefault();
      consoleStore.trigger.palette({ open: true });
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  return isOpen ? <Palette /> : null;
}
