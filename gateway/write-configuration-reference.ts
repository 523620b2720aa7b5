/**
 * Writes the configuration reference from `config.ts`, so that the two cannot differ. `cairn config
 * --markdown` prints the table, and `cairn config --write gateway/docs/guide/configuration.md` inserts it
 * between the markers of that page.
 */
import { Refused } from "../machines/errors.ts";
import { type Setting, settings, settingsSchema } from "./config.ts";

const BEGIN = "<!-- configuration: written by `cairn config --write` -->";
const END = "<!-- /configuration -->";

function defaultOf({ name, defaultText }: Setting): string {
  if (defaultText !== undefined) return defaultText;
  const value = settingsSchema.shape[name].parse(undefined);
  return value === undefined || Array.isArray(value) ? "" : String(value);
}

/** Returns a Markdown table of every setting. */
export function configurationTable(): string {
  const rows = settings.map((setting) => {
    const value = defaultOf(setting);
    return `| \`${setting.env}\` | ${value === "" ? "–" : `\`${value}\``} | ${setting.description} |`;
  });
  return ["| variable | default | what it is for |", "|---|---|---|", ...rows].join("\n");
}

/**
 * Inserts the table of settings between the markers of the document. Throws `config.no_markers` when the
 * document has no markers.
 */
export function withConfigurationTable(document: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin) {
    throw new Refused("config.no_markers", `The document needs the lines "${BEGIN}" and "${END}".`);
  }
  return `${document.slice(0, begin + BEGIN.length)}\n${configurationTable()}\n${document.slice(end)}`;
}
