/**
 * The actor kind `session/<room_name>`: binds the session's statechart to its browser, and answers queries
 * about the session.
 */

import { kinds } from "../../machines/actor-kinds.ts";
import { Fenced, Refused, Unavailable } from "../../machines/errors.ts";
import { type ActionOutcome, failedAction } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import { maskTyped } from "../../machines/session/build-session-events.ts";
import type { Fingerprint } from "../../machines/session/controls/element-of-fingerprint.ts";
import type { Locators } from "../../machines/session/controls/find-element-by-locator.ts";
import type {
  ConsoleOptions,
  NetworkOptions,
} from "../../machines/session/outputs/console-and-network-log-schemas.ts";
import type { ExtractOptions } from "../../machines/session/outputs/extracted-content-schemas.ts";
import type { FrameRequest, InputEvent } from "../../machines/session/outputs/live-view-schemas.ts";
import type { AnalyzeRequest } from "../../machines/session/page/page-snapshot.ts";
import { lifecycleLimits, sessionLimits } from "../../machines/session/session-limits.ts";
import {
  actorsOnPage,
  type PendingAction,
  RECOVERY,
  type SessionContext,
  sessionMachine,
  sessionPhase,
} from "../../machines/session/session-machine.ts";
import type { ScreenshotOptions, SessionProtocol } from "../../machines/session/session-protocol.ts";
import { withStreaming } from "../../machines/session/session-video-states.ts";
import { storageStateOf } from "../../machines/session/state/playwright-storage-state.ts";
import type { BrowserSession } from "../browser/index.ts";
import { defineKind, type EffectScope, type Json, type QueryScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { clickReports } from "./click-reports-to-maps.ts";
import { openAction } from "./encrypt-action-secrets.ts";
import { crowdedError, HIBERNATED } from "./errors-of-sessions-without-browser.ts";
import { extractAction, extractFrom } from "./extract-session-page-content.ts";
import { announceLarge, lightOutcome, pastOutcome, wholeOutcome } from "./large-session-results.ts";
import { roomsOf } from "./live-sessions.ts";
import { loginAction } from "./login-action.ts";
import { readSessionPage, readSessionTexts } from "./read-session-page.ts";
import { type ActionRun, runAction } from "./run-browser-action.ts";
import { browse } from "./session-browser-effect.ts";
import { RoomFiles } from "./session-downloaded-files.ts";

type Scope = QueryScope<CairnServices, SessionContext>;

/** Returns the session's browser for a query. It waits while the session starts or restores. */
async function browserOf({ address, services, context, value }: Scope): Promise<BrowserSession> {
  const room = address.id;
  const phase = sessionPhase(context, value);
  if (phase === "absent" || phase === "closed") {
    throw new Refused("session.not_found", `There is no session ${room}. start_browser_session starts one.`, {
      status: 404,
    });
  }
  if (phase === "failed") {
    const why = context.error?.message ?? "";
    throw new Refused("session.failed", `Session ${room} has failed: ${why} ${RECOVERY}`, { status: 409 });
  }
  if (phase === "hibernated") throw hibernatedError(room);
  const rooms = roomsOf(services.browser);
  const until = performance.now() + sessionLimits.loadWithin;
  for (;;) {
    const session = rooms.get(room);
    const hibernating = rooms.autosave(room)?.hibernating === true;
    if (session && !hibernating) return session;
    if (performance.now() >= until) break;
    // The session has hibernated since the query was sent. The query fails with `HIBERNATED`, so that the
    // gateway wakes the session and repeats the query.
    if (phase === "live" && !hibernating) throw hibernatedError(room);
    await rooms.nextChange(room);
  }
  const position = services.sessions.slots.position(room);
  if (position !== undefined) throw crowdedError(room, position);
  throw new Unavailable(
    "session.not_here",
    `The browser of session ${room} is not there now. Try again shortly.`,
  );
}

/** Lists the downloaded files of a session. They are kept after the session ends. */
function filesOf({ address, services, context, value }: Scope): RoomFiles {
  if (sessionPhase(context, value) === "absent") {
    throw new Refused(
      "session.not_found",
      `There is no session ${address.id}. start_browser_session starts one.`,
      { status: 404 },
    );
  }
  return new RoomFiles(services.browser, address.id, roomsOf(services.browser).get(address.id));
}

/**
 * Returns the error of a query to a hibernated session. The gateway wakes the session and repeats the query.
 */
function hibernatedError(room: string): Unavailable {
  return new Unavailable(HIBERNATED, `Session ${room} is hibernated. The next command wakes it.`);
}

/**
 * Waits until this node's lease of the session is certain to last longer than an action of `within`
 * milliseconds.
 */
async function permitted(
  { leaseCertainFor, signal }: EffectScope<CairnServices>,
  within: number,
): Promise<void> {
  const until = performance.now() + sessionLimits.leaseWithin;
  for (;;) {
    if (signal.aborted)
      throw new Fenced("lease.lost", "This node no longer holds the session. Nothing was done.");
    if (leaseCertainFor() >= within) return;
    if (performance.now() >= until)
      throw new Fenced(
        "lease.unsure",
        "The lease of the session may end before the action does. Nothing was done.",
      );
    await new Promise((resolve) => setTimeout(resolve, sessionLimits.actionableEvery));
  }
}

/** Runs an action. Most actions need only the browser; `extract` and `login` also need models and secrets. */
async function dispatchAction(
  browser: BrowserSession,
  action: Action,
  scope: EffectScope<CairnServices>,
  asksBeforeLeaving?: boolean,
): Promise<ActionOutcome> {
  const permit = (within: number): Promise<void> => permitted(scope, within);
  switch (action.name) {
    case "extract":
      return await extractAction(browser, action.params, scope.services.models);
    case "login":
      return await loginAction(browser, action, { scope, permit });
    default:
      return await browser.perform(action, permit, asksBeforeLeaving);
  }
}

export const session = defineKind<SessionProtocol, CairnServices, SessionContext>({
  kind: "session",
  version: kinds.session.version,
  // Snapshots of version 1 lack the field for video streaming, so `withStreaming` adds this field.
  migrate: (snapshot) => withStreaming(snapshot as unknown as Parameters<typeof withStreaming>[0]) as Json,
  machine: sessionMachine,
  // The time after which the actor of a hibernated session leaves memory. The actor of a live session never
  // leaves memory, because its browser effect is running.
  limits: { idle: lifecycleLimits.residentAfterHibernate },
  effects: {
    browse,
    act: async (given: PendingAction, scope) => {
      const { address, services, resumed } = scope;
      const { id } = given;
      // The runtime remembers only the newest commands. When an older action is repeated, its stored outcome
      // is found here, and the action is not run again.
      const [action, past] = await Promise.all([
        openAction(address.id, given.action, services.sessions.secrets),
        resumed ? undefined : pastOutcome(services, address.id, id),
      ]);
      const pending = { ...given, action };
      const rooms = roomsOf(services.browser);
      const done = resumed ? undefined : await rooms.autosave(address.id)?.begin();
      const browser = rooms.get(address.id);
      const from = browser?.url;
      const { outcome, step, clicked }: ActionRun = past
        ? { outcome: past }
        : browser && !resumed
          ? await runAction(browser, pending, (requested) =>
              dispatchAction(browser, requested, scope, given.asks_before_leaving),
            )
          : {
              outcome: failedAction(
                "interrupted",
                "The browser ended while the action was running. Whether it was done is not known.",
              ),
            };
      // The address may contain a secret that a form has submitted, so it is masked.
      const url = browser?.resources.redactor.text(browser.url) ?? "about:blank";
      if (browser && from !== undefined && clicked !== undefined && outcome.success)
        clickReports(services).add({ from, to: browser.url, name: clicked });
      const origin = { of: action.name, command_id: id };
      const light = await lightOutcome(services, address.id, outcome, origin);
      try {
        await scope.notify({ type: "ACTED", id, outcome: light, url, step });
      } finally {
        done?.();
        rooms.notifyChange(address.id);
      }
      return null;
    },
  },
  publishing: (event, { address, services }) => services.events.numbered(address.id, event),
  /**
   * Actions may contain text that was typed into pages, which only the caller that typed it may see. So only
   * the names and ids of the actions are kept.
   */
  redact: (context) => ({
    ...context,
    control: context.control ? { name: context.control.name } : null,
    acting: context.acting && { id: context.acting.id, action: { name: context.acting.action.name } },
    waiting: context.waiting.map(({ id, action: { name } }) => ({ id, action: { name } })),
  }),
  redactEvent: maskTyped,
  queries: {
    analyze: async (options: AnalyzeRequest, scope) =>
      announceLarge(scope, "analyze_page", await (await browserOf(scope)).analyze(options), (data) => ({
        success: true,
        data,
      })),
    context: async (_params: unknown, scope) => {
      const context = await (await browserOf(scope)).context();
      const video = roomsOf(scope.services.browser).videos.get(scope.address.id);
      return video ? { ...context, video: video.report } : context;
    },
    rejoin: async (_params: unknown, { services, address }) => {
      roomsOf(services.browser).videos.get(address.id)?.reconnect();
      return null;
    },
    content: async (_params: unknown, scope) => (await browserOf(scope)).content(),
    frame: async (request: FrameRequest, scope) => (await browserOf(scope)).liveView.frame(request),
    input: async (
      { holder, events }: { readonly holder: string; readonly events: readonly InputEvent[] },
      scope,
    ) => {
      if (scope.context.control?.holder !== holder) {
        throw new Refused(
          "session.not_held",
          `You do not control the browser of session ${scope.address.id}. Take control first.`,
          { status: 409 },
        );
      }
      return (await browserOf(scope)).liveView.input(events);
    },
    screenshot: async (options: ScreenshotOptions, scope) =>
      announceLarge(scope, "screenshot", await (await browserOf(scope)).screenshot(options)),
    extract: async (options: ExtractOptions, scope) =>
      announceLarge(
        scope,
        "extract",
        await extractFrom(await browserOf(scope), options, scope.services.models),
      ),
    page: async (_params: unknown, scope) => readSessionPage(await browserOf(scope)),
    texts: async (_params: unknown, scope) => readSessionTexts(await browserOf(scope)),
    bind: async (
      { targets, within }: { targets: Readonly<Record<string, Fingerprint>>; within: number },
      scope,
    ) => (await browserOf(scope)).bindAll(targets, within),
    locate: async ({ locators, within }: { readonly locators: Locators; readonly within: number }, scope) =>
      (await browserOf(scope)).locateAll(locators, within),
    console: async (options: ConsoleOptions, scope) => (await browserOf(scope)).resources.console(options),
    network: async (options: NetworkOptions, scope) => (await browserOf(scope)).resources.network(options),
    storageState: async ({ databases }: { readonly databases: boolean }, scope) =>
      storageStateOf((await (await browserOf(scope)).save(true)).session, databases),
    files: async (_params: unknown, scope) => filesOf(scope).list(),
    file: async ({ id, from }: { readonly id: string; readonly from: number }, scope) =>
      filesOf(scope).piece(id, from),
    removeFile: async ({ id }: { readonly id: string }, scope) => filesOf(scope).remove(id),
    /**
     * Returns the session's phase. With `wait`, a session that starts or restores answers only after its next
     * change.
     */
    phase: async ({ wait }: { readonly wait: boolean }, { address, services, context, value }) => {
      const phase = sessionPhase(context, value);
      const rooms = roomsOf(services.browser);
      if (wait && (phase === "starting" || phase === "waking")) await rooms.nextChange(address.id);
      return {
        phase,
        url: context.url,
        opened: context.opened,
        error: context.error,
        restored: rooms.get(address.id)?.restored ?? null,
        position: services.sessions.slots.position(address.id) ?? null,
      };
    },
    actors_on_page: async (_params: unknown, { context }) => actorsOnPage(context),
    /**
     * Returns the outcome of an action. While the action waits or runs, the query waits for the next change of
     * the session.
     */
    outcome: async ({ id }: { readonly id: string }, { address, services, context }) => {
      const found = context.outcomes.find((outcome) => outcome.id === id);
      if (found) return { outcome: await wholeOutcome(services, found.outcome) };
      const pending = context.acting?.id === id || context.waiting.some((action) => action.id === id);
      if (!pending) {
        const past = await pastOutcome(services, address.id, id);
        if (past) return { outcome: await wholeOutcome(services, past) };
        const lost = failedAction("interrupted", "The outcome of this action is no longer stored.");
        return { outcome: lost, unknown: true };
      }
      await roomsOf(services.browser).nextChange(address.id);
      return { outcome: null, position: services.sessions.slots.position(address.id) ?? null };
    },
  },
});
