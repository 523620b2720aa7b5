/** The entry of a worker thread: creates the services and hosts every kind. */

import type { Protocols } from "../machines/actor-kinds.ts";
import type { EgressPolicy } from "../machines/egress/egress-policy.ts";
import { createBrowser } from "./browser/index.ts";
import { createDestinations, type EgressProxy, startEgressProxy } from "./egress/index.ts";
import { hostAsker } from "./host/host-actor-kind.ts";
import { loadKinds } from "./load-actor-kinds.ts";
import { createModels, type ModelSettings } from "./models/index.ts";
import { joinNodeStore, type WorkerStore } from "./node/open-node-store.ts";
import { storeMetrics } from "./node/store-request-metric.ts";
import { createReader } from "./reading/index.ts";
import { ActorSystem, runWorker } from "./runtime/index.ts";
import type { GivenSecret } from "./secrets/secret-store.ts";
import type { LiveKitSettings } from "./session/livekit-credentials.ts";
import { sessionServices } from "./session/services-shared-by-sessions.ts";
import { RoomEvents } from "./session/session-event-publisher.ts";
import type { CairnServices } from "./worker-services.ts";

/** Settings that the node sends to its workers. */
export interface WorkerSettings {
  readonly userAgent: string;
  readonly egress: EgressPolicy;
  /** Path of the Chromium that `CAIRN_CHROMIUM` names. */
  readonly chromium: string | undefined;
  /** Folder of temporary browser profiles. */
  readonly browserFolder: string;
  /** Whether callers may run scripts in pages (`CAIRN_EVALUATE`). */
  readonly evaluate: boolean;
  /** Whether an empty page is kept ready for the next session (`CAIRN_PREPARED_PAGE`). */
  readonly preparesPage: boolean;
  /** Folder of files that sessions may upload. */
  readonly uploads: string;
  /** Folder of files that sessions downloaded. */
  readonly downloads: string;
  /** Maximum number of sessions with a running browser in this worker. */
  readonly liveSessions: number;
  /** The data folder (`CAIRN_DATA`). */
  readonly dataDir: string;
  /** Secrets from environment variables. The keys are the names of the secrets. */
  readonly secrets: Readonly<Record<string, GivenSecret>>;
  readonly livekit: LiveKitSettings;
  readonly store: WorkerStore;
  readonly models: ModelSettings;
}

runWorker(async ({ start, bus, clock, log }) => {
  const settings = start.settings as WorkerSettings; // `CairnNode` sent these settings, so the cast is safe.
  const { userAgent, egress, chromium, browserFolder, evaluate, preparesPage } = settings;
  const { uploads, downloads, dataDir } = settings;
  const store = await joinNodeStore(settings.store, { call: (bytes) => bus.store(bytes) });
  const system = new ActorSystem<Protocols>(bus, clock, `${start.owner}-services`);
  const destinations = createDestinations({ policy: egress });
  const reader = createReader({ userAgent, destinations, member: start.owner, askHost: hostAsker(system) });
  // The browser and its egress proxy are created when a page first needs them.
  let proxy: Promise<EgressProxy> | undefined;
  const wayOut = (): Promise<EgressProxy> => {
    proxy ??= startEgressProxy({ destinations });
    return proxy;
  };
  const browser = createBrowser({
    chromium,
    folder: browserFolder,
    userAgent,
    proxy: wayOut,
    evaluate,
    preparesPage,
    uploads,
    downloads,
    log,
  });
  const sessions = sessionServices({
    store,
    dataDir,
    live: settings.liveSessions,
    environmentSecrets: settings.secrets,
    video: { settings: settings.livekit, proxy: wayOut },
    proxyThrough: (upstream) => startEgressProxy({ destinations, upstream }),
    log,
  });
  const services: CairnServices = {
    actors: system,
    store,
    reader,
    browser,
    events: new RoomEvents(bus),
    sessions,
    models: createModels(settings.models, {
      get: (key) => store.results.get(`model:${key}`),
      put: (key, text) => store.results.put(`model:${key}`, text, clock.now()),
    }),
  };
  const stop = async (): Promise<void> => {
    reader.close();
    await browser.close();
    await (await proxy)?.close();
    await store.close();
  };
  const measure = () => [storeMetrics(store), sessions.slots.measure()];
  return { definitions: await loadKinds(), services, actorStore: store.actors, measure, stop };
});
