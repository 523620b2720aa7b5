/**
 * `cairn doctor`: prints every setting with its source, and checks what Cairn needs, without changing
 * anything. If a gateway is running, it asks the gateway. Otherwise it inspects the port, the folder and the
 * store itself.
 */
import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { asCairnError } from "../../machines/errors.ts";
import manifest from "../../package.json" with { type: "json" };
import { type Config, type LoadedConfig, loadConfig, settings, shownValue } from "../config.ts";
import { gatewayLimits } from "../gateway-limits.ts";
import { LiveKitPart } from "../livekit-readiness.ts";
import { modelSettings } from "../model-settings-from-config.ts";
import { natsSettings } from "../nats-settings.ts";
import { readySchema } from "../rest/health-routes.ts";
import { findGateway, type PidFile, probe } from "../running-gateway-file.ts";
import { ownKey } from "../security/api-keys.ts";
import { describeEgress } from "../security/egress-settings.ts";
import { assertGuardedBind, localUrl } from "../security/listen-address-rules.ts";
import { storeSettings } from "../store-settings.ts";
import { version } from "../version.ts";
import { atMost, type Command, type CommandContext, ExitCode, flag } from "./cli-command-interface.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

function check(name: string, ok: boolean, detail: string): Check {
  return { name, ok, detail };
}

