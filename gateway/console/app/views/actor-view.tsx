/**
 * The view `/actors/{kind}/{id}` of one actor: its live state chart, its history, its context, its effects
 * and its commands.
 */

import { Component } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { activeStates, type Chart } from "../../../../machines/inspection/statechart-of-state-machine.ts";
import type { ActorDetail } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import { CommandForm, type KindCommand } from "../actors/actor-command-form.tsx";
import {
  createTimeline,
  type Moment as TimelineMoment,
  type TimelineStore,
} from "../actors/actor-timeline.ts";
import { ChartFrame } from "../actors/statechart-frame.tsx";
import { get, path, post } from "../console-api-client.ts";
import { ValueTree } from "../forms/json-value-tree.tsx";
import { WORK_VIEWS } from "../navigation-bar.tsx";
import { useAction, useLive, useResource, useStore } from "../preact-store-hooks.ts";
import { ActionButton, Card, Facts, Loaded, Moment, StateName, View } from "../view-components.tsx";
import type { ViewProps } from "./view-props.ts";

interface Machine {
  readonly chart: Chart;
  readonly commands: readonly KindCommand[];
}

const timeOfDay = (at: number): string => new Date(at).toISOString().slice(11, 23);

interface LogLineProps {
  readonly moment: TimelineMoment;
  readonly isChosen: boolean;
  readonly choose: (moment: TimelineMoment) => void;
}

/**
 * A line in the list of an actor's history. Each event renders the list again, but a line is rendered again only if
 * its content has changed.
 */
class LogLine extends Component<LogLineProps> {
  override shouldComponentUpdate({ moment, isChosen }: LogLineProps): boolean {
    return moment !== this.props.moment || isChosen !== this.props.isChosen;
  }

  override render({ moment, isChosen, choose }: LogLineProps) {
    const { at, cause, what, outcome, taken } = moment;
    return (
      <li>
        <button type="button" class="moment" aria-pressed={isChosen} onClick={() => choose(moment)}>
          <time dateTime={new Date(at).toISOString()}>{timeOfDay(at)}</time>
          <span>
            {cause} → <b>{what}</b>
            {outcome !== "ok" && <span class="bad"> {outcome}</span>}
            {taken.length > 0 && (
              <span class="soft"> {taken.length === 1 ? "transition" : `${taken.length} transitions`}</span>
            )}
          </span>
        </button>
      </li>
    );
  }
}

/**
 * Maximum number of moments (entries of the actor's history) in the list. The list shows those around the
 * selected moment; the slider reaches all moments and moves the list.
 */
const LISTED = 100;

function History({ timeline }: { readonly timeline: TimelineStore }) {
  const { moments, chosen } = useStore(timeline, (state) => state);
  const last = moments.length - 1;
  const at = chosen ?? last;
  const shown = moments[at];
  const end = Math.min(last, at + LISTED / 2);
  const start = Math.max(0, end - LISTED + 1);
  const choose = useMemo(
    () => (moment: TimelineMoment) =>
      timeline.trigger.choose({ moment: timeline.getSnapshot().context.moments.indexOf(moment) }),
    [timeline],
  );
  return (
    <Card title="History">
      {moments.length === 0 ? (
        <p class="nothing">Nothing has happened since it was last loaded.</p>
      ) : (
        <>
          <div class="scrubber">
            <label for="scrub">
              {chosen === undefined ? "Now" : `Moment ${at + 1} of ${moments.length}`}
              {shown && chosen !== undefined && <span class="soft"> {timeOfDay(shown.at)}</span>}
            </label>
            <input
              id="scrub"
              type="range"
              min={0}
              max={Math.max(0, last)}
              value={at}
              aria-valuetext={shown ? `${shown.what} at ${timeOfDay(shown.at)}` : "now"}
              onInput={({ currentTarget }) =>
                timeline.trigger.choose({ moment: Number(currentTarget.value) })
              }
            />
            <button
              type="button"
              disabled={chosen === undefined}
              onClick={() => timeline.trigger.choose({ moment: undefined })}
            >
              Back to now
            </button>
          </div>
          <ol class="log" id="log" aria-label="Events, the newest first">
            {moments
              .slice(start, end + 1)
              .map((moment) => (
                <LogLine key={moment.number} moment={moment} isChosen={moment === shown} choose={choose} />
              ))
              .reverse()}
          </ol>
        </>
      )}
    </Card>
  );
}

function List<Item>({
  of,
  none,
  children,
}: {
  readonly of: readonly Item[];
  readonly none: string;
  readonly children: (item: Item) => preact.ComponentChildren;
}) {
  return of.length === 0 ? (
    <p class="nothing">{none}</p>
  ) : (
    <ul class="plain">
      {of.map((item, at) => (
        <li key={at}>{children(item)}</li>
      ))}
    </ul>
  );
}

function UnderWay({ actor: { effects, timers, outbox } }: { readonly actor: ActorDetail }) {
  return (
    <div id="under-way">
      <h3>Effects</h3>
      <List of={effects} none="None runs.">
        {({ id, src, run }) => (
          <>
            <b>{id}</b> {src !== id && src} <span class="soft">run {run}</span>
          </>
        )}
      </List>
      <h3>Timers</h3>
      <List of={timers} none="None is set.">
        {({ event, due }) => (
          <>
            {event}{" "}
            <span class="soft">
              at <Moment at={due} />
            </span>
          </>
        )}
      </List>
      <h3>Sends</h3>
      <List of={outbox} none="Nothing waits to be delivered.">
        {({ to, event, seq }) => (
          <>
            {event} to <b>{to}</b> <span class="soft">no. {seq}</span>
          </>
        )}
      </List>
    </div>
  );
}

