/**
 * LiveKit as an optional part of a gateway: whether the packages of its publisher are installed, and whether
 * its server answers.
 */
import type { Config } from "./config.ts";
import { gatewayLimits } from "./gateway-limits.ts";
import type { OptionalPart } from "./optional-gateway-parts.ts";

type LiveKitConfig = Pick<Config, "livekitUrl" | "livekitApiKey" | "livekitApiSecret">;

export class LiveKitPart implements OptionalPart {
  readonly #config: LiveKitConfig;

  constructor(config: LiveKitConfig) {
    this.#config = config;
  }

  async check(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    const { livekitUrl: url, livekitApiKey: key, livekitApiSecret: secret } = this.#config;
    // The module is loaded only when it is used. Otherwise the command line would load the actors at every
    // start.
    const { checkPublisher } = await import("../actors/index.ts");
    const packages = checkPublisher();
    if (!packages.ok) return packages;
    if (!url) return { ok: true, detail: `${packages.detail}; a start names its LiveKit server` };
    if (!key || !secret)
      return { ok: false, detail: "LIVEKIT_API_KEY and LIVEKIT_API_SECRET are needed with LIVEKIT_URL" };
    const address = url.replace(/^ws/, "http");
    const answers = await fetch(address, { signal: AbortSignal.timeout(gatewayLimits.probe) }).then(
      ({ ok }) => ok,
      () => false,
    );
    return { ok: answers, detail: `${answers ? "a server answers" : "no LiveKit server answers"} at ${url}` };
  }
}
