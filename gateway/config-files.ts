/** Reads secret settings from files: `<variable>_FILE` names the file, as containers provide them. */
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

interface Named {
  readonly env: string;
  readonly secret?: boolean;
}

export interface Given {
  /** `undefined` when the setting is not set. */
  readonly value?: string;
  readonly source: "default" | "environment" | "file";
  /** A problem with the file; it never contains the file's content. */
  readonly problem?: string;
}

/** The variable that names the file of a setting; `undefined` when the setting is not secret. */
export function fileVariable({ env, secret }: Named): string | undefined {
  return secret ? `${env}_FILE` : undefined;
}

/**
 * The value of a setting from the environment or a file. An empty variable counts as unset, an empty file
 * does not.
 */
export function givenIn(environment: Environment, setting: Named): Given {
  const value = environment[setting.env]?.trim();
  const variable = fileVariable(setting);
  const path = variable === undefined ? undefined : environment[variable]?.trim();
  if (variable === undefined || !path)
    return value ? { value, source: "environment" } : { source: "default" };
  const wrong = (problem: string): Given => ({ source: "file", problem });
  if (value) return wrong(`is set, and so is ${variable}: unset one of them`);
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (thrown) {
    const reason = thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
    return wrong(`the file that ${variable} names cannot be read (${reason})`);
  }
  // An empty key file must not open what the key was meant to close.
  return text === "" ? wrong(`the file that ${variable} names is empty`) : { value: text, source: "file" };
}
