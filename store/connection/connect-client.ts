/**
 * One attempt to connect a client of the SDK, which by itself would wait for ever when an engine cannot be opened.
 *
 * Neighbours: `connection.ts` opens embedded databases with it, `server-connection.ts` servers.
 */
import { type ConnectOptions, type DriverContext, Surreal, type SurrealEngine } from "surrealdb";
import { Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../limits.ts";
import { storeFailure } from "./store-failure.ts";

export type EngineMakers = Readonly<Record<string, (context: DriverContext) => SurrealEngine>>;

/** A connected client; throws what the engine says, or `store.unavailable` when it says nothing in time. */
export async function connectInTime(
  engines: EngineMakers,
  url: string,
  options: ConnectOptions,
  place: string,
): Promise<Surreal> {
  const { openWithin } = storeLimits;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // Later errors of the engine reach the calls that meet them.
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
    // A connection that hangs does not close either, and the reason is the one to tell.
    void client.close().catch(() => undefined);
    throw storeFailure(error, place);
  } finally {
    clearTimeout(timer);
  }
}
