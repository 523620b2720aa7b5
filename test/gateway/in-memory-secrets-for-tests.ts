/** Secrets in memory, for tests of the gateway. */
import type { Secrets } from "../../gateway/actor-system-interface.ts";
import { Refused } from "../../machines/errors.ts";

export class MemorySecrets implements Secrets {
  readonly values = new Map<string, { readonly value: string; readonly hosts: readonly string[] }>();

  async list() {
    return [...this.values].map(([name, { hosts }]) => ({ name, hosts, source: "stored" as const }));
  }

  async set(name: string, value: string, hosts: readonly string[]) {
    this.values.set(name, { value, hosts });
    return { name, hosts, source: "stored" as const };
  }

  async remove(name: string): Promise<void> {
    if (!this.values.delete(name))
      throw new Refused("secret.not_found", `There is no ${name}.`, { status: 404 });
  }
}
