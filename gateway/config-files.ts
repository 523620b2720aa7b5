/**
 * Settings that are secret may stand in a file, as containers are given them: `<variable>_FILE` names it.
 *
 * Neighbour: `config.ts` has the settings.
 */
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

interface Named {
  readonly env: string;
  readonly secret?: boolean;
}

export interface Given {
  /** `undefined`: it is not set. */
  readonly value?: string;
  readonly source: "default" | "environment" | "file";
  /** What is wrong with the file; never with what it holds. */
  readonly problem?: string;
}

/** The variable that names the file of a setting; `undefined` where the setting is no secret. */
export function fileVariable({ env, secret }: Named): string | undefined {
  return secret ? `${env}_FILE` : undefined;
}

/** The value of a setting, from wherever it is given. An empty variable counts as unset, an empty file does not. */
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
  // Whoever names a file means to give something: an empty one must not open what it was to close.
  return text === "" ? wrong(`the file that ${variable} names is empty`) : { value: text, source: "file" };
}
