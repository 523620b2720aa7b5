/** The version of this Cairn, from `package.json`: shown by `--version`, OpenAPI and the user agent. */
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
