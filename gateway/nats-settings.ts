/**
 * The NATS that the nodes of one system share, as the settings say. Neighbours: `config.ts` has the settings,
 * `system.ts` the port.
 */
import { type Role, roles } from "../machines/runtime/roles.ts";
import type { Config } from "./config.ts";
import type { NatsSettings } from "./system.ts";

/** `undefined` for a Cairn alone. */
export function natsSettings(config: Config): NatsSettings | undefined {
  const { natsUrl, natsUser, natsPass, natsCreds, natsCa, natsCert, natsKey, natsReplicas } = config;
  if (natsUrl === undefined) return undefined;
  return {
    url: natsUrl,
    user: natsUser,
    pass: natsPass,
    creds: natsCreds,
    tls: { ca: natsCa, cert: natsCert, key: natsKey },
    replicas: natsReplicas,
  };
}

/** What this node is there for: everything, where there is no other. */
export function nodeRoles({ natsUrl, roles: given }: Pick<Config, "natsUrl" | "roles">): readonly Role[] {
  return natsUrl === undefined ? roles : given;
}
