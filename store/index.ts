/**
 * The store's public interface for actors and the gateway. `openStore` opens the database, embedded or on a
 * server. `openServedStore` returns the same `Store` in other threads, and `joinStore` on other nodes of a
 * server.
 */

import type { SearchHit } from "../machines/knowledge/knowledge-protocol.ts";
import type { StoreWrite } from "../machines/machine-emissions.ts";
import type { KnowledgeId } from "../machines/records/record-ids.ts";
import type { ActorStore } from "./actors/actor-store-interface.ts";
import { SurrealActorStore } from "./actors/surreal-actor-store.ts";
import { connectServed, type StoreChannel, serveStore } from "./connection/database-engine-for-threads.ts";
import { identityOf } from "./connection/database-identity.ts";
import { holdExclusively, withDatabaseLock } from "./connection/database-lock.ts";
import { assertKnown, knownMigrations, migrate, schemaVersion } from "./connection/database-migrations.ts";
import { Database } from "./connection/execute-database-statements.ts";
import {
  type Connection,
  type ConnectionOptions,
  connect,
  serverConnection,
} from "./connection/open-database.ts";
import { Retention } from "./delete-expired-data.ts";
import { addWrite, Script } from "./records/database-write-statements.ts";
import { ActionOutcomeReader } from "./records/stored-action-outcomes.ts";
import { AuditStore } from "./records/stored-audit-log.ts";
import { CrawlMemoryReader } from "./records/stored-crawl-notes.ts";
import { DialogueMessageReader } from "./records/stored-dialogue-messages.ts";
import { ExplorationReader } from "./records/stored-explorations.ts";
import { FrontierReader } from "./records/stored-frontier.ts";
import { IdempotencyStore } from "./records/stored-idempotent-requests.ts";
import { IngestReader } from "./records/stored-ingest-queue.ts";
import { DocumentReader } from "./records/stored-ingested-documents.ts";
import { ResultStore } from "./records/stored-large-results.ts";
import { OutlineStore } from "./records/stored-map-outlines.ts";
import { MapReader } from "./records/stored-maps.ts";
import { MapSketchStore } from "./records/stored-maps-before-exploration.ts";
import { NavigationReader } from "./records/stored-navigation-run-results.ts";
import { PageReader } from "./records/stored-pages.ts";
import { ScreenPictureStore } from "./records/stored-screen-pictures.ts";
import { ScreenReader } from "./records/stored-screens.ts";
import { RecordingReader } from "./records/stored-session-recordings.ts";
import { SessionStateStore } from "./records/stored-session-states.ts";
import { type RankedText, SearchReader } from "./search/full-text-search.ts";
import { VectorStore } from "./search/vector-index.ts";
import { backup, beforeMigration, dropOldBackups } from "./store-backup.ts";

export type {
  ActorHead,
  ActorKey,
  ActorRow,
  ActorStore,
  CommitOutcome,
  CommitUnit,
  DeadLetterRow,
} from "./actors/actor-store-interface.ts";
export { MemoryActorStore } from "./actors/memory-actor-store.ts";
export type { StoreChannel } from "./connection/database-engine-for-threads.ts";
export type { ConnectionOptions } from "./connection/open-database.ts";
export type { Retention, Sweep } from "./delete-expired-data.ts";
export type { Slice, SliceRequest } from "./records/result-slice.ts";
export type { ActionOutcomeReader } from "./records/stored-action-outcomes.ts";
export type { AuditRequest, AuditStore, StoredNote } from "./records/stored-audit-log.ts";
export type { DialogueMessageReader } from "./records/stored-dialogue-messages.ts";
export type { ExplorationReader } from "./records/stored-explorations.ts";
export type { DonePage, FrontierReader } from "./records/stored-frontier.ts";
export type { IdempotencyRow, IdempotencyStore } from "./records/stored-idempotent-requests.ts";
export type { IngestCounts, IngestReader } from "./records/stored-ingest-queue.ts";
export type { DocumentReader } from "./records/stored-ingested-documents.ts";
export type { ResultStore } from "./records/stored-large-results.ts";
export type { OutlineStore } from "./records/stored-map-outlines.ts";
export type { MapReader } from "./records/stored-maps.ts";
export type { EarlierMap, MapSketchStore } from "./records/stored-maps-before-exploration.ts";
export type { NavigationReader } from "./records/stored-navigation-run-results.ts";
export type { LinkListing, PageReader } from "./records/stored-pages.ts";
export type { ScreenPictureStore, StoredPicture } from "./records/stored-screen-pictures.ts";
export type { ScreenReader } from "./records/stored-screens.ts";
export type { RecordingReader, StoredStep } from "./records/stored-session-recordings.ts";
export type { SessionStateStore } from "./records/stored-session-states.ts";
export { type RestoreOptions, restoreStore } from "./store-backup.ts";

