/**
 * The entry of a worker thread: every kind, on services made for this thread.
 */
import type { EgressPolicy } from "../machines/egress/egress-policy.ts";
import type { Protocols } from "../machines/kinds.ts";
import { createBrowser } from "./browser/index.ts";
import { createDestinations, type EgressProxy, startEgressProxy } from "./egress/index.ts";
import { hostAsker } from "./host/kind.ts";
import { loadKinds } from "./kinds.ts";
import { joinNodeStore, type WorkerStore } from "./node/node-store.ts";
import { storeStatements } from "./node/store-metrics.ts";
import { createReader } from "./reading/index.ts";
import { ActorSystem, runWorker } from "./runtime/index.ts";
import type { GivenSecret } from "./secrets/secrets.ts";
import type { CairnServices } from "./services.ts";
import { RoomEvents } from "./session/room-events.ts";
import { sessionServices } from "./session/session-services.ts";

/** What the node tells its workers about the kinds' own matters. */
export interface WorkerSettings {
  readonly userAgent: string;
  readonly egress: EgressPolicy;
  /** `CAIRN_CHROMIUM`. */
  readonly chromium: string | undefined;
  /** Where browsers keep their temporary profiles. */
  readonly browserFolder: string;
  /** `CAIRN_EVALUATE`. */
  readonly evaluate: boolean;
  /** The folder that sessions may take files from. */
  readonly uploads: string;
  /** Where files that sessions are given are put. */
  readonly downloads: string;
  /** Sessions of this worker that may have a browser at a time. */
  readonly liveSessions: number;
  /** `CAIRN_DATA`. */
  readonly dataDir: string;
  /** Secrets of the environment, by name. */
  readonly secrets: Readonly<Record<string, GivenSecret>>;
  readonly store: WorkerStore;
}

runWorker(async ({ start, bus, clock, log }) => {
  const settings = start.settings as WorkerSettings; // Made by `startCairn`, two functions away.
  const { userAgent, egress, chromium, browserFolder, evaluate, uploads, downloads, dataDir } = settings;
  const store = await joinNodeStore(settings.store, { call: (bytes) => bus.store(bytes) });
  const system = new ActorSystem<Protocols>(bus, clock, `${start.owner}-services`);
  const destinations = createDestinations({ policy: egress });
  const reader = createReader({ userAgent, destinations, member: start.owner, askHost: hostAsker(system) });
  // Both the browser and its way out are made when a page first needs them.
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
    uploads,
    downloads,
    log,
  });
  const sessions = sessionServices({
    store,
    dataDir,
    live: settings.liveSessions,
    given: settings.secrets,
    wayThrough: (upstream) => startEgressProxy({ destinations, upstream }),
    log,
  });
  const services: CairnServices = { store, reader, browser, events: new RoomEvents(bus), sessions };
  const stop = async (): Promise<void> => {
    reader.close();
    await browser.close();
    await (await proxy)?.close();
    await store.close();
  };
  const measure = () => [storeStatements(store), sessions.places.measure()];
  return { definitions: await loadKinds(), services, actorStore: store.actors, measure, stop };
});
