/** The effect of a session's browser: it exists as long as the machine is live, and ends with that state. */
import { Refused, Unavailable } from "../../machines/errors.ts";
import type { ActionOutcome } from "../../machines/session/action-outcome.ts";
import { lifecycleLimits } from "../../machines/session/limits.ts";
import type { BrowseOrder } from "../../machines/session/machine.ts";
import type { Payload } from "../../machines/session/session-events.ts";
import type { BrowserSession } from "../browser/index.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";
import { Autosave } from "./autosave.ts";
import { keepRecipe } from "./login-action.ts";
import { type ResolvedEnvironment, resolveEnvironment, secretsFor } from "./resolve-environment.ts";
import { roomFolder } from "./room-files.ts";
import { roomsOf } from "./rooms.ts";

const OPENED: ActionOutcome = { success: true, error: null, data: {} };

/** Holds the room's browser until it is no longer needed, or gone. */
export async function browse(order: BrowseOrder, scope: EffectScope<CairnServices>): Promise<null> {
  const { address, services, signal, resumed } = scope;
  const room = address.id;
  if (resumed) {
    // The worker with the browser died. A browser that was only opening is opened here.
    await scope.notify({ type: "LOST" });
    if (signal.aborted) return null;
  }
  const { slots: places, states, log } = services.sessions;
  const { events } = services;
  const rooms = roomsOf(services.browser);
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const place = await places.take(room, signal);
  const ending: (() => Promise<void>)[] = [];
  try {
    const ref = { room, epoch: order.epoch };
    const saved = order.restore ? await states.read(ref) : undefined;
    const { viewport_width: width, viewport_height: height } = order.options;
    const given = await resolveEnvironment(room, order.options, services.sessions.secrets);
    const { upstream, environment, storage } = given;
    const way = upstream && (await services.sessions.proxyThrough(upstream));
    ending.push(async () => way?.close());
    const browser = await services.browser.openSession({
      viewport: { width, height },
      environment,
      storage,
      proxy: way,
      downloads: roomFolder(services.browser.downloads, room),
      restoreFrom: saved && order.restore ? { saved, from: order.restore } : undefined,
      emit: ({ type, ...payload }) => events.emit(type, room, payload as Payload<typeof type>), // The payload of its own type.
    });
    browser.resources.redactor.add(...given.secrets);
    if (given.login) keepRecipe(browser, given.login);
    const unfollow = events.follow(room, (heard) => browser.follow(heard));
    let keeper: Autosave | undefined;
    try {
      let exceed = (_error: Refused): void => {};
      const exceeded = new Promise<never>((_, reject) => {
        exceed = reject;
      });
      const gone = Promise.race([browser.ended, aborted, exceeded]);
      // Waiting callers receive the error.
      gone.catch(() => {});
      const outcome = await Promise.race([saved ? OPENED : openFirst(order, browser, given, scope), gone]);
      if (outcome) {
        keeper = new Autosave(
          {
            ref,
            session: browser,
            states,
            signal,
            notify: (type) => scope.notify({ type }),
            changed: () => rooms.notifyChange(room),
            exceeded: (heap) => exceed(heapExceeded(heap)),
            log,
            idle: lifecycleLimits.idle,
          },
          order.restore !== null,
        );
        const kept = keeper;
        scope.beforeLeaving(() => kept.handOver());
        rooms.enter(room, browser, keeper);
        await scope.notify({ type: "OPENED", outcome, url: browser.resources.redactor.text(browser.url) });
        rooms.notifyChange(room);
        place.assign(keeper);
        await gone;
      }
      if (!signal.aborted)
        throw new Unavailable("session.browser_gone", "Its browser crashed or was closed.");
      return null;
    } finally {
      unfollow();
      keeper?.end();
      rooms.leave(room, browser);
      await browser.close();
      // The step that ended it has published its numbered events.
      if (!rooms.get(room)) events.forget(room);
    }
  } finally {
    try {
      for (const end of ending) await end();
    } finally {
      place.release();
      rooms.notifyChange(room);
    }
  }
}

function heapExceeded(heap: number): Refused {
  const mb = (bytes: number): number => Math.round(bytes / 1_024 / 1_024);
  return new Refused(
    "session.memory_limit",
    `Scripts of its pages held ${mb(heap)} MB, and ${mb(lifecycleLimits.maxHeap)} MB is the limit.`,
    { status: 409, details: { heap } },
  );
}

/** Runs the login recipe, and opens the first address after its success. */
async function openFirst(
  { url }: BrowseOrder,
  browser: BrowserSession,
  { login }: ResolvedEnvironment,
  { services }: EffectScope<CairnServices>,
): Promise<ActionOutcome> {
  if (login) {
    const secrets = secretsFor(login, services.sessions.secrets);
    const signedIn = await browser.login(login, secrets, async () => {});
    if (!signedIn.success || url === null) return signedIn;
  }
  return url === null ? OPENED : await browser.open(url);
}
