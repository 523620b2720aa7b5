/** The store settings of this node. */
import type { Config } from "./config.ts";
import type { StoreSettings } from "./system.ts";

export function storeSettings(config: Config): StoreSettings {
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
