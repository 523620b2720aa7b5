/**
 * Converts the settings to options for `startCairn`. The command `serve` and the other commands use the same
 * conversion.
 */
import type { StartCairnOptions } from "../actors/index.ts";
import type { LoadedConfig } from "./config.ts";
import { type Log, logFunction } from "./log.ts";
import { modelSettings } from "./model-settings-from-config.ts";
import { natsSettings, nodeRoles } from "./nats-settings.ts";
import { egressPolicy } from "./security/egress-settings.ts";
import { storeSettings } from "./store-settings.ts";
import { version } from "./version.ts";

/** The parts of the loaded configuration with which a Cairn starts. */
export type Start = Pick<LoadedConfig, "config" | "secrets">;

/** @param port the port on which this process listens; absent if it does not listen */
export function startOptions({ config, secrets }: Start, log: Log, port?: number): StartCairnOptions {
  return {
    secrets,
    models: modelSettings(config, secrets),
    dataDir: config.dataDir,
    store: storeSettings(config),
    nats: natsSettings(config),
    roles: nodeRoles(config),
    workers: config.workers,
    userAgent: config.userAgent,
    version,
    egress: egressPolicy(config, port),
    chromium: config.chromium,
    evaluate: config.evaluate,
    preparesPage: config.preparedPage,
    liveSessions: config.liveSessions,
    livekit: { url: config.livekitUrl, key: config.livekitApiKey, secret: config.livekitApiSecret },
    leaseTtl: config.leaseTtl,
    log: logFunction(log),
  };
}