function ActorHead({
  actor,
  timeline,
  reload,
}: {
  readonly actor: ActorDetail;
  readonly timeline: TimelineStore;
  readonly reload: () => void;
}) {
  const waiting = useStore(timeline, (state) => state.waiting);
  const [isRunning, run] = useAction();
  const { kind, id, state, parked, shard, fence, owner, machine, status, mailbox } = actor;
  return (
    <>
      <Facts
        of={[
          { name: "State", value: <StateName state={state} id="state" /> },
          status !== "active" && { name: "Machine", value: status },
          {
            name: "Mailbox",
            value: <span id="mailbox">{waiting > 0 ? `${waiting} of ${mailbox.capacity}` : "empty"}</span>,
          },
          {
            name: "Shard",
            value: (
              <>
                {shard} <span class="soft">fence {fence}</span>
              </>
            ),
          },
          { name: "Owner", value: owner },
          { name: "Version", value: machine.version },
        ]}
      />
      {parked && (
        <div class="note bad">
          <p>
            Out of service since <Moment at={parked.at} />: {parked.message}{" "}
            <span class="mono">{parked.code}</span>
          </p>
          <ActionButton
            needs="admin"
            disabled={isRunning}
            onClick={() =>
              void run(() => post(`${path("/api/actors", kind, id)}/unpark`), "It is in service again.").then(
                reload,
              )
            }
          >
            Bring it back
          </ActionButton>{" "}
          <a href="/dead-letters">Dead letters</a>
        </div>
      )}
    </>
  );
}

export function ActorView({ parameters: { kind = "", id = "" } }: ViewProps) {
  const timeline = useMemo(createTimeline, []);
  const machine = useResource(kind, () => get<Machine>(path("/api/machines", kind)));
  const actor = useResource(`${kind}/${id}`, () => get<ActorDetail>(path("/api/actors", kind, id)));
  const chart = machine.value?.chart;
  const detail = actor.value;
  useEffect(() => {
    if (!detail) return;
    const known: Chart = chart ?? { id: kind, states: [], transitions: [] };
    const active = detail.parked ? [] : activeStates(known, detail.value);
    timeline.trigger.read({ chart: known, actor: detail, active });
  }, [chart, detail, kind, timeline]);
  const inspected = `/ws/inspect?${new URLSearchParams({ kind, id })}`;
  useLive(
    detail ? inspected : undefined,
    (event) => {
      timeline.trigger.event({ event });
      // Every event updates the chart. Events of these types also change other data, so the actor's state,
      // timers and effects are loaded again.
      if (/snapshot|dead_letter|@xstate.actor/.test(event.type)) actor.reload();
    },
    () => {
      timeline.trigger.missed();
      actor.reload();
    },
  );
  const { moments, chosen } = useStore(timeline, (state) => state);
  const at = chosen ?? moments.length - 1;
  const shown = moments[at];
  const changing = useMemo(
    () => new Set(chart?.transitions.flatMap(({ id: of, targets }) => (targets.length > 0 ? [of] : []))),
    [chart],
  );
  // The chart highlights the transition of the selected event. If that event has not changed the actor's state, the
  // chart also highlights the newest earlier transition that did.
  const led = moments.findLast(
    (moment, index) => index <= at && moment.taken.some((transition) => changing.has(transition)),
  );
  const taken = [...(led?.taken ?? []), ...(shown?.taken ?? [])];
  const work = WORK_VIEWS[kind];
  const context = chosen === undefined ? detail?.context : shown?.context;
  // The context may be large, so it is rendered only when it has changed, and not at each event.
  const contextTree = useMemo(() => <ValueTree value={context} />, [context]);
  return (
    <View
      title={id}
      up={{ href: `/actors?kind=${encodeURIComponent(kind)}`, text: `Actors · ${kind}` }}
      wide
      actions={work && <a href={path(work, id)}>Open the {kind}</a>}
    >
      <Loaded of={actor}>
        {(value) => (
          <>
            <ActorHead actor={value} timeline={timeline} reload={actor.reload} />
            <div class="columns">
              <div>
                <Card title="Statechart" class="chart-card">
                  {machine.error ? (
                    <p class="nothing">This node does not know the machine of {kind}.</p>
                  ) : (
                    <ChartFrame kind={kind} active={shown?.active ?? []} taken={taken} />
                  )}
                  <p class="legend">
                    <span>
                      <span class="key active" /> {chosen === undefined ? "where it is" : "where it was"}
                    </span>
                    <span>
                      <span class="key taken" /> the transition
                    </span>
                    <a href={`${path("/api/machines", kind)}/diagram.svg`} target="_blank" rel="noreferrer">
                      the diagram alone
                    </a>
                  </p>
                </Card>
                <Card title="Context">
                  <div id="context">
                    {shown && chosen !== undefined && shown.context === undefined ? (
                      <p class="nothing">
                        The context of that moment was not recorded. It is recorded while this view is open.
                      </p>
                    ) : (
                      contextTree
                    )}
                  </div>
                </Card>
              </div>
              <div>
                <History timeline={timeline} />
                <Card title="Under way">
                  <UnderWay actor={value} />
                </Card>
                {machine.value && machine.value.commands.length > 0 && (
                  <Card title="Send a command">
                    <CommandForm kind={kind} id={id} commands={machine.value.commands} />
                  </Card>
                )}
              </div>
            </div>
          </>
        )}
      </Loaded>
    </View>
  );
}
