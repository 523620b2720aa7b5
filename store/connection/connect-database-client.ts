/**
 * Connects a client of the SDK, with a time limit. Without a limit, the SDK waits forever for an engine that
 * cannot be opened.
 */
import { type ConnectOptions, type DriverContext, Surreal, type SurrealEngine } from "surrealdb";
import { Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../store-limits.ts";
import { storeFailure } from "./convert-database-errors.ts";

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
  // Errors of the database engine after the connection was opened are ignored here. The calls that fail because
  // of these errors report them.
  failure.promise.catch(() => undefined);
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
    // Closing is not awaited, because closing a connection that hangs may hang too. The original error is
    // thrown.
    void client.close().catch(() => undefined);
    throw storeFailure(error, place);
  } finally {
    clearTimeout(timer);
  }
}
