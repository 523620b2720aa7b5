/**
 * The view `/sessions/{id}`: the picture of a session with its elements, actions on them, and the session's
 * history.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { call, callTool, path } from "../console-api-client.ts";
import { open } from "../console-router.ts";
import { useAction, useLive, useStore } from "../preact-store-hooks.ts";
import { type ViewStream, viewStream } from "../session/live-view-client.ts";
import { Actions } from "../session/session-history.tsx";
import { Downloads, Messages, Network } from "../session/session-logs.tsx";
import { nameOf, SessionPicture } from "../session/session-picture.tsx";
import { type PictureSource, screenshotSource } from "../session/session-picture-refresh.ts";
import { Recordings } from "../session/session-recordings.tsx";
import { createSessionStore, type SessionStore } from "../session/session-view-state.ts";
import { ActionButton, Card, Empty, Tabs, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

/** Error code for a room name under which there is no session. */
const NOT_FOUND = "session.not_found";

type Run = ReturnType<typeof useAction>[1];
type Params = Readonly<Record<string, unknown>>;

/** Maximum number of elements that the view lists. A person finds other elements by the search. */
const MOST_LISTED = 200;

function ElementForm({
  element,
  act,
  isRunning,
}: {
  readonly element: HighlightedElement;
  readonly act: (action: string, params: Params) => void;
  readonly isRunning: boolean;
}) {
  const [text, setText] = useState(element.value ?? "");
  const { highlight_index: index, interactionType, options = [], disabled = false } = element;
  if (options.length > 0) {
    return (
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          act("select_dropdown", { index, text });
        }}
      >
        <select
          aria-label={`Option of ${nameOf(element)}`}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
        <button type="submit" disabled={isRunning}>
          Select
        </button>
      </form>
    );
  }
  if (interactionType === "input" && element.type !== "checkbox" && element.type !== "radio") {
    return (
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          act("input", { index, text });
        }}
      >
        <input
          aria-label={`Text for ${nameOf(element)}`}
          {...(element.type === "password" ? { type: "password" as const } : { type: "text" as const })}
          value={text}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" disabled={isRunning}>
          Type
        </button>
      </form>
    );
  }
  return (
    <ActionButton disabled={isRunning || disabled} onClick={() => act("click", { index })}>
      Click
    </ActionButton>
  );
}

function Elements({
  store,
  opened,
  setOpened,
  act,
  isRunning,
}: {
  readonly store: SessionStore;
  readonly opened: number | undefined;
  readonly setOpened: (index: number | undefined) => void;
  readonly act: (action: string, params: Params) => void;
  readonly isRunning: boolean;
}) {
  const analysis = useStore(store, (state) => state.analysis);
  const pointed = useStore(store, (state) => state.pointed);
  const [words, setWords] = useState("");
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (opened !== undefined)
      list.current?.querySelector(`[data-index="${opened}"]`)?.scrollIntoView({ block: "nearest" });
  }, [opened]);
  const all = analysis?.highlightedElements ?? [];
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (element: HighlightedElement): boolean => {
    const content = `${element.highlight_index} ${element.tagName} ${nameOf(element)}`.toLowerCase();
    return wanted.every((word) => content.includes(word));
  };
  const found = all.filter(fits);
  const shown = found.slice(0, MOST_LISTED);
  return (
    <Card title={`Elements (${all.length})`} class="elements">
      <input
        type="search"
        aria-label="Find an element"
        placeholder="Find an element"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      {all.length === 0 ? (
        <p class="nothing">There is nothing to act on.</p>
      ) : (
        <ul class="plain" ref={list}>
          {shown.map((element) => {
            const index = element.highlight_index;
            const isOpen = opened === index;
            return (
              <li key={index} data-index={index} class={pointed === index ? "pointed" : ""}>
                <button
                  type="button"
                  class="element"
                  aria-expanded={isOpen}
                  onClick={() => setOpened(isOpen ? undefined : index)}
                  onFocus={() => store.trigger.point({ index })}
                  onPointerEnter={() => store.trigger.point({ index })}
                  onPointerLeave={() => store.trigger.point({ index: undefined })}
                >
                  <span class="index mono">{index}</span>
                  <span class="name">{nameOf(element)}</span>
                  <span class="soft">
                    {element.role ?? element.tagName}
                    {element.disabled && ", disabled"}
                    {element.covered && ", covered"}
                    {!element.in_viewport && ", below"}
                  </span>
                </button>
                {isOpen && <ElementForm key={index} element={element} act={act} isRunning={isRunning} />}
              </li>
            );
          })}
          {found.length > shown.length && (
            <li class="soft">{found.length - shown.length} more: search for the words of an element.</li>
          )}
          {found.length === 0 && <li class="soft">No element has these words.</li>}
        </ul>
      )}
    </Card>
  );
}

