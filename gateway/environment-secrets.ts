/**
 * Reads secrets from the environment: `CAIRN_SECRET_<NAME>`, and their hosts from `CAIRN_SECRET_<NAME>_HOST`.
 */
export interface GivenSecret {
  readonly value: string;
  readonly hosts: readonly string[];
}

export type GivenSecrets = Readonly<Record<string, GivenSecret>>;

const PREFIX = "CAIRN_SECRET_";
const HOST = "_HOST";

export function isSecretVariable(variable: string): boolean {
  return variable.startsWith(PREFIX);
}

/**
 * Returns the secrets by their names in upper case. If `CAIRN_SECRET_X` exists, `CAIRN_SECRET_X_HOST`
 * contains the hosts of the secret `X`. Otherwise `CAIRN_SECRET_X_HOST` is a secret with the name `X_HOST`.
 */
export function givenSecrets(env: Readonly<Record<string, string | undefined>>): GivenSecrets {
  const found = Object.entries(env).flatMap(([variable, value]) =>
    isSecretVariable(variable) && value ? [[variable.slice(PREFIX.length), value] as const] : [],
  );
  const names = new Set(found.map(([name]) => name));
  const saysHosts = (name: string): boolean => name.endsWith(HOST) && names.has(name.slice(0, -HOST.length));
  return Object.fromEntries(
    found
      .filter(([name]) => !saysHosts(name))
      .map(([name, value]) => {
        const hosts = env[`${PREFIX}${name}${HOST}`] ?? "";
        const listed = hosts.split(",").map((host) => host.trim());
        return [name.toUpperCase(), { value, hosts: listed.filter((host) => host !== "") }];
      }),
  );
}
