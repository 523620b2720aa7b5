/** The version of this Cairn, from `package.json`. `--version`, OpenAPI and the user agent show it. */
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