/** Types of events after which the shown picture of the page may be outdated. */
const CHANGES = /^(page_navigation|page_load_complete|action_completed|action_error|dom_change)$/;

/** Subscribes to a session: its events fill the store, and changes of its page update the picture. */
export function useSession(room: string | undefined): {
  readonly store: SessionStore;
  readonly refresh: () => void;
  readonly stream: ViewStream | undefined;
} {
  const store = useMemo(createSessionStore, [room]);
  const source = useRef<PictureSource | null>(null);
  const [stream, setStream] = useState<ViewStream>();
  useEffect(() => {
    if (room === undefined) return;
    const started = screenshotSource(room, store);
    const live = viewStream(room, store);
    source.current = started;
    setStream(live);
    started.refresh();
    return () => {
      started.end();
      live.end();
    };
  }, [room, store]);
  const refresh = (): void => source.current?.refresh();
  useLive(
    room === undefined ? undefined : path("/mcp/events", room),
    (event) => {
      store.trigger.event({ event });
      if (CHANGES.test(event.type)) refresh();
    },
    refresh,
  );
  return { store, refresh, stream };
}

/** Shows who has control of the browser, with a button to take or return it. */
function ControlBar({
  store,
  stream,
}: {
  readonly store: SessionStore;
  readonly stream: ViewStream | undefined;
}) {
  const control = useStore(store, (state) => state.control);
  const isLive = useStore(store, (state) => state.live !== undefined);
  if (!isLive || !stream) return <span class="soft">Picture on changes</span>;
  return (
    <>
      <span class="soft" role="status">
        {control.mine
          ? "You have control: click into the picture. Shift+Escape gives it back."
          : control.heldBy !== null
            ? `${control.heldBy} has control.`
            : "Live"}
        {control.refusal && <span class="bad"> {control.refusal}</span>}
      </span>
      <button type="button" onClick={control.mine ? stream.releaseControl : stream.takeControl}>
        {control.mine ? "Give control back" : "Take control"}
      </button>
    </>
  );
}

function AddressBar({
  store,
  act,
  isRunning,
}: {
  readonly store: SessionStore;
  readonly act: (action: string, params: Params) => void;
  readonly isRunning: boolean;
}) {
  const url = useStore(store, (state) => state.analysis?.url ?? "");
  const [text, setText] = useState<string>();
  return (
    <form
      class="address"
      onSubmit={(event) => {
        event.preventDefault();
        act("navigate", { url: text ?? url });
        setText(undefined);
      }}
    >
      <ActionButton disabled={isRunning} onClick={() => act("go_back", {})} aria-label="Back">
        ←
      </ActionButton>
      <ActionButton disabled={isRunning} onClick={() => act("refresh", {})} aria-label="Reload the page">
        ↻
      </ActionButton>
      <input
        type="text"
        aria-label="Address"
        class="mono"
        value={text ?? url}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" disabled={isRunning}>
        Go
      </button>
      <ActionButton
        disabled={isRunning}
        onClick={() => act("scroll", { direction: "up", amount: 600 })}
        aria-label="Scroll up"
      >
        ↑
      </ActionButton>
      <ActionButton
        disabled={isRunning}
        onClick={() => act("scroll", { direction: "down", amount: 600 })}
        aria-label="Scroll down"
      >
        ↓
      </ActionButton>
    </form>
  );
}

