/** Derives the store settings of this node from the configuration. */
import type { StorePlace } from "../actors/index.ts";
import type { Config } from "./config.ts";

export function storeSettings(config: Config): StorePlace {
  const { surrealUrl, surrealUser, surrealPass, surrealNamespace, surrealDatabase } = config;
  if (config.store === "bus") return { kind: "bus" };
  if (surrealUrl === undefined) return { kind: "folder" };
  const server = {
    url: surrealUrl,
    username: surrealUser,
    password: surrealPass,
    namespace: surrealNamespace,
    database: surrealDatabase,
  };
  return { kind: "server", server };
}
