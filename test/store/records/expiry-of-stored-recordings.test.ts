/** Tests that an expired recording is deleted together with its steps. */
import { afterAll, expect, test } from "bun:test";
import { openStore } from "../../../store/index.ts";

const store = await openStore({ url: "mem://" });
afterAll(() => store.close());

test("an expired recording is deleted with its steps, and no other recording is deleted", async () => {
  const one = (id: string, started_at: number, ended_at?: number) => ({
    id,
    room_name: "a",
    name: id,
    started_at,
    ...(ended_at === undefined ? {} : { ended_at }),
  });
  await store.write([
    {
      op: "put",
      table: "recording",
      rows: [one("old", 10, 20), one("long", 10, 60), one("open", 10), one("new", 70, 80)],
    },
    {
      op: "put",
      table: "recording_step",
      rows: ["old", "new"].flatMap((id) => [0, 1].map((n) => ({ id: [id, n] as const, body: "{}", at: 15 }))),
    },
  ]);
  expect(await store.retention.sweep("recordings", 50)).toBe(4);
  const left = await store.recordings.list(10);
  expect(left.map(({ id }) => id).toSorted()).toEqual(["long", "new"]);
  expect(await store.recordings.steps("old")).toEqual([]);
  expect(await store.recordings.steps("new")).toHaveLength(2);
});
