/**
 * Connects a client of the SDK, with a time limit. Without it, the SDK waits forever when an engine cannot be
 * opened.
 */
import { type ConnectOptions, type DriverContext, Surreal, type SurrealEngine } from "surrealdb";
import { Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../limits.ts";
import { storeFailure } from "./store-failure.ts";

export type EngineMakers = Readonly<Record<string, (context: DriverContext) => SurrealEngine>>;

/** Returns a connected client. Throws the engine's error, or `store.unavailable` after `openWithin`. */
export async function connectInTime(
  engines: EngineMakers,
  url: string,
  options: ConnectOptions,
  place: string,
): Promise<Surreal> {
  const { openWithin } = storeLimits;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // Later engine errors are reported by the calls they affect.
  const away = (why: string) => failure.reject(new Unavailable("store.unavailable", `${place} ${why}.`));
  const watched = ([scheme, make]: [string, (context: DriverContext) => SurrealEngine]) => [
    scheme,
    (context: DriverContext) => {
      const engine = make(context);
      engine.subscribe("error", failure.reject);
      engine.subscribe("disconnected", () => away("broke off the connection"));
      return engine;
    },
  ];
  const client = new Surreal({ engines: Object.fromEntries(Object.entries(engines).map(watched)) });
  const timer = setTimeout(() => away(`did not answer in ${openWithin} ms`), openWithin);
  try {
    await Promise.race([client.connect(url, options), failure.promise]);
    return client;
  } catch (error) {
    // Closing a connection that hangs would hang too, so it is not awaited. The original error is the one to
    // report.
    void client.close().catch(() => undefined);
    throw storeFailure(error, place);
  } finally {
    clearTimeout(timer);
  }
}
