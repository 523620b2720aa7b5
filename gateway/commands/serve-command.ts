/**
 * `cairn serve` (`npm start`): listens immediately, opens the system, and shuts down in order. `/health`
 * answers while the store opens. At shutdown, requests finish before the system stops.
 */
import { Refused } from "../../machines/errors.ts";
import { type Config, type LoadedConfig, loadConfig } from "../config.ts";
import type { RedisEdge, StorageSettings } from "../edge/index.ts";
import type { GivenSecrets } from "../environment-secrets.ts";
import { gatewayLimits } from "../gateway-limits.ts";
import { type App, createApp } from "../http-application.ts";
import { LiveKitPart } from "../livekit-readiness.ts";
import { createLog, type Log } from "../log.ts";
import { OptionalParts } from "../optional-gateway-parts.ts";
import {
  findGateway,
  prepareDataFolder,
  probe,
  removePidFile,
  writePidFile,
} from "../running-gateway-file.ts";
import { StartingSystem } from "../running-system-for-waiting-requests.ts";
import { PathRedaction } from "../security/file-path-redaction.ts";
import { assertGuardedBind, localUrl } from "../security/listen-address-rules.ts";
import { startOptions } from "../settings-to-start-cairn-options.ts";
import { OpenSockets } from "../socket/open-websockets.ts";
import { tools } from "../tools/index.ts";
import { ToolCalls } from "../tools/run-and-audit-tool-calls.ts";
import { version } from "../version.ts";
import { atMost, type Command, ExitCode } from "./cli-command-interface.ts";

/**
 * Listens on the port. If the port is in use, it throws an error that names the process and states what to
 * do.
 */
async function listen(app: App, config: Config): Promise<string> {
  try {
    app.listen({ hostname: config.host, port: config.port });
  } catch (cause) {
    throw await listenProblem(config, cause);
  }
  return localUrl(config.host, app.server?.port ?? config.port);
}

async function listenProblem({ host, port }: Config, cause: unknown): Promise<Refused> {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const choose = `Choose another with PORT=${port === 65_535 ? 8_001 : port + 1}, or PORT=0 for any free one.`;
  if (code === "EACCES" || code === "EPERM") {
    return new Refused(
      "gateway.port_refused",
      `Port ${port} may not be listened on by this user. ${choose}`,
      { cause },
    );
  }
  if (code !== "EADDRINUSE") {
    return new Refused("gateway.cannot_listen", `Cannot listen on ${host}:${port}. Check HOST and PORT.`, {
      cause,
    });
  }
  const instance = await probe(localUrl(host, port));
  const who = instance ? "another Cairn, with another data folder" : "another program";
  return new Refused("gateway.port_in_use", `Port ${port} is in use by ${who}. ${choose}`, {
    status: 409,
    cause,
  });
}

async function refuseSecond(dataDir: string): Promise<void> {
  const running = await findGateway(dataDir);
  if (!running) return;
  throw new Refused(
    "gateway.already_running",
    `A Cairn (process ${running.pid}) serves ${dataDir} at ${running.url} already. ` +
      "Use that one, stop it first, or set CAIRN_DATA to another folder for a second.",
    { status: 409 },
  );
}

/**
 * Resolves at the first SIGTERM or SIGINT. Later signals have no effect, because launchers such as npm forward a
 * signal to a process that has already received it.
 */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve(signal));
  });
}

/** Lets running requests finish within a time limit, and then closes the remaining connections. */
async function drain(app: App, log: Log): Promise<void> {
  const drained = Promise.resolve(app.server?.stop(false)).then(() => true);
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), gatewayLimits.drain).unref());
  if (await Promise.race([drained, late])) return;
  log.warn("requests were still under way and were cut off");
  await app.server?.stop(true);
}

interface Opening {
  readonly config: Config;
  readonly secrets: GivenSecrets;
  readonly slot: StartingSystem;
  readonly log: Log;
  readonly port: number;
}

async function open({ config, secrets, slot, log, port }: Opening): Promise<void> {
  const { startCairn } = await import("../../actors/index.ts");
  const cairn = await startCairn({
    ...startOptions({ config, secrets }, log, port),
    prepareBrowser: true,
    starting: (what) => {
      slot.starting(what);
      log.info(what);
    },
  });
  slot.fill(cairn);
}

