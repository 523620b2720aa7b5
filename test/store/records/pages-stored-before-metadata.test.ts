import { expect, test } from "bun:test";
import { metadataOf, NO_METADATA } from "../../../machines/knowledge/screens/page-record-metadata.ts";
import type { JobRecord } from "../../../machines/records/exploration-records.ts";
import { knownMigrations, migrate } from "../../../store/connection/database-migrations.ts";
import { Database } from "../../../store/connection/execute-database-statements.ts";
import { connect } from "../../../store/connection/open-database.ts";
import { nodeRow } from "../../../store/records/database-table-fields.ts";
import { FrontierReader } from "../../../store/records/stored-frontier.ts";
import { PageReader } from "../../../store/records/stored-pages.ts";
import { frontierRow, JOB, MAP, pageRow } from "../sample-store-rows.ts";

/** The last version of the database schema without metadata of pages. */
const BEFORE = 2;

test("pages that were stored before metadata existed are read without it, until they are fetched again", async () => {
  const { client, place } = await connect({ url: "mem://" });
  const database = new Database({ client, place });
  const known = await knownMigrations();
  await migrate(database, known, { upTo: BEFORE });
  const { metadata: _, signature: __, ...old } = pageRow("old");
  await database.run("INSERT INTO page $row", { row: nodeRow("page", old) });
  const job: JobRecord = {
    id: JOB,
    knowledge_id: MAP,
    website_id: "w",
    status: "completed",
    start_url: "x",
    started_at: 1,
    updated_at: 1,
  };
  await database.run("INSERT INTO job $row", { row: nodeRow("job", job) });
  await database.run("INSERT INTO frontier $row", {
    row: nodeRow("frontier", frontierRow("old", 1, { state: "done", page_key: "old" })),
  });
  await migrate(database, known);
  const frontier = new FrontierReader(database);
  const pages = new PageReader(database, frontier);
  const page = await pages.get(MAP, "old");
  expect(page?.content).toBe("Content of old");
  expect(page && metadataOf(page)).toEqual(NO_METADATA);
  const [shown] = (await frontier.pages(JOB, { limit: 10 })).items;
  expect(shown?.title).toBe("Page old");
  expect(shown && metadataOf(shown)).toEqual(NO_METADATA);

  await database.run("UPDATE $id MERGE $fields", {
    id: nodeRow("page", old).id,
    fields: { metadata: JSON.stringify({ authors: ["Ada"] }), signature: "0123456789abcdef" },
  });
  const again = await pages.get(MAP, "old");
  expect(again?.signature).toBe("0123456789abcdef");
  expect(again && metadataOf(again)).toEqual({ ...NO_METADATA, authors: ["Ada"] });
});
