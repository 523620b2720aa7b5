/**
 * The view `/explorations/{id}`: live progress of one exploration, with its pages, skipped URLs and errors.
 */
import { createStore } from "@xstate/store";
import { useMemo } from "preact/hooks";
import type { ExplorationStatus, JobState } from "../../../../machines/exploration/exploration-protocol.ts";
import { get, path, post } from "../console-api-client.ts";
import { Errors, HeldBack, Pages, Presses } from "../exploration-tables.tsx";
import { useAction, useLive, useResource, useStore } from "../preact-store-hooks.ts";
import type { LiveEvent } from "../reconnecting-websocket.ts";
import { ActionButton, Card, Facts, Loaded, Moment, StateName, Tabs, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

/** The number of pages per second is measured over this number of finished pages. */
const RATE_PAGES = 50;
const MOST_RECENT = 100;

interface Recent {
  readonly url: string;
  readonly title: string | null;
  readonly depth: number;
  readonly isGood: boolean;
  /** Time at which the page was finished, in seconds since the epoch. */
  readonly at: number;
}

function createProgress() {
  const first: { readonly recent: readonly Recent[] } = { recent: [] };
  return createStore({
    context: first,
    on: {
      page: (state, { event }: { event: LiveEvent }) => ({
        recent: [
          {
            url: String(event.url ?? ""),
            title: typeof event.title === "string" ? event.title : null,
            depth: Number(event.depth ?? 0),
            isGood: event.success === true,
            at: Number(event.timestamp ?? 0),
          },
          ...state.recent,
        ].slice(0, MOST_RECENT),
      }),
    },
  });
}

/** Returns the number of pages per second, measured over the newest `RATE_PAGES` pages. */
function rateOf(recent: readonly Recent[]): number | undefined {
  const newest = recent.slice(0, RATE_PAGES);
  const [first, last] = [newest.at(-1), newest[0]];
  if (!first || !last || newest.length < 3 || last.at <= first.at) return undefined;
  return (newest.length - 1) / (last.at - first.at);
}

const isOver = (status: string): boolean => ["completed", "cancelled", "failed"].includes(status);

function Progress({
  status,
  recent,
}: {
  readonly status: ExplorationStatus;
  readonly recent: readonly Recent[];
}) {
  const { completed, queued, failed, searchable, skipped, external_links, current_url } = status.progress;
  const known = completed + queued + failed;
  const rate = rateOf(recent);
  const deepest = recent.reduce((most, { depth }) => Math.max(most, depth), -1);
  return (
    <Card title="Progress">
      <progress
        max={Math.max(1, known)}
        value={completed + failed}
        aria-label={`${completed + failed} of ${known} known pages`}
      />
      <div class="numbers">
        {[
          ["pages", completed],
          ["waiting", queued],
          ["failed", failed],
          ["searchable", searchable],
          ["skipped", skipped],
          ["links to other sites", external_links],
          ...(deepest < 0 ? [] : [["depth", deepest]]),
        ].map(([name, value]) => (
          <div key={name}>
            <b>{value}</b>
            <span>{name}</span>
          </div>
        ))}
        {status.interactive && (
          <>
            <div>
              <b>{status.interactive.actions}</b>
              <span>presses</span>
            </div>
            <div>
              <b>{status.interactive.states}</b>
              <span>states found</span>
            </div>
            <div>
              <b>{status.interactive.held ?? 0}</b>
              <span>writes held back</span>
            </div>
          </>
        )}
        {rate !== undefined && !isOver(status.status) && (
          <div>
            <b>{rate.toFixed(1)}</b>
            <span>pages a second</span>
          </div>
        )}
      </div>
      {status.interactive?.last && !isOver(status.status) && (
        <p class="soft">
          Last press: <span class="mono">{status.interactive.last}</span>
        </p>
      )}
      {current_url && !isOver(status.status) && (
        <p class="soft">
          Reading <span class="mono">{current_url}</span>
        </p>
      )}
      {recent.length > 0 && (
        <ol class="log" aria-label="Pages, the newest first">
          {recent.slice(0, 20).map(({ url, title, depth, isGood, at }) => (
            <li key={`${url} ${at}`}>
              <time>{new Date(at * 1_000).toISOString().slice(11, 19)}</time>
              <span>
                {title ?? url} <span class="soft">depth {depth}</span>{" "}
                {!isGood && <span class="bad">failed</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

export function ExplorationView({ parameters: { id = "" }, query }: ViewProps) {
  const progress = useMemo(createProgress, []);
  const status = useResource(id, () => get<ExplorationStatus>(path("/api/knowledge/explore/status", id)));
  const [isRunning, run] = useAction();
  const recent = useStore(progress, (state) => state.recent);
  useLive(
    path("/ws/explorations", id),
    (event) => {
      if (event.type === "page_completed") progress.trigger.page({ event });
      status.reload();
    },
    status.reload,
  );
  // The status is also read again at each step of the exploration's actor, because no event reports that
  // pages have become searchable.
  const steps = new URLSearchParams({ kind: "exploration", id, what: "snapshot" });
  useLive(`/ws/inspect?${steps}`, status.reload, status.reload);
  const tab = query.get("tab") ?? "progress";
  const state = status.value?.status ?? "";
  const control = (name: string): void =>
    void run(() => post<JobState>(`/api/knowledge/explore/${name}`, { job_id: id })).then(status.reload);
  const here = path("/explorations", id);
  return (
    <View
      title={id}
      up={{ href: "/explorations", text: "Explorations" }}
      actions={
        <>
          {["queued", "running"].includes(state) && (
            <ActionButton disabled={isRunning} onClick={() => control("pause")}>
              Pause
            </ActionButton>
          )}
          {state === "paused" && (
            <ActionButton disabled={isRunning} onClick={() => control("resume")}>
              Resume
            </ActionButton>
          )}
          {["queued", "running", "paused"].includes(state) && (
            <ActionButton disabled={isRunning} onClick={() => control("cancel")}>
              Cancel
            </ActionButton>
          )}
        </>
      }
    >
      <Loaded of={status}>
        {(value) => (
          <>
            <Facts
              of={[
                { name: "State", value: <StateName state={value.status} id="state" /> },
                { name: "Map", value: <a href={path("/maps", value.knowledge_id)}>{value.knowledge_id}</a> },
                { name: "From", value: value.start_url },
                { name: "Started", value: <Moment at={value.started_at} /> },
                { name: "Actor", value: <a href={path("/actors", "exploration", id)}>statechart</a> },
              ]}
            />
            {value.error && (
              <p class="note bad">
                {value.error.message} <span class="mono">{value.error.code}</span>
              </p>
            )}
            <Tabs
              label="Parts of the exploration"
              current={tab}
              tabs={[
                { name: "progress", text: "Progress", href: here },
                { name: "pages", text: "Pages and links", href: `${here}?tab=pages` },
                { name: "presses", text: "Presses", href: `${here}?tab=presses` },
                {
                  name: "held",
                  text: `Held back (${value.held_back.length + value.traps.length})`,
                  href: `${here}?tab=held`,
                },
                { name: "errors", text: `Errors (${value.progress.failed})`, href: `${here}?tab=errors` },
              ]}
            />
            {tab === "progress" && <Progress status={value} recent={recent} />}
            {tab === "pages" && <Pages id={id} cursor={query.get("cursor") ?? ""} />}
            {tab === "presses" && <Presses status={value} />}
            {tab === "held" && <HeldBack status={value} />}
            {tab === "errors" && <Errors id={id} />}
          </>
        )}
      </Loaded>
    </View>
  );
}
