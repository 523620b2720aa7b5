/** `cairn config`: prints every setting with its meaning, as text or as the table for the guide. */
import { readFile, writeFile } from "node:fs/promises";
import { Refused } from "../../machines/errors.ts";
import { settings } from "../config.ts";
import { configurationTable, withConfigurationTable } from "../write-configuration-reference.ts";
import { atMost, type Command, ExitCode, flag, text } from "./cli-command-interface.ts";

/** Writes the table into the document. Throws `usage.invalid` when the file cannot be read or written. */
async function writeTable(file: string): Promise<void> {
  try {
    await writeFile(file, withConfigurationTable(await readFile(file, "utf8")));
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refused("usage.invalid", `The table cannot be written: ${reason}. Name an existing document.`, {
      cause,
    });
  }
}

export const config: Command = {
  usage: "[--markdown | --write <file>]",
  description: "Shows every setting. Values and where they come from are shown by `cairn doctor`.",
  options: {
    markdown: { type: "boolean", description: "as the Markdown table of the guide's page Configuration" },
    write: { type: "string", value: "file", description: "write the table between the file's markers" },
  },
  async run(context) {
    atMost(context, 0);
    const file = text(context, "write");
    if (file !== undefined) {
      await writeTable(file);
    } else if (flag(context, "markdown")) {
      context.terminal.out(configurationTable());
    } else {
      for (const { env, description } of settings) context.terminal.out(`${env.padEnd(22)} ${description}`);
    }
    return ExitCode.done;
  },
};
