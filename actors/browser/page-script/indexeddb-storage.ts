/**
 * Saves and restores the IndexedDB databases of an origin. A value that JSON cannot express is written as an
 * object whose field `$` names its type. Each function is sent to the browser as its own source, so it must
 * not refer to anything outside of itself.
 */
import type { SavedDatabase, SavedStore, Written } from "../../../machines/session/state/saved-session.ts";

export interface KeptDatabases {
  readonly databases: readonly SavedDatabase[];
  readonly lost: readonly string[];
}

/**
 * Returns the contents of all IndexedDB databases of the origin.
 *
 * @param most maximum number of characters of all saved databases together
 */
export async function keepDatabases(most: number): Promise<KeptDatabases> {
  const lost: string[] = [];
  /**
   * Records the names of data that is not saved, such as service workers. If the document has no access to
   * such data, nothing is recorded.
   */
  const noteUnsaved = async (what: string, names: () => Promise<readonly string[]>): Promise<void> => {
    const found = await names().catch(() => []);
    if (found.length > 0) lost.push(`${what} of ${location.origin}: ${found.join(", ")}`.slice(0, 300));
  };
  await noteUnsaved("service workers", async () =>
    ((await navigator.serviceWorker?.getRegistrations()) ?? []).map(({ scope }) => scope),
  );
  await noteUnsaved("caches", async () => (await globalThis.caches?.keys()) ?? []);
  await noteUnsaved("files", async () => {
    const names: string[] = [];
    const folder = await navigator.storage?.getDirectory?.();
    for await (const name of folder?.keys() ?? []) names.push(name);
    return names;
  });
  if (!globalThis.indexedDB?.databases) return { databases: [], lost };
  /**
   * Returns the databases of the origin. Returns an empty list for a document without access to databases,
   * such as the browser's own error page.
   */
  const databasesHere = async (): Promise<readonly IDBDatabaseInfo[]> => {
    try {
      return await indexedDB.databases();
    } catch (error) {
      if (error instanceof DOMException && error.name === "SecurityError") return [];
      throw error;
    }
  };
  const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const base64 = (buffer: ArrayBuffer): string => {
    let text = "";
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < bytes.length; at += 32_768)
      text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return btoa(text);
  };
  const written = async (root: unknown): Promise<unknown> => {
    const seen = new Map<object, number>();
    const write = async (value: unknown): Promise<unknown> => {
      switch (typeof value) {
        case "string":
        case "boolean":
          return value;
        case "number":
          return Number.isFinite(value) && !Object.is(value, -0)
            ? value
            : { $: "number", is: Object.is(value, -0) ? "-0" : String(value) };
        case "undefined":
          return { $: "undefined" };
        case "bigint":
          return { $: "bigint", is: String(value) };
        case "object":
          break;
        default:
          throw new TypeError(typeof value);
      }
      if (value === null) return null;
      const known = seen.get(value);
      if (known !== undefined) return { $: "same", is: known };
      seen.set(value, seen.size);
      if (Array.isArray(value)) {
        const items: unknown[] = [];
        for (const item of value) items.push(await write(item));
        return { $: "array", is: items };
      }
      if (value instanceof Date) return { $: "date", is: value.getTime() };
      if (value instanceof RegExp) return { $: "regexp", is: [value.source, value.flags] };
      if (value instanceof Map || value instanceof Set) {
        const items: unknown[] = [];
        for (const item of value) items.push(await write(item));
        return { $: value instanceof Map ? "map" : "set", is: items };
      }
      if (value instanceof ArrayBuffer) return { $: "buffer", is: base64(value) };
      if (ArrayBuffer.isView(value)) {
        const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
        return { $: "view", of: value.constructor.name, is: base64(bytes.buffer) };
      }
      if (value instanceof Blob) {
        const file = value instanceof File ? { name: value.name, at: value.lastModified } : {};
        return { $: "blob", type: value.type, ...file, is: base64(await value.arrayBuffer()) };
      }
      if (value instanceof Error) return { $: "error", of: value.name, is: value.message };
      const tag = Object.prototype.toString.call(value);
      if (tag !== "[object Object]") throw new TypeError(tag);
      const entries: unknown[] = [];
      for (const [key, item] of Object.entries(value)) entries.push([key, await write(item)]);
      return { $: "object", is: entries };
    };
    return await write(root);
  };
  const pathOf = (path: string | string[] | DOMStringList | null): string | string[] | null =>
    path === null || typeof path === "string" ? path : [...path];

  let length = 0;
  const databases: SavedDatabase[] = [];
  for (const { name = "", version = 1 } of await databasesHere()) {
    try {
      const database = await resultOf(indexedDB.open(name));
      try {
        const names = [...database.objectStoreNames];
        const stores: SavedStore[] = [];
        for (const text of names) {
          const store = database.transaction(text, "readonly").objectStore(text);
          const indexes = [...store.indexNames].map((index) => {
            const { keyPath, unique, multiEntry } = store.index(index);
            return { name: index, keyPath: pathOf(keyPath) ?? "", unique, multiEntry };
          });
          const [keys, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
          const records: [unknown, unknown][] = [];
          for (const [at, key] of keys.entries()) {
            const record: [unknown, unknown] = [await written(key), await written(values[at])];
            length += JSON.stringify(record).length;
            if (length > most) throw new RangeError("too much to keep");
            records.push(record);
          }
          stores.push({
            name: text,
            keyPath: pathOf(store.keyPath),
            autoIncrement: store.autoIncrement,
            indexes,
            records,
          });
        }
        databases.push({ name, version, stores });
      } finally {
        database.close();
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      lost.push(`database ${name} of ${location.origin}: ${why}`);
    }
  }
  return { databases, lost };
}

/**
 * Restores databases. A database that exists already is not changed. Returns descriptions of the databases
 * that could not be restored.
 */
export async function putBackDatabases(databases: readonly SavedDatabase[]): Promise<readonly string[]> {
  const lost: string[] = [];
  const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const read = (root: unknown): unknown => {
    const seen: unknown[] = [];
    const remember = <Value>(value: Value): Value => {
      seen.push(value);
      return value;
    };
    const readValue = (written: unknown): unknown => {
      if (typeof written !== "object" || written === null) return written;
      // `keepDatabases` wrote the object, so it has the fields of `Written` and the cast is safe.
      const { $: kind, is, of = "", type = "", name, at = 0 } = written as Written;
      const items = is as readonly unknown[];
      const text = is as string;
      switch (kind) {
        case "number":
          return Number(text);
        case "undefined":
          return undefined;
        case "bigint":
          return BigInt(text);
        case "same":
          return seen[Number(is)];
        case "array": {
          const list = remember<unknown[]>([]);
          for (const item of items) list.push(readValue(item));
          return list;
        }
        case "date":
          return remember(new Date(Number(is)));
        case "regexp":
          return remember(new RegExp(String(items[0]), String(items[1])));
        case "map": {
          const map = remember(new Map<unknown, unknown>());
          for (const item of items) {
            // Each entry of a map was written as an array of key and value, so the cast is safe.
            const [key, value] = readValue(item) as [unknown, unknown];
            map.set(key, value);
          }
          return map;
        }
        case "set": {
          const set = remember(new Set<unknown>());
          for (const item of items) set.add(readValue(item));
          return set;
        }
        case "buffer":
          return remember(bytesOf(text).buffer);
        case "view": {
          // The cast is safe: Cairn has written the name of a typed array class into `of`, and these classes
          // are globals of every page. If the class is missing, the plain buffer is restored.
          const View = (globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>)[of];
          const { buffer } = bytesOf(text);
          return remember(View ? new View(buffer) : buffer);
        }
        case "blob": {
          const bytes = [bytesOf(text)];
          return remember(
            name === undefined
              ? new Blob(bytes, { type })
              : new File(bytes, name, { type, lastModified: at }),
          );
        }
        case "error":
          return remember(Object.assign(new Error(text), { name: of }));
        default: {
          const made = remember<Record<string, unknown>>({});
          for (const [key, value] of is as readonly [string, unknown][]) made[key] = readValue(value);
          return made;
        }
      }
    };
    return readValue(root);
  };
  const there = new Set((await indexedDB.databases()).map(({ name }) => name));
  for (const { name, version, stores } of databases) {
    if (there.has(name)) continue;
    try {
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name, version);
        opening.onerror = () => reject(opening.error);
        opening.onupgradeneeded = () => {
          for (const store of stores) {
            const { autoIncrement, indexes, records } = store;
            // The cast is safe: the value is the key path of an IndexedDB store, which is a text, a list of
            // texts or `null`. JSON has kept it unchanged.
            const keyPath = store.keyPath as string | string[] | null;
            const made = opening.result.createObjectStore(store.name, { keyPath, autoIncrement });
            for (const { name: index, keyPath: path, unique, multiEntry } of indexes)
              made.createIndex(index, path as string | string[], { unique, multiEntry });
            for (const [key, value] of records) {
              if (keyPath === null) made.put(read(value), read(key) as IDBValidKey);
              else made.put(read(value));
            }
          }
        };
        opening.onsuccess = () => {
          opening.result.close();
          resolve();
        };
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      lost.push(`database ${name} of ${location.origin}: ${why}`);
    }
  }
  return lost;
}
