/**
 * The NATS connection of a node, which its bus, leases and members share. It reconnects without end and
 * reports whether it is connected, so that nothing is published without a connection. At the start, it checks
 * that the server has the required features.
 */
import { readFile } from "node:fs/promises";
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  ErrorCode,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NatsError,
  type Subscription,
} from "nats";
import { Refused, Unavailable } from "../../../../machines/errors.ts";
import { busLimits } from "../../actor-runtime-limits.ts";
import type { Log } from "../../log-function-of-runtime.ts";
import { apiCodes, apiError, brokerAway, notCapable } from "./nats-errors.ts";

export interface NatsConnectionOptions {
  /** One or more `nats://` or `tls://` URLs of one cluster, separated by commas. */
  readonly url: string;
  /** The name of this client, which the broker shows. */
  readonly name: string;
  readonly user?: string | undefined;
  readonly pass?: string | undefined;
  /** Path of a NATS `.creds` file. */
  readonly creds?: string | undefined;
  /** Paths of PEM files: the certificate authority of the server, and a client certificate. */
  readonly tls?:
    | {
        readonly ca?: string | undefined;
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
      }
    | undefined;
  /**
   * Maximum milliseconds for which a start waits for a broker that does not answer. The default is
   * `busLimits.startPatience`.
   */
  readonly startPatience?: number | undefined;
  readonly log: Log;
}

export class BrokerConnection {
  readonly connection: NatsConnection;
  readonly jetStream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly log: Log;
  /** The configured servers, without user and password. */
  readonly serverNames: string;
  /** Until this time (a `performance.now()` value), a start waits for a broker that does not answer. */
  readonly startUntil: number;
  #connected = true;
  #closing = false;
  readonly #waiting = new Set<() => void>();
  readonly #onLost = new Set<() => void>();
  /** Open requests in order. Each function rejects its request when the connection is lost. */
  readonly #openRequests = new Set<(error: Error) => void>();
  readonly #onBack = new Set<() => void>();
  readonly #onForbidden = new Set<(subject: string) => void>();