/**
 * The picture of a session with its address bar and elements. The views of sessions and of dialogues both
 * contain it.
 */
export function SessionStage({
  room,
  store,
  refresh,
  stream,
}: {
  readonly room: string;
  readonly store: SessionStore;
  readonly refresh: () => void;
  readonly stream: ViewStream | undefined;
}) {
  const [isRunning, run]: readonly [boolean, Run] = useAction();
  const [showBoxes, setShowBoxes] = useState(true);
  const [opened, setOpened] = useState<number>();
  const act = (action_type: string, params: Params): void =>
    void run(async () => {
      try {
        await callTool("execute_action", { room_name: room, action_type, params });
      } finally {
        refresh();
      }
    });
  return (
    <div class="stage">
      <div>
        <AddressBar store={store} act={act} isRunning={isRunning} />
        <SessionPicture
          store={store}
          showBoxes={showBoxes}
          retry={refresh}
          stream={stream}
          chosen={({ highlight_index }) => setOpened(highlight_index)}
        />
        <div class="stage-foot">
          <label class="check">
            <input
              type="checkbox"
              checked={showBoxes}
              onChange={({ currentTarget }) => setShowBoxes(currentTarget.checked)}
            />
            Show the elements
          </label>
          <ControlBar store={store} stream={stream} />
          <button type="button" onClick={refresh}>
            Read again
          </button>
        </div>
      </div>
      <Elements store={store} opened={opened} setOpened={setOpened} act={act} isRunning={isRunning} />
    </div>
  );
}

/** Shown for a room name without a session, for example after it was closed. */
function MissingSession({ room }: { readonly room: string }) {
  return (
    <View title={room} up={{ href: "/sessions", text: "Sessions" }}>
      <Empty title="This room has no session.">
        It was closed, or never opened. <a href="/sessions">Open one</a>, or read its{" "}
        <a href={path("/actors", "session", room)}>history</a>.
      </Empty>
    </View>
  );
}

export function SessionView({ parameters: { id: room = "" }, query }: ViewProps) {
  const { store, refresh, stream } = useSession(room);
  const [isRunning, run] = useAction();
  const error = useStore(store, (state) => state.error);
  if (error?.code === NOT_FOUND) return <MissingSession room={room} />;
  const tab = query.get("tab") ?? "actions";
  const here = path("/sessions", room);
  const tabs = ["actions", "console", "network", "downloads", "recordings"].map((name) => ({
    name,
    text: name.charAt(0).toUpperCase() + name.slice(1),
    href: name === "actions" ? here : `${here}?tab=${name}`,
  }));
  return (
    <View
      title={room}
      up={{ href: "/sessions", text: "Sessions" }}
      wide
      actions={
        <>
          <a href={`/dialogues?room=${encodeURIComponent(room)}`}>Give it a task</a>
          <a href={path("/actors", "session", room)}>Statechart</a>
          {error && (
            <ActionButton
              disabled={isRunning}
              onClick={() =>
                void run(
                  () => callTool("recover_browser_session", { room_name: room }),
                  "It runs again.",
                ).then(refresh)
              }
            >
              Recover
            </ActionButton>
          )}
          <ActionButton
            disabled={isRunning}
            onClick={() =>
              void run(() => call("DELETE", path("/api/sessions", room)), "The session is closed.").then(
                (isDone) => {
                  if (isDone) open("/sessions");
                },
              )
            }
          >
            Close
          </ActionButton>
        </>
      }
    >
      <SessionStage room={room} store={store} refresh={refresh} stream={stream} />
      <Tabs label="Parts of the session" tabs={tabs} current={tab} />
      {tab === "actions" && <Actions store={store} />}
      {tab === "console" && <Messages room={room} />}
      {tab === "network" && <Network room={room} />}
      {tab === "downloads" && <Downloads room={room} />}
      {tab === "recordings" && <Recordings room={room} />}
    </View>
  );
}