/** Whether the version `have`, such as `1.2.0`, is equal to or newer than `least`. */
export function atLeast(have: string, least: string): boolean {
  const [a, b] = [have, least].map((text) =>
    text
      .replace(/^[^\d]*/, "")
      .split(/[.-]/)
      .map(Number),
  );
  for (let part = 0; part < 3; part += 1) {
    const difference = (a?.[part] ?? 0) - (b?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function checkBun(): Check {
  const have = process.versions.bun ?? "none";
  const least = manifest.dependencies.bun;
  const ok = have !== "none" && atLeast(have, least);
  return check("bun", ok, ok ? have : `${have}, and ${least} is needed: run \`npm install\``);
}

/** Returns the folder if it exists, otherwise the nearest folder above it that exists. */
async function existing(path: string): Promise<string> {
  // The folder is missing or cannot be read, so its parent is checked next.
  const found = await stat(path).catch(() => undefined);
  return found || dirname(path) === path ? path : existing(dirname(path));
}

async function checkFolder(dataDir: string): Promise<Check> {
  const folder = await existing(dataDir);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    if (folder !== dataDir) return check("data folder", true, `${dataDir} (made at the first start)`);
    const isFolder = (await stat(folder)).isDirectory();
    return check(
      "data folder",
      isFolder,
      isFolder ? dataDir : `${dataDir} is a file: set CAIRN_DATA to a folder`,
    );
  } catch {
    return check(
      "data folder",
      false,
      `${folder} cannot be written: correct its permissions or set CAIRN_DATA`,
    );
  }
}

async function checkDisk(dataDir: string): Promise<Check> {
  const { bavail, bsize } = await statfs(await existing(dataDir));
  const free = bavail * bsize;
  const ok = free >= gatewayLimits.freeDisk;
  return check(
    "free disk",
    ok,
    `${(free / 2 ** 30).toFixed(1)} GiB${ok ? "" : ": make room before exploring"}`,
  );
}

function checkBind(config: Config): Check {
  try {
    assertGuardedBind(config);
    return check("bind", true, `${config.host}${ownKey(config) === undefined ? "" : ", with a key"}`);
  } catch (error) {
    return check("bind", false, asCairnError(error).message);
  }
}

/** Resolves with true if no process listens on the port. */
function portFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}

async function checkPort({ host, port }: Config, gateway: PidFile | undefined): Promise<Check> {
  const url = localUrl(host, port);
  if (gateway?.url === url) return check("port", true, `${port}, held by this folder's gateway`);
  if (await portFree(host, port)) return check("port", true, port === 0 ? "any free one" : `${port} is free`);
  const who = (await probe(url)) ? "a Cairn with another data folder" : "another program";
  return check("port", false, `${port} is held by ${who}: choose another with PORT`);
}

/** The checks of `cairn doctor` that need a running gateway. */
async function checkGateway(
  config: Config,
  gateway: PidFile & { readonly url: string },
): Promise<readonly Check[]> {
  const about = check("gateway", true, `running at ${gateway.url}, process ${gateway.pid}`);
  const key = ownKey(config);
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(new URL("/ready", gateway.url), { headers });
  const answer = readySchema.safeParse(await response.json());
  if (!answer.success)
    return [about, check("ready", false, `it answers ${response.status}: check CAIRN_API_KEY`)];
  const parts = Object.entries(answer.data.checks).map(([name, { ok, detail, degraded = false }]) =>
    check(name, ok || degraded, degraded ? `degraded: ${detail}` : detail),
  );
  return [about, ...parts];
}

async function checkStore(config: Config): Promise<readonly Check[]> {
  const about = check("gateway", true, "not running");
  try {
    const { checkStore } = await import("../../actors/index.ts");
    const { ok, detail } = await checkStore(storeSettings(config), config.dataDir);
    return [about, check("store", ok, detail)];
  } catch (error) {
    return [about, check("store", false, asCairnError(error).message)];
  }
}

async function checkChromium({ chromium }: Config): Promise<Check> {
  const { checkBrowser } = await import("../../actors/index.ts");
  const { ok, detail } = await checkBrowser(chromium);
  return check("browser", ok, detail);
}

/**
 * If a configured language model does not answer, the check still passes, because Cairn works without a
 * model.
 */
async function checkModels({ config, secrets }: LoadedConfig): Promise<readonly Check[]> {
  const { createModels } = await import("../../actors/index.ts");
  const { configured, ok, detail } = await createModels(modelSettings(config, secrets)).status();
  return configured ? [check("models", true, ok ? detail : `degraded: ${detail}`)] : [];
}

/** Without its NATS, a node of a cluster does not start. So a NATS that cannot be used fails the check. */
async function checkBus(config: Config): Promise<readonly Check[]> {
  const nats = natsSettings(config);
  if (nats === undefined) return [];
  try {
    const { checkNats } = await import("../../actors/index.ts");
    return [check("nats", true, (await checkNats(nats)).detail)];
  } catch (error) {
    return [check("nats", false, asCairnError(error).message)];
  }
}

/** Redis is optional, because Cairn works without it. So a Redis that does not answer does not fail the check. */
async function checkRedis({ redisUrl: url, redisCluster: cluster }: Config): Promise<readonly Check[]> {
  if (url === undefined) return [];
  const { probeRedis } = await import("../edge/index.ts");
  const problem = await probeRedis({ url, cluster });
  const detail =
    problem === undefined ? "answers" : `degraded: ${problem}. Start Redis, or correct REDIS_URL`;
  return [check("redis", true, detail)];
}

/** Video is optional, so a missing LiveKit server or package does not fail the check. */
async function checkVideo(config: Config): Promise<Check> {
  const { ok, detail } = await new LiveKitPart(config).check();
  return check("video", true, ok ? detail : `off: ${detail}`);
}

async function examine(loaded: LoadedConfig): Promise<readonly Check[]> {
  const { config } = loaded;
  const gateway = await findGateway(config.dataDir);
  return [
    checkBun(),
    checkBind(config),
    check("egress", true, describeEgress(config)),
    await checkFolder(config.dataDir),
    await checkDisk(config.dataDir),
    await checkPort(config, gateway),
    await checkChromium(config),
    await checkVideo(config),
    ...(gateway
      ? await checkGateway(config, gateway)
      : [
          ...(await checkStore(config)),
          ...(await checkBus(config)),
          ...(await checkRedis(config)),
          ...(await checkModels(loaded)),
        ]),
  ];
}

const SOURCES = { default: "default", environment: "from the environment", file: "from a file" } as const;

function print(
  context: CommandContext,
  { config, sources, warnings }: LoadedConfig,
  checks: readonly Check[],
): void {
  const { out } = context.terminal;
  const rows = settings.map((setting) => ({
    name: setting.env,
    value: shownValue(setting, config),
    source: sources[setting.name],
  }));
  if (flag(context, "json")) {
    out(JSON.stringify({ version, ok: checks.every(({ ok }) => ok), settings: rows, checks, warnings }));
    return;
  }
  out(`Cairn ${version}`);
  out("");
  for (const { name, value, source } of rows) {
    out(`  ${name.padEnd(22)} ${(value || "–").padEnd(36)} ${SOURCES[source]}`);
  }
  out("");
  for (const { name, ok, detail } of checks) out(`  ${ok ? "ok  " : "FAIL"} ${name.padEnd(17)} ${detail}`);
  for (const warning of warnings) out(`  note ${warning}`);
}

export const doctor: Command = {
  usage: "[--json]",
  description:
    "Exit code 0 when everything Cairn needs is there, 1 otherwise, 2 when a setting is not valid.",
  options: { json: { type: "boolean", description: "as JSON" } },
  async run(context) {
    atMost(context, 0);
    const loaded = loadConfig(context.env);
    const checks = await examine(loaded);
    print(context, loaded, checks);
    return checks.every(({ ok }) => ok) ? ExitCode.done : ExitCode.failed;
  },
};