export interface OpenStoreOptions extends ConnectionOptions {
  /**
   * Address of the database: `rocksdb://<folder>`, a server's `ws(s)://` or `http(s)://` URL, or `mem://`.
   * The last one is only for tests, because SurrealDB's engine in memory may not notice that two transactions
   * write the same row.
   */
  readonly url: string;
  /** Folder for backups before migrations. If it is absent (a store in memory, tests), no backup is made. */
  readonly backups?: string | undefined;
  /**
   * Called before a long step with a description for users who wait, such as "the database is being backed up
   * …".
   */
  readonly starting?: ((what: string) => void) | undefined;
}

/** The store: the objects that read and write all stored data. Any thread can use them. */
export class Store {
  readonly actionOutcomes: ActionOutcomeReader;
  readonly actors: ActorStore;
  readonly audit: AuditStore;
  readonly dialogueMessages: DialogueMessageReader;
  readonly documents: DocumentReader;
  readonly vectors: VectorStore;
  readonly navigation: NavigationReader;
  readonly frontier: FrontierReader;
  readonly memory: CrawlMemoryReader;
  readonly pages: PageReader;
  readonly maps: MapReader;
  readonly sketches: MapSketchStore;
  readonly jobs: ExplorationReader;
  readonly pictures: ScreenPictureStore;
  readonly screens: ScreenReader;
  readonly outlines: OutlineStore;
  readonly ingest: IngestReader;
  readonly recordings: RecordingReader;
  readonly repeats: IdempotencyStore;
  readonly results: ResultStore;
  readonly sessionStates: SessionStateStore;
  readonly retention: Retention;
  protected readonly connection: Connection;
  protected readonly database: Database;
  readonly #search: SearchReader;

  constructor(connection: Connection) {
    this.connection = connection;
    this.database = new Database(connection);
    this.actionOutcomes = new ActionOutcomeReader(this.database);
    this.actors = new SurrealActorStore(this.database);
    this.audit = new AuditStore(this.database);
    this.dialogueMessages = new DialogueMessageReader(this.database);
    this.vectors = new VectorStore(this.database);
    this.documents = new DocumentReader(this.database);
    this.navigation = new NavigationReader(this.database);
    this.frontier = new FrontierReader(this.database);
    this.memory = new CrawlMemoryReader(this.database);
    this.pages = new PageReader(this.database, this.frontier);
    this.maps = new MapReader(this.database);
    this.sketches = new MapSketchStore(this.database);
    this.jobs = new ExplorationReader(this.database);
    this.pictures = new ScreenPictureStore(this.database);
    this.screens = new ScreenReader(this.database);
    this.outlines = new OutlineStore(this.database);
    this.ingest = new IngestReader(this.database);
    this.recordings = new RecordingReader(this.database);
    this.repeats = new IdempotencyStore(this.database);
    this.results = new ResultStore(this.database);
    this.sessionStates = new SessionStateStore(this.database);
    this.retention = new Retention(this.database);
    this.#search = new SearchReader(this.database);
  }

  /** Finds pages that contain any of the words, best first, in one map or (`undefined`) in all maps. */
  async search(
    knowledgeId: KnowledgeId | undefined,
    query: string,
    topK: number,
  ): Promise<readonly SearchHit[]> {
    return await this.#search.search(knowledgeId, query, topK);
  }

  /**
   * Ranks the pages of a map like `search`, but does not read their contents. It returns all pages that it
   * has ranked, which may be more than `topK`.
   */
  async rankTexts(knowledgeId: KnowledgeId, query: string, topK: number): Promise<readonly RankedText[]> {
    return await this.#search.rank(knowledgeId, query, topK);
  }

  /** Returns search hits for ranked pages, in the given order. Their snippets show words of the query. */
  async describeHits(ranked: readonly RankedText[], query: string): Promise<readonly SearchHit[]> {
    return await this.#search.describe(ranked, query);
  }

  /** Returns the title and the beginning of each given searchable text, by the text's key. */
  async embeddableTexts(
    ids: readonly (readonly [KnowledgeId, string])[],
    length: number,
  ): Promise<ReadonlyMap<string, string>> {
    return await this.#search.beginnings(ids, length);
  }

  /**
   * Writes rows in one transaction, without an actor and its fence. Only tests and tools may use this method.
   */
  async write(writes: readonly StoreWrite[]): Promise<void> {
    const script = new Script();
    for (const write of writes) addWrite(script, write);
    if (!script.empty) await this.database.transaction(script.statements, script.bindings);
  }

