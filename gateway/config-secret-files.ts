/**
 * Reads secret settings from files, as container platforms provide them. The variable `<variable>_FILE` names
 * the file.
 */
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

interface Named {
  readonly env: string;
  readonly secret?: boolean;
}

export interface Given {
  /** The value of the setting; `undefined` if neither the variable nor the file is set. */
  readonly value?: string;
  readonly source: "default" | "environment" | "file";
  /** The reason why the file cannot be used, without any of the file's content. */
  readonly problem?: string;
}

/**
 * Returns the name of the environment variable from which the path of a secret setting's file is read.
 * Returns `undefined` for a setting that is not secret.
 */
export function fileVariable({ env, secret }: Named): string | undefined {
  return secret ? `${env}_FILE` : undefined;
}

/**
 * Returns the value of a setting from its environment variable or its file. An empty variable counts as not
 * set, while an empty file is an error.
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
  // An empty file is an error. If an empty key file counted as "no key", Cairn would accept requests without
  // a key.
  return text === "" ? wrong(`the file that ${variable} names is empty`) : { value: text, source: "file" };
}
