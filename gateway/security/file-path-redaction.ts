/**
 * Removes paths of this machine from answers: known folders are replaced by the names of their settings. It
 * changes Cairn's own messages and not the content of pages. The log keeps the paths.
 */
import { homedir } from "node:os";
import { sep } from "node:path";
import type { ErrorBody } from "../../machines/errors.ts";
import { withoutPaths } from "../../machines/inspection/file-path-masking.ts";
import type { Config } from "../config.ts";

export type PathRedactionConfig = Pick<
  Config,
  "dataDir" | "chromium" | "natsCreds" | "natsCa" | "natsCert" | "natsKey"
>;

export class PathRedaction {
  readonly #known: readonly (readonly [path: string, name: string])[];

  constructor(config: PathRedactionConfig) {
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
      // Only paths with a separator are replaced. A path without a separator, or the root folder `/`, would
      // also match text that is not a path of this machine.
      .flatMap(([path, name]) => (path?.includes(sep) && path.length > 1 ? [[path, name] as const] : []))
      // Longer paths are replaced before shorter ones, because one known folder may contain another.
      .sort(([one], [other]) => other.length - one.length);
  }

  hide(text: string): string {
    let hidden = text;
    for (const [path, name] of this.#known) hidden = hidden.replaceAll(path, name);
    return withoutPaths(hidden);
  }

  /** Returns the error with a message in which the paths of this machine are replaced. */
  hidden(body: ErrorBody): ErrorBody {
    return { ...body, message: this.hide(body.message) };
  }
}
