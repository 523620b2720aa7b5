/** The effect that runs a session's browser while its machine is in the live state. */
import { Refused, Unavailable } from "../../machines/errors.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type { Payload } from "../../machines/session/build-session-events.ts";
import { lifecycleLimits } from "../../machines/session/session-limits.ts";
import type { BrowseOrder } from "../../machines/session/session-machine.ts";
import type { BrowserSession } from "../browser/index.ts";
import type { EgressProxy } from "../egress/index.ts";
import { secretsFor } from "../login-recipe-encryption-and-secrets.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { roomsOf } from "./live-sessions.ts";
import { keepRecipe } from "./login-action.ts";
import { type ResolvedEnvironment, resolveEnvironment } from "./resolve-secrets-in-session-environment.ts";
import { Autosave } from "./session-autosave-and-hibernation.ts";
import { roomFolder } from "./session-downloaded-files.ts";
import { RoomVideo } from "./session-video.ts";

const OPENED: ActionOutcome = { success: true, error: null, data: {} };

/**
 * Opens the session's browser and keeps it open until the machine leaves its live state or the browser ends.
 */
export async function browse(order: BrowseOrder, scope: EffectScope<CairnServices>): Promise<null> {
  const { address, services, signal, resumed } = scope;
  const room = address.id;
  if (resumed) {
    // The effect was started before, and the browser of that run is gone. The machine gets `LOST`, and
    // decides whether to open a new browser.
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
  const slot = await places.take(room, signal);
  /** The local proxy of a session that uses an upstream proxy. It is closed with the browser. */
  let upstreamProxy: EgressProxy | undefined;
  try {
    const ref = { room, epoch: order.epoch };
    const saved = order.restore ? await states.read(ref) : undefined;
    const { viewport_width: width, viewport_height: height } = order.options;
    const given = await resolveEnvironment(room, order.options, services.sessions.secrets);
    const { upstream, environment, storage } = given;
    upstreamProxy = upstream && (await services.sessions.proxyThrough(upstream));
    const browser = await services.browser.openSession({
      viewport: { width, height },
      environment,
      readyWithin: order.options.ready_within,
      storage,
      proxy: upstreamProxy,
      downloads: roomFolder(services.browser.downloads, room),
      restoreFrom: saved && order.restore ? { saved, from: order.restore } : undefined,
      // TypeScript does not know that `type` and `payload`, which come from one event, belong together. They
      // are unchanged, so the cast is safe.
      emit: ({ type, ...payload }) => events.emit(type, room, payload as Payload<typeof type>),
    });
    browser.resources.redactor.add(...given.secrets);
    if (given.login) keepRecipe(browser, given.login);
    const { secrets, video: videoServices } = services.sessions;
    const video = RoomVideo.start({
      room,
      order,
      session: browser,
      events,
      secrets,
      video: videoServices,
      log,
    });
    if (video) rooms.videos.set(room, video);
    const unfollow = events.follow(room, (subscriptions) => browser.follow(subscriptions));
    let autosave: Autosave | undefined;
    try {
      let exceed = (_error: Refused): void => {};
      const exceeded = new Promise<never>((_, reject) => {
        exceed = reject;
      });
      const gone = Promise.race([browser.ended, aborted, exceeded]);
      // `gone` may reject before the code below awaits it. The empty handler prevents an unhandled rejection.
      gone.catch(() => {});
      const outcome = await Promise.race([saved ? OPENED : openFirst(order, browser, given, scope), gone]);
      if (outcome) {
        autosave = new Autosave(
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
        const started = autosave;
        scope.beforeLeaving(() => started.handOver());
        rooms.enter(room, browser, autosave);
        await scope.notify({ type: "OPENED", outcome, url: browser.resources.redactor.text(browser.url) });
        rooms.notifyChange(room);
        slot.assign(autosave);
        await gone;
      }
      if (!signal.aborted)
        throw new Unavailable("session.browser_gone", "Its browser crashed or was closed.");
      return null;
    } finally {
      unfollow();
      autosave?.end();
      if (rooms.videos.get(room) === video) rooms.videos.delete(room);
      await video?.close();
      rooms.leave(room, browser);
      await browser.close();
      // The session has ended, and its last numbered events are published. The numbers of its events are no
      // longer needed.
      if (!rooms.get(room)) events.forget(room);
    }
  } finally {
    try {
      await upstreamProxy?.close();
    } finally {
      slot.release();
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

/** Runs the login recipe. After a successful login, opens the first address of the session. */
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