  private constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    serverNames: string,
    startUntil: number,
    log: Log,
  ) {
    this.startUntil = startUntil;
    this.connection = connection;
    this.jetStream = connection.jetstream({ timeout: busLimits.jetStreamPatience });
    this.manager = manager;
    this.serverNames = serverNames;
    this.log = log;
    void this.#watch();
    void connection.closed().then(() => this.#ended());
  }

  /** Connects and checks the features of the broker. Throws `bus.unreachable` or `bus.not_capable`. */
  static async open(options: NatsConnectionOptions): Promise<BrokerConnection> {
    const servers = options.url.split(",").map((server) => server.trim());
    const serverNames = servers.map(withoutSecrets).join(", ");
    const settings = await connectionOptions(options, servers);
    const until = performance.now() + (options.startPatience ?? busLimits.startPatience);
    let isLogged = false;
    const logOnce = (error: unknown): void => {
      if (!isLogged) logWait(options.log, serverNames, until, error);
      isLogged = true;
    };
    for (;;) {
      const connection = await connect(settings).catch((error: unknown) => {
        if (isRefusal(error) || performance.now() >= until) throw unreachable(serverNames, error);
        logOnce(error);
      });
      if (connection) {
        try {
          const manager = await connection.jetstreamManager({
            timeout: busLimits.jetStreamPatience,
            checkAPI: false,
          });
          await checkCapable(connection, manager, serverNames);
          return new BrokerConnection(connection, manager, serverNames, until, options.log);
        } catch (error) {
          await connection.close();
          if (!isLeaderless(error)) throw error;
          if (performance.now() >= until) throw notCapable(serverNames, [LEADERLESS]);
          logOnce(error);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, busLimits.reconnectEvery));
    }
  }

  /**
   * Repeats a step of a start while the broker does not answer, for example because it restarts. The step may
   * only read or create what all nodes share, so that repeating it is safe. Throws `bus.unreachable` when the
   * time for the start is over.
   */
  async repeatWhileAway<T>(step: () => Promise<T>): Promise<T> {
    for (let isLogged = false; ; isLogged = true) {
      try {
        return await step();
      } catch (error) {
        if (!isAway(error)) throw error;
        const left = this.startUntil - performance.now();
        if (left <= 0) throw unreachable(this.serverNames, error);
        if (!isLogged) logWait(this.log, this.serverNames, this.startUntil, error);
        await new Promise((resolve) => setTimeout(resolve, busLimits.reconnectEvery));
        await this.whenConnected(left).catch((away: unknown) => {
          throw unreachable(this.serverNames, away);
        });
      }
    }
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Maximum size in bytes of a message that the broker accepts. */
  get largest(): number {
    return this.connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Waits for an answer of the broker. Rejects with `bus.unavailable` as soon as the connection is lost. All
   * open requests reject in order, so that they can be repeated in order.
   */
  answer<T>(asked: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.trackRequest(reject);
      asked.then(
        (value) => {
          this.untrackRequest(reject);
          resolve(value);
        },
        (error) => {
          this.untrackRequest(reject);
          reject(error);
        },
      );
    });
  }

  /**
   * Registers an open request. When the connection is lost before `untrackRequest` is called, `end` is called
   * with the error.
   */
  trackRequest(end: (error: Error) => void): void {
    this.#openRequests.add(end);
  }

  untrackRequest(end: (error: Error) => void): void {
    this.#openRequests.delete(end);
  }

  /** Calls `listen` with the subject of each publish that the broker forbids. */
  onForbidden(listen: (subject: string) => void): void {
    this.#onForbidden.add(listen);
  }

  /** Calls `listen` each time the connection to the broker is lost. */
  onLost(listen: () => void): void {
    this.#onLost.add(listen);
  }

  /** Calls `listen` each time the connection to the broker is restored. */
  onBack(listen: () => void): void {
    this.#onBack.add(listen);
  }

  /** Resolves when the broker is connected. Rejects with `bus.unavailable` after `patience` milliseconds. */
  async whenConnected(patience: number): Promise<void> {
    if (this.#closing) throw brokerAway(this.serverNames);
    if (this.#connected) return;
    await new Promise<void>((resolve, reject) => {
      const back = () => {
        clearTimeout(timer);
        this.#waiting.delete(back);
        if (this.#closing) reject(brokerAway(this.serverNames));
        else resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(back);
        reject(brokerAway(this.serverNames));
      }, patience);
      this.#waiting.add(back);
    });
  }

  /** Publishes a message that may be lost. Returns false when the broker is unreachable. */
  publish(subject: string, data?: string | Uint8Array, headers?: MsgHdrs): boolean {
    if (!this.#connected || this.connection.isClosed()) return false;
    this.connection.publish(subject, data, headers === undefined ? {} : { headers });
    return true;
  }

  /**
   * Subscribes to a subject. A message that cannot be read is logged and skipped, because an exception inside
   * of the NATS client would end the connection.
   */
  subscribe(subject: string, receive: (msg: Msg) => void): Subscription {
    return this.connection.subscribe(subject, {
      callback: (ended, msg) => {
        if (ended) {
          this.log("error", "NATS ended a subscription", { subject, error: String(ended) });
          return;
        }
        try {
          receive(msg);
        } catch (error) {
          this.log("error", "an unreadable message from NATS was ignored", {
            subject: msg.subject,
            error: String(error),
          });
        }
      },
    });
  }

  /** Resolves when the broker has received all messages sent before the call. */
  async flush(): Promise<void> {
    await this.connection.flush();
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const wake of [...this.#waiting]) wake();
    // The last acknowledgements and the released leases must reach the broker before the connection is
    // closed.
    if (this.#connected) await this.connection.flush().catch(() => {});
    this.#connected = false;
    await this.connection.close();
  }

  async #watch(): Promise<void> {
    for await (const { type, data, permissionContext } of this.connection.status()) {
      if (this.#closing) return;
      if (type === Events.Disconnect) {
        if (!this.#connected) continue;
        this.#connected = false;
        this.log("warn", "NATS is away; everything waits for it", { nats: this.serverNames });
        this.#endAll();
        for (const listen of this.#onLost) listen();
      } else if (type === Events.Reconnect) {
        this.#connected = true;
        this.log("info", "NATS is back", { nats: this.serverNames });
        for (const wake of [...this.#waiting]) wake();
        for (const listen of this.#onBack) listen();
      } else if (type === Events.Error) {
        this.log("error", "NATS reported an error", { nats: this.serverNames, error: String(data) });
        if (permissionContext?.operation === "publish")
          for (const listen of this.#onForbidden) listen(permissionContext.subject);
      }
    }
  }

  #endAll(): void {
    const open = [...this.#openRequests];
    this.#openRequests.clear();
    for (const end of open) end(brokerAway(this.serverNames));
  }

  /**
   * Called when the NATS client has closed the connection and will not reconnect. This is normal only after
   * `close`.
   */
  #ended(): void {
    this.#connected = false;
    this.#endAll();
    if (this.#closing) return;
    this.log("error", "the connection to NATS was closed for good; restart this Cairn", {
      nats: this.serverNames,
    });
    for (const listen of this.#onLost) listen();
  }
}

function withoutSecrets(server: string): string {
  return server.replace(/\/\/[^/@]*@/, "//");
}

async function connectionOptions(
  options: NatsConnectionOptions,
  servers: readonly string[],
): Promise<ConnectionOptions> {
  const { name, creds, tls } = options;
  const [first] = servers;
  const url = first !== undefined && URL.canParse(first) ? new URL(first) : undefined;
  const user = options.user ?? (url?.username ? decodeURIComponent(url.username) : undefined);
  const pass = options.pass ?? (url?.password ? decodeURIComponent(url.password) : undefined);
  const secure = tls?.ca ?? tls?.cert ?? servers.find((server) => server.startsWith("tls://"));
  return {
    name,
    servers: servers.map((server) => withoutSecrets(server).replace(/^(nats|tls):\/\//, "")),
    ...(user === undefined ? {} : pass === undefined ? { token: user } : { user, pass }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(await readCreds(creds)) }),
    ...(secure === undefined
      ? {}
      : {
          tls: {
            ...(tls?.ca === undefined ? {} : { caFile: tls.ca }),
            ...(tls?.cert === undefined ? {} : { certFile: tls.cert }),
            ...(tls?.key === undefined ? {} : { keyFile: tls.key }),
          },
        }),
    timeout: busLimits.jetStreamPatience,
    maxReconnectAttempts: -1,
    reconnectTimeWait: busLimits.reconnectEvery,
    pingInterval: busLimits.pingEvery,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    // The broker does not send a node its own messages: the node has delivered them to its own subscribers
    // already.
    noEcho: true,
    noAsyncTraces: true,
  };
}

async function readCreds(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Refused("config.invalid", `NATS_CREDS: ${file} cannot be read.`, { cause: error });
  }
}

const LEADERLESS =
  "an answer of JetStream (do the servers of its cluster reach each other, and are most of them up?)";

/**
 * Whether JetStream gave no answer. Either its servers have not elected a leader yet, as in a starting
 * cluster, or the connection was lost.
 */
function isLeaderless(error: unknown): boolean {
  const { code, status, away } = apiError(error);
  return code === apiCodes.temporarilyUnavailable || (away && status === undefined);
}

/** Whether the broker has not answered a request, so that the request may be repeated. */
function isAway(error: unknown): boolean {
  if (error instanceof Unavailable) return error.code === "bus.unavailable";
  return apiError(error).away;
}

function logWait(log: Log, nats: string, until: number, error: unknown): void {
  const seconds = Math.ceil((until - performance.now()) / 1_000);
  log("warn", "NATS does not answer; this start waits for it", { nats, seconds, error: reasonOf(error) });
}

function reasonOf(error: unknown): string {
  if (error instanceof NatsError && error.code === ErrorCode.Timeout)
    return "JetStream did not answer in time";
  if (error instanceof Unavailable) return "the connection was lost";
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether the server refuses the connection for a reason that a retry cannot change: authentication,
 * permissions or TLS.
 */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /AUTH|PERMISSION|TLS|CERT|SECURE|VERIFY/i.test(code);
}

function unreachable(serverNames: string, error: unknown): Unavailable {
  return new Unavailable(
    "bus.unreachable",
    `NATS at ${serverNames} cannot be used: ${reasonOf(error)}. Start nats-server there with JetStream (nats-server -js), check NATS_URL, NATS_CREDS and the TLS settings, or unset NATS_URL to run alone.`,
    { cause: error },
  );
}

function olderThan(version: string, wanted: string): boolean {
  const [a = [], b = []] = [version, wanted].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return (a[i] ?? 0) < (b[i] ?? 0);
  return false;
}

/** Checks all features that the NATS server must have, so that the error names every missing feature. */
async function checkCapable(
  connection: NatsConnection,
  manager: JetStreamManager,
  serverNames: string,
): Promise<void> {
  const { info } = connection;
  const missing: string[] = [];
  const { oldestServer } = busLimits;
  if (!info || olderThan(info.version, oldestServer)) {
    missing.push(`version ${oldestServer} or newer (this is ${info?.version ?? "unknown"})`);
  }
  if (info?.headers !== true) missing.push("message headers");
  const { smallestPayload } = busLimits;
  if (info && info.max_payload < smallestPayload) {
    missing.push(`messages of ${smallestPayload} bytes (its max_payload is ${info.max_payload})`);
  }
  try {
    await manager.getAccountInfo();
  } catch (error) {
    if (isLeaderless(error)) throw error;
    const { code, status, message } = apiError(error);
    if (status === 503 || code === 10039 || code === 10076) {
      missing.push(
        "JetStream (start nats-server with -js and a store directory, and enable it for this account)",
      );
    } else {
      missing.push(`permission to use JetStream ($JS.API.>, $JS.ACK.>, $KV.>): ${message}`);
    }
  }
  if (missing.length > 0) throw notCapable(serverNames, missing);
}
