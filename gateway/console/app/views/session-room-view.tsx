/**
 * The view `/sessions/{id}`: the picture of a session with its elements, actions on them, and the session's
 * history.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DownloadList } from "../../../../machines/session/file-schemas.ts";
import type { ConsoleLog, NetworkLog } from "../../../../machines/session/log-schemas.ts";
import type { PageChange } from "../../../../machines/session/page-changes.ts";
import type { HighlightedElement } from "../../../../machines/session/page-snapshot.ts";
import { call, callTool, get, path } from "../api-client.ts";
import { ActionButton, Card, Empty, Loaded, Moment, StateName, Table, Tabs, View } from "../parts.tsx";
import { type PictureSource, screenshotSource } from "../picture-source.ts";
import { open } from "../router.ts";
import { nameOf, SessionPicture } from "../session-picture.tsx";
import { Recordings } from "../session-recordings.tsx";
import { createSessionStore, type SessionAction, type SessionStore } from "../session-store.ts";
import { useAction, useLive, useResource, useStore } from "../use-store.ts";
import { type ViewStream, viewStream } from "../view-stream.ts";
import type { ViewProps } from "./view-props.ts";

type Run = ReturnType<typeof useAction>[1];
type Params = Readonly<Record<string, unknown>>;

/** Maximum number of elements in the list. The search finds the others. */
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
  const shown = all.filter(fits).slice(0, MOST_LISTED);
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
        </ul>
      )}
    </Card>
  );
}

const HISTORY_TONES: Readonly<Record<SessionAction["state"], string>> = {
  queued: "queued",
  running: "running",
  done: "done",
  failed: "failed",
};

/**
 * Returns a description of what an action changed on the page, taken from the action's outcome; `undefined`
 * if the outcome has none.
 */
function changesOf({ data: { page } }: SessionAction): string | undefined {
  if (typeof page !== "object" || page === null) return undefined;
  const { lines, said, removed } = page as Partial<PageChange>;
  const parts = [
    lines,
    said && said.length > 0 ? said.map((text) => `“${text}”`).join("\n") : undefined,
    removed && removed.length > 0 ? `gone: ${removed.join(", ")}` : undefined,
  ].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? undefined : parts.join("\n");
}

function Actions({ store }: { readonly store: SessionStore }) {
  const actions = useStore(store, (state) => state.actions);
  if (actions.length === 0) {
    return (
      <Empty title="No action yet.">
        Actions of agents and of yours appear here with what they changed, while this view is open.
      </Empty>
    );
  }
  return (
    <ol class="history" aria-label="Actions, the newest first">
      {actions.map((action) => {
        const changes = changesOf(action);
        return (
          <li key={action.id}>
            <div class="history-line">
              <time class="soft mono">{new Date(action.at * 1_000).toISOString().slice(11, 19)}</time>
              <b>{action.name}</b>
              <span class="mono soft">{JSON.stringify(action.params)}</span>
              <StateName state={HISTORY_TONES[action.state]} />
            </div>
            {action.error && <p class="bad">{action.error}</p>}
            {changes && (
              <details>
                <summary>What changed</summary>
                <pre>{changes}</pre>
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Messages({ room }: { readonly room: string }) {
  const log = useResource(`console ${room}`, () =>
    callTool<ConsoleLog>("get_console_messages", { room_name: room, limit: 200 }),
  );
  return (
    <Loaded of={log}>
      {({ messages }) =>
        messages.length === 0 ? (
          <Empty title="The page has written nothing to its console." />
        ) : (
          <ol class="log" aria-label="Console messages">
            {messages.map(({ seq, at, level, text }) => (
              <li key={seq}>
                <time>{new Date(at * 1_000).toISOString().slice(11, 19)}</time>
                <span>
                  <b class={level === "error" ? "bad" : ""}>{level}</b> {text}
                </span>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

function Network({ room }: { readonly room: string }) {
  const log = useResource(`network ${room}`, () =>
    callTool<NetworkLog>("get_network_log", { room_name: room, limit: 200 }),
  );
  return (
    <Loaded of={log}>
      {({ requests }) =>
        requests.length === 0 ? (
          <Empty title="No request yet." />
        ) : (
          <Table caption="Requests" head={["Request", "Type", "Status", "Took"]}>
            {requests.toReversed().map((request) => (
              <tr key={request.seq}>
                <td class="id mono">
                  {request.method} {request.url}
                </td>
                <td>{request.type}</td>
                <td>
                  {request.status ?? request.state}{" "}
                  {request.error && <span class="bad">{request.error}</span>}
                </td>
                <td class="soft">{request.ms === undefined ? "" : `${Math.round(request.ms)} ms`}</td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}

function Downloads({ room }: { readonly room: string }) {
  const files = useResource(`downloads ${room}`, () =>
    get<DownloadList>(`${path("/api/sessions", room)}/downloads`),
  );
  return (
    <Loaded of={files}>
      {({ downloads }) =>
        downloads.length === 0 ? (
          <Empty title="Nothing was downloaded." />
        ) : (
          <Table caption="Downloads" head={["File", "Size", "State", "When"]}>
            {downloads.map((file) => (
              <tr key={file.id}>
                <td class="id">
                  <a href={file.path} download={file.name}>
                    {file.name}
                  </a>
                </td>
                <td>{file.bytes} bytes</td>
                <td>
                  <StateName state={file.state} />
                </td>
                <td>
                  <Moment at={file.started_at} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}

/** Types of events after which the picture may be outdated. */
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
 * The picture of a session with its address bar and elements. The session's view and the dialogue's view use
 * it.
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

export function SessionView({ parameters: { id: room = "" }, query }: ViewProps) {
  const { store, refresh, stream } = useSession(room);
  const [isRunning, run] = useAction();
  const error = useStore(store, (state) => state.error);
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
