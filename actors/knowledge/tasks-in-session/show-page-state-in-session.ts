/**
 * Opens a state of a page in a session by the presses that the map knows, such as a drawer with a list. Such a state has no
 * address of its own.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type RemovalPage, textKey } from "../../../machines/knowledge/tasks/control-that-removes-object.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import { routeAction } from "../../../machines/walk/map-route-step-to-action.ts";
import type { StateOfKind } from "../answers/page-states-showing-things.ts";
import type { SearchedSession } from "./session-interface-for-task-search.ts";

/**
 * Maximum time in milliseconds in which an opened state, such as a drawer, must show what the caller searches
 * for. Its content may still be loading.
 */
const SHOWN_WITHIN = 4_000;
/** Interval in milliseconds at which the page is read again. */
const EVERY = 400;

/** A state of a page, such as an open drawer, that the session shows. */
export interface OpenedState {
  readonly page: RemovalPage;
  /** The presses that open the state on its page. */
  readonly presses: readonly Action[];
}

/**
 * Opens a state of a page, such as a drawer, by pressing controls. Returns `undefined` if one of the controls
 * cannot be pressed.
 *
 * @param isShown returns whether the page shows what the caller searches for; the page is read until it
 * does, or until the time limit
 */
export async function openState(
  session: SearchedSession,
  { url, presses, actions }: StateOfKind,
  isShown: (page: RemovalPage) => boolean,
): Promise<OpenedState | undefined> {
  const steps = actions.slice(1).map((action) => routeAction(action));
  const clicks = steps.filter((step) => step !== undefined);
  if (clicks.length < steps.length || !(await session.open(url))) return undefined;
  const before = new Set((await session.removalPage()).texts.map(textKey));
  for (const click of clicks) if (!(await session.act(click))) return undefined;
  const until = performance.now() + SHOWN_WITHIN;
  for (;;) {
    const page = { ...(await session.removalPage()), opened: { presses, before } };
    if (isShown(page) || performance.now() >= until) return { page, presses: clicks };
    await pause(EVERY);
  }
}
