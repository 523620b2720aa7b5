/**
 * Keeps the machine's own paths out of what callers are told: the folders that Cairn was given are told by the names of
 * their settings, any other not at all. The log has them.
 *
 * Only what Cairn says itself is looked at, never what pages hold. Neighbours: `../rest/failure.ts` tells errors.
 */
import { homedir } from "node:os";
import { sep } from "node:path";
import type { ErrorBody } from "../../machines/errors.ts";
import { withoutPaths } from "../../machines/inspection/paths.ts";
import type { Config } from "../config.ts";

export type PlacesConfig = Pick<
  Config,
  "dataDir" | "chromium" | "natsCreds" | "natsCa" | "natsCert" | "natsKey"
>;

export class Places {
  readonly #known: readonly (readonly [path: string, name: string])[];

  constructor(config: PlacesConfig) {
    const given: readonly (readonly [string | undefined, string])[] = [
      [config.dataDir, "CAIRN_DATA"],
      [config.chromium, "CAIRN_CHROMIUM"],
      [config.natsCreds, "NATS_CREDS"],
      [config.natsCa, "NATS_CA"],
      [config.natsCert, "NATS_CERT"],
      [config.natsKey, "NATS_KEY"],
      [process.cwd(), "."],
      [homedir(), "~"],
    ];
    this.#known = given
      // What is no path, or the root of all, says nothing.
      .flatMap(([path, name]) => (path?.includes(sep) && path.length > 1 ? [[path, name] as const] : []))
      // The longest first: one may lie within another.
      .sort(([one], [other]) => other.length - one.length);
  }

  hide(text: string): string {
    let hidden = text;
    for (const [path, name] of this.#known) hidden = hidden.replaceAll(path, name);
    return withoutPaths(hidden);
  }

  /** The error with a message that may leave the machine. */
  hidden(body: ErrorBody): ErrorBody {
    return { ...body, message: this.hide(body.message) };
  }
}
