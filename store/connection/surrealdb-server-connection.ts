/**
 * A connection to a SurrealDB server that is reopened whenever it is lost. The SDK's own reconnect resends
 * unanswered requests, although their callers may have given up or retried. Here, pending requests fail as
 * `store.unavailable`, and so do requests while there is no connection.
 */
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { createRemoteEngines, Surreal, type SystemAuth } from "surrealdb";
import { CairnError, Refused, Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../store-limits.ts";
import { connectInTime } from "./connect-database-client.ts";
import { storeFailure } from "./convert-database-errors.ts";

export interface ServerOptions {
  readonly url: string;
  readonly user: { readonly username: string; readonly password: string } | undefined;
  readonly namespace: string;
  readonly database: string;
}

/** Minimum major version of a SurrealDB server. Older versions lack statements that Cairn uses. */
const MIN_MAJOR_VERSION = 3;

export class ServerConnection {
  /** URL of the server without the password. */
  readonly place: string;
  readonly embedded = undefined;
  readonly space = undefined;
  readonly #options: ServerOptions;
  readonly #url: string;
  readonly #listeners = new Set<(error: Error) => void>();
  readonly #closing = new AbortController();
  /**
   * The possible sign-ins, which are tried one after another: as user of the server, of a namespace, or of a
   * database. After one has succeeded, the list contains only this sign-in.
   */
  #signIns: readonly (SystemAuth | undefined)[];
  /**
   * The client of the current connection. Without a connection, it is an unconnected client, whose requests
   * fail immediately.
   */
  #client = new Surreal();
  #reconnecting = false;
  #probe: ReturnType<typeof setInterval> | undefined;

  constructor(options: ServerOptions) {
    const { url, user, namespace, database } = options;
    this.#options = options;
    this.#url = url.replace(/^http/i, "ws");
    this.place = url.replace(/\/\/[^/@]*@/, "//");
    // A user of SurrealDB belongs to the server, to a namespace or to a database. The URL does not state
    // which, so a sign-in is tried at each of the three levels.
    this.#signIns = user ? [user, { ...user, namespace }, { ...user, namespace, database }] : [undefined];
  }

  get client(): Surreal {
    return this.#client;
  }

  /** Connects to the server, or throws the reason for the failure. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Connects to the server in the background, and retries until it succeeds. */
  openBehind(): void {
    void this.#reconnect();
  }

  /**
   * Registers a listener for the loss of the connection, and returns a function that removes the listener.
   * After a loss, pending requests of the current client never get an answer.
   */
  lost(listener: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Called when a statement of this client has timed out. If the server does not answer a short query either,
   * the connection is replaced.
   */
  unanswered(client: Surreal): void {
    if (client !== this.#client || client.status !== "connected") return;
    const { probeWithin } = storeLimits.server;
    const late = sleep(probeWithin, "late", { ref: false });
    void Promise.race([client.version(), late]).then(
      (answer) => {
        if (answer === "late") this.#handleLoss(client, `did not answer in ${probeWithin} ms`);
      },
      () => this.#handleLoss(client, "broke off the connection"),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#probe);
    await Promise.race([this.#client.close(), sleep(storeLimits.closeWithin, undefined, { ref: false })]);
  }

  async #connect(): Promise<void> {
    let refused: unknown;
    for (const signIn of this.#signIns) {
      try {
        const options = { reconnect: false, ...(signIn ? { authentication: signIn } : {}) };
        const client = await connectInTime(createRemoteEngines(), this.#url, options, this.place);
        try {
          await this.#prepare(client);
        } catch (error) {
          // An error while closing is ignored, because the error that made the client unusable is thrown
          // below.
          void client.close().catch(() => undefined);
          throw storeFailure(error, this.place);
        }
        this.#signIns = [signIn];
        this.#use(client);
        return;
      } catch (error) {
        if (!(error instanceof CairnError) || error.code !== "store.no_permission") throw error;
        refused ??= error;
      }
    }
    throw refused;
  }

  /**
   * Selects the namespace and the database. Missing ones are created, for which the user needs the
   * permission.
   */
  async #prepare(client: Surreal): Promise<void> {
    const { version } = await client.version();
    if (Number(/(\d+)\./.exec(version)?.[1]) < MIN_MAJOR_VERSION) {
      throw new Refused(
        "store.unsupported",
        `${this.place} is ${version}; Cairn needs SurrealDB ${MIN_MAJOR_VERSION} or newer.`,
      );
    }
    const { namespace, database } = this.#options;
    // `responses()` returns the error of a statement instead of throwing it. So a user who may not define a
    // namespace can still use an existing one.
    await client
      .query(
        `DEFINE NAMESPACE IF NOT EXISTS \`${namespace}\`; USE NS \`${namespace}\`; DEFINE DATABASE IF NOT EXISTS \`${database}\``,
      )
      .responses();
    await client.use({ namespace, database });
    const [found] = await client.query("INFO FOR DB").responses();
    if (found?.success === false && /does not exist/.test(found.error.message)) {
      throw new Refused(
        "store.no_database",
        `${this.place} has no database ${database} in namespace ${namespace}, and this user may not make it: make it, or name another with SURREAL_NS and SURREAL_DB.`,
      );
    }
    if (found?.success === false) throw found.error;
  }

  #use(client: Surreal): void {
    if (this.#closing.signal.aborted) {
      // The connection was closed while this client was connecting. The client is closed too.
      void client.close().catch(() => undefined);
      return;
    }
    this.#client = client;
    client.subscribe("disconnected", () => this.#handleLoss(client, "broke off the connection"));
    if (client.status !== "connected") this.#handleLoss(client, "broke off the connection");
    clearInterval(this.#probe);
    this.#probe = setInterval(() => this.unanswered(this.#client), storeLimits.server.probeEvery);
    this.#probe.unref();
  }

  /** Fails all pending requests and reconnects. */
  #handleLoss(client: Surreal, why: string): void {
    if (client !== this.#client || this.#closing.signal.aborted) return;
    this.#client = new Surreal();
    const error = new Unavailable("store.unavailable", `${this.place} ${why}.`);
    for (const listener of [...this.#listeners]) listener(error);
    // The connection is no longer used, so an error while closing it is ignored.
    void client.close().catch(() => undefined);
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    if (this.#reconnecting) return;
    this.#reconnecting = true;
    const { backoff, maxBackoff } = storeLimits.server;
    for (let tries = 0; !this.#closing.signal.aborted; tries += 1) {
      try {
        await this.#connect();
        if (this.#client.status === "connected") break;
      } catch {
        // The error is ignored, because connecting is retried. Until it succeeds, callers get
        // `store.unavailable`.
        const pause = Math.min(backoff * 2 ** tries, maxBackoff) * (0.5 + Math.random());
        await sleep(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      }
    }
    this.#reconnecting = false;
  }
}
