/** Converts cookies and storage between Playwright's format and the format of saved sessions. */
import { taken, transferred } from "./indexeddb-codec.ts";
import type { SavedCookie, SavedSession } from "./saved-session.ts";
import type { Environment, StorageState } from "./session-start-options.ts";

/** The cookies and storage with which a session may start, in Playwright's format. */
type GivenState = NonNullable<Environment["storage_state"]>;

/** Converts the cookies and storage in Playwright's format to the format of saved sessions. */
export function storageOf({ cookies, origins }: GivenState): Pick<SavedSession, "cookies" | "origins"> {
  return {
    cookies: cookies.flatMap((cookie): SavedCookie[] => {
      const { name, value, domain, path, url, expires, httpOnly = false, secure = false, sameSite } = cookie;
      const at = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
      const host = domain ?? at?.hostname;
      if (host === undefined) return [];
      return [
        {
          name,
          value,
          domain: host,
          path: path ?? "/",
          ...(expires === undefined || expires < 0 ? {} : { expires }),
          httpOnly,
          secure: secure || at?.protocol === "https:",
          ...(sameSite === undefined ? {} : { sameSite }),
          priority: "Medium",
          sourceScheme: "Unset",
          sourcePort: -1,
        },
      ];
    }),
    origins: origins.map(({ origin, localStorage, indexedDB = [] }) => ({
      top: new URL(origin).origin,
      origin: new URL(origin).origin,
      local: localStorage.map(({ name, value }) => [name, value] as const),
      databases: indexedDB.map(taken),
    })),
  };
}

/**
 * Converts a saved session to Playwright's format.
 *
 * @param databases whether to include IndexedDB
 */
export function storageStateOf({ cookies, origins }: SavedSession, databases: boolean): StorageState {
  return {
    cookies: cookies.map(
      ({ name, value, domain, path, expires = -1, httpOnly, secure, sameSite = "Lax" }) => ({
        name,
        value,
        domain,
        path,
        expires,
        httpOnly,
        secure,
        sameSite,
      }),
    ),
    origins: origins
      .map(({ databases: held, ...origin }) => ({ ...origin, held: databases ? held : [] }))
      .filter(({ top, origin, local, held }) => top === origin && local.length + held.length > 0)
      .map(({ origin, local, held }) => ({
        origin,
        localStorage: local.map(([name, value]) => ({ name, value })),
        ...(held.length > 0 ? { indexedDB: held.map(transferred) } : {}),
      })),
  };
}
