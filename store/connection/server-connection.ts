/**
 * The way to a SurrealDB server, made anew whenever it breaks off.
 *
 * The SDK can reconnect by itself, but then sends again whatever had no answer, without a word to those who sent it
 * and have given it up or tried again meanwhile. Here what is under way fails as `store.unavailable` when the
 * connection is lost, and who sent it decides. While there is no connection every statement fails at once.
 * `http(s)` URLs are spoken to as `ws(s)` ones: a server listens to both on its one port, and only WebSockets have
 * transactions over several requests, which backups need.
 */
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { createRemoteEngines, Surreal, type SystemAuth } from "surrealdb";
import { CairnError, Refused, Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../limits.ts";
import { connectInTime } from "./connect-client.ts";
import { storeFailure } from "./store-failure.ts";

export interface ServerOptions {
  readonly url: string;
  readonly user: { readonly username: string; readonly password: string } | undefined;
  readonly namespace: string;
  readonly database: string;
}

/** The first release of SurrealDB whose statements are those of the embedded one. */
const OLDEST = 3;

export class ServerConnection {
  /** Without a password. */
  readonly place: string;
  readonly embedded = undefined;
  readonly space = undefined;
  readonly #options: ServerOptions;
  readonly #url: string;
  readonly #listeners = new Set<(error: Error) => void>();
  readonly #closing = new AbortController();
  /** Ways to sign in, the one that worked last first. */
  #signIns: readonly (SystemAuth | undefined)[];
  /** Connected, or one that refuses everything at once. */
  #client = new Surreal();
  #reconnecting = false;
  #probe: ReturnType<typeof setInterval> | undefined;

  constructor(options: ServerOptions) {
    const { url, user, namespace, database } = options;
    this.#options = options;
    this.#url = url.replace(/^http/i, "ws");
    this.place = url.replace(/\/\/[^/@]*@/, "//");
    // A user is one of the server, of a namespace or of a database, and does not say of which.
    this.#signIns = user ? [user, { ...user, namespace }, { ...user, namespace, database }] : [undefined];
  }

  get client(): Surreal {
    return this.#client;
  }

  /** Connects; throws why that cannot be done. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Connects behind what the caller does, however long that takes. */
  openBehind(): void {
    void this.#reconnect();
  }

  /** Told when what was sent over the present client will not be answered any more; the answer ends it. */
  lost(tell: (error: Error) => void): () => void {
    this.#listeners.add(tell);
    return () => {
      this.#listeners.delete(tell);
    };
  }

  /** A statement over this client had no answer in its time: does the server still answer anything? */
  unanswered(client: Surreal): void {
    if (client !== this.#client || client.status !== "connected") return;
    const { probeWithin } = storeLimits.server;
    const late = sleep(probeWithin, "late", { ref: false });
    void Promise.race([client.version(), late]).then(
      (answer) => {
        if (answer === "late") this.#broken(client, `did not answer in ${probeWithin} ms`);
      },
      () => this.#broken(client, "broke off the connection"),
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
          void client.close().catch(() => undefined); // The reason it cannot be used is the one to tell.
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

  /** Goes to the namespace and the database, which are made if this user may do that. */
  async #prepare(client: Surreal): Promise<void> {
    const { version } = await client.version();
    if (Number(/(\d+)\./.exec(version)?.[1]) < OLDEST) {
      throw new Refused(
        "store.unsupported",
        `${this.place} is ${version}; Cairn needs SurrealDB ${OLDEST} or newer.`,
      );
    }
    const { namespace, database } = this.#options;
    // Each may be refused: what a user of a namespace or of a database may not make has to be there.
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
      void client.close().catch(() => undefined); // Nobody wants it any more.
      return;
    }
    this.#client = client;
    client.subscribe("disconnected", () => this.#broken(client, "broke off the connection"));
    if (client.status !== "connected") this.#broken(client, "broke off the connection");
    clearInterval(this.#probe);
    this.#probe = setInterval(() => this.unanswered(this.#client), storeLimits.server.probeEvery);
    this.#probe.unref();
  }

  /** Tells all who wait that nothing comes any more, and connects anew. */
  #broken(client: Surreal, why: string): void {
    if (client !== this.#client || this.#closing.signal.aborted) return;
    this.#client = new Surreal();
    const error = new Unavailable("store.unavailable", `${this.place} ${why}.`);
    for (const tell of [...this.#listeners]) tell(error);
    void client.close().catch(() => undefined); // It is given up, whatever it says to that.
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
        // Whoever needs the server meanwhile is told; here there is nothing to do but try again.
        const pause = Math.min(backoff * 2 ** tries, maxBackoff) * (0.5 + Math.random());
        await sleep(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      }
    }
    this.#reconnecting = false;
  }
}
