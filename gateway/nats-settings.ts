/** Builds the settings for NATS (the message bus between nodes) of this node. */
import type { NatsPlace } from "../actors/index.ts";
import { type Role, roles } from "../machines/runtime/cluster-node-roles.ts";
import type { Config } from "./config.ts";

/** Returns the settings for NATS. Returns `undefined` for a single Cairn, which has no NATS server. */
export function natsSettings(config: Config): NatsPlace | undefined {
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

/** Returns the roles of this node. A single node (without NATS) has all roles. */
export function nodeRoles({ natsUrl, roles: given }: Pick<Config, "natsUrl" | "roles">): readonly Role[] {
  return natsUrl === undefined ? roles : given;
}