/**
 * Waits for a limited time until the start of this Cairn has ended. Before its start has ended, Cairn cannot
 * close its store properly.
 */
async function opening(opened: Promise<void>, log: Log): Promise<void> {
  const late = new Promise<true>((resolve) => setTimeout(() => resolve(true), gatewayLimits.drain).unref());
  // A start that has not ended within this time is interrupted by the end of the process. The next start
  // recovers the data, as it does after a crash.
  if (await Promise.race([opened, late])) log.warn("the start was still under way and was cut off");
}

async function close(app: App, slot: StartingSystem, sockets: OpenSockets, log: Log): Promise<void> {
  await sockets.closeAll();
  await drain(app, log);
  await slot.empty()?.stop();
}

/** Starts the connection to Redis queues, if a Redis is configured. Its packages are loaded only then. */
async function startEdge(
  config: Config,
  instance: string,
  {
    system,
    log,
    optional,
  }: { readonly system: StartingSystem; readonly log: Log; readonly optional: OptionalParts },
): Promise<RedisEdge | undefined> {
  const { redisUrl: url, redisCluster: cluster, redisPrefix: prefix } = config;
  if (url === undefined) return undefined;
  const { RedisEdge } = await import("../edge/index.ts");
  const surface = { system, registry: tools, calls: new ToolCalls(system, log) };
  const settings = { url, cluster, prefix, storage: objectStorageSettings(config) };
  const edge = new RedisEdge(settings, instance, surface, log);
  optional.add("redis", edge);
  edge.start();
  return edge;
}

async function run({ config, secrets, sources, warnings }: LoadedConfig): Promise<number> {
  const log = createLog(
    config,
    process.stderr,
    Object.values(secrets).map(({ value }) => value),
  );
  for (const warning of warnings) log.warn(warning);
  const stopping = stopSignal();
  await prepareDataFolder(config.dataDir);
  await refuseSecond(config.dataDir);
  const slot = new StartingSystem();
  const places = new PathRedaction(config);
  const sockets = new OpenSockets((message) => places.hide(message));
  const instance = crypto.randomUUID();
  const optional = new OptionalParts();
  const app = createApp({ system: slot, registry: tools, sockets, log, optional, instance, sources }, config);
  if (config.livekitUrl) optional.add("livekit", new LiveKitPart(config));
  const edge = await startEdge(config, instance, { system: slot, log, optional });
  const url = await listen(app, config);
  log.info("listening", { url, actors: `${url}/actors`, version, data: config.dataDir });
  try {
    await writePidFile(config.dataDir, { pid: process.pid, command: "serve", instance, url });
    const opened = open({ config, secrets, slot, log, port: Number(new URL(url).port) }).then(() =>
      log.info("ready", { url }),
    );
    const signal = await Promise.race([opened.then(() => stopping), stopping]);
    log.info("stopping", { signal });
    await opening(opened, log);
    return ExitCode.done;
  } finally {
    try {
      await edge?.close();
      await close(app, slot, sockets, log);
    } finally {
      await removePidFile(config.dataDir, instance);
    }
    log.info("stopped");
  }
}

export const serve: Command = {
  usage: "",
  description:
    "Serves REST and tools on HOST:PORT (127.0.0.1:8000) until SIGTERM or Ctrl-C.\n" +
    "Everything that lasts is in CAIRN_DATA (.cairn). Settings: `cairn config`.",
  options: {},
  async run(context) {
    atMost(context, 0);
    const loaded = loadConfig(context.env);
    assertGuardedBind(loaded.config);
    return run(loaded);
  },
};

/** Returns the settings of the object storage, if one is configured. */
function objectStorageSettings(config: Config): StorageSettings | undefined {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region: region } = config;
  const { s3AccessKey: accessKey, s3SecretKey: secretKey } = config;
  // The settings of the object storage were checked together: either all of them are set, or none.
  if (endpoint === undefined || bucket === undefined || !accessKey || !secretKey) return undefined;
  return { endpoint, bucket, region, accessKey, secretKey };
}