  /** Estimated memory of the indexes that this thread keeps for its searches, in bytes. */
  get searchIndexBytes(): number {
    return this.#search.indexBytes;
  }

  /** Numbers of successful and failed requests that this thread has sent to the database so far. */
  get statements(): { readonly ok: number; readonly failed: number } {
    return this.database.statements;
  }

  /** URL of the database without the password. */
  get place(): string {
    return this.connection.place;
  }

  /** Throws `Unavailable` (`store.unavailable`) when the database does not answer. */
  async ping(): Promise<void> {
    await this.database.run("RETURN 1");
  }

  /** Writes a backup file into `folder` and returns its path. The store stays usable meanwhile. */
  async backup(folder: string): Promise<{ readonly file: string; readonly records: number }> {
    return await backup(this.database, folder);
  }

  /**
   * Closes the connection. The process must then end with `process.exit`, because threads of an embedded
   * database continue to run.
   */
  async close(): Promise<void> {
    await this.connection.close();
  }
}

/** The store in the thread that opened the database, returned by `openStore`. */
export class OwnedStore extends Store {
  readonly #serve: (request: Uint8Array) => Promise<Uint8Array>;
  readonly #space: Connection["space"];

  constructor(connection: Connection) {
    super(connection);
    this.#serve = serveStore(connection);
    this.#space = connection.space;
  }

  /** Checks that the database answers. Throws `store.disk_full` if there is no space for writes. */
  override async ping(): Promise<void> {
    this.#space?.check();
    await super.ping();
  }

  /**
   * Locks the database for this Cairn until the returned function is called. Throws `store.in_use` when an
   * unrelated Cairn holds the lock.
   */
  async useAlone(): Promise<() => Promise<void>> {
    return await holdExclusively(this.database);
  }

  /** Returns the permanent random id of this database. */
  async identity(): Promise<bigint> {
    return await identityOf(this.database);
  }

  /** Answers the encoded request of a `StoreChannel` with an encoded answer. It never rejects. */
  async serve(request: Uint8Array): Promise<Uint8Array> {
    return await this.#serve(request);
  }

  /**
   * Migrates the database to this release's schema, after a backup if it contains data. If several nodes
   * start on one server, one migrates and the others wait.
   */
  async migrate({ backups, starting }: Pick<OpenStoreOptions, "backups" | "starting">): Promise<void> {
    const known = await knownMigrations();
    const bring = () =>
      migrate(this.database, known, {
        before: async (from, to) => {
          if (backups !== undefined) {
            starting?.(`the database is being backed up before its schema goes from ${from} to ${to}`);
            await backup(this.database, backups, beforeMigration(from));
            await dropOldBackups(backups);
          }
          starting?.(`the database is being brought from schema ${from} to ${to}`);
        },
      });
    const alone = this.connection.embedded !== undefined;
    const behind = async () => (await schemaVersion(this.database)) < (await newestSchema());
    if (!alone && (await behind())) await withDatabaseLock(this.database, "migration", bring);
    else await bring();
  }
}

/** Opens the database and migrates it to this release's schema. */
export async function openStore({ backups, starting, ...options }: OpenStoreOptions): Promise<OwnedStore> {
  const store = new OwnedStore(await connect(options));
  try {
    await store.migrate({ backups, starting });
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Describes the database of a server without changing it. Throws the same errors as `openStore`. */
export async function inspectServer(options: ConnectionOptions): Promise<string> {
  const connection = await connect(options);
  try {
    const version = await schemaVersion(new Database(connection));
    const newest = await newestSchema();
    if (version === 0) return `${connection.place} answers; its database is empty`;
    assertKnown(version, newest, connection.place);
    return `${connection.place} answers; schema ${version}${version < newest ? `, to be brought to ${newest}` : ""}`;
  } finally {
    await connection.close();
  }
}

/**
 * Connects another thread or node to a server's store that `openStore` has migrated. If the server is
 * unavailable, statements throw `store.unavailable`; this call itself does not fail.
 */
export async function joinStore(options: ConnectionOptions): Promise<Store> {
  const connection = serverConnection(options);
  await connection.open().catch(() => connection.openBehind());
  return new Store(connection);
}

/**
 * Connects another thread or node to a store, over a channel that ends in `OwnedStore.serve`. Nothing is sent
 * before the first statement, so a broken channel is only noticed then. `place` is the name of the store in
 * error messages.
 */
export async function openServedStore(channel: StoreChannel, place?: string): Promise<Store> {
  return new Store(await connectServed(channel, place));
}

/** Returns the schema version of this release. */
export async function newestSchema(): Promise<number> {
  return (await knownMigrations()).at(-1)?.version ?? 0;
}
