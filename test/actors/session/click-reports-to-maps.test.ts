/** Tests to which maps a worker reports the clicks of its sessions. */
import { expect, test } from "bun:test";
import { clickReports } from "../../../actors/session/click-reports-to-maps.ts";
import type { CairnServices } from "../../../actors/worker-services.ts";

const CLICK = { from: "http://new.example/", to: "http://new.example/b", name: "To B" };
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await Bun.sleep(20);
};

test("a click is reported to a map that was made after the last report of clicks", async () => {
  const sites: { knowledge_id: string; base_url: string }[] = [];
  const asked: string[] = [];
  let reads = 0;
  const store = {
    maps: {
      sites: async () => {
        reads += 1;
        return [...sites];
      },
    },
  };
  const actors = {
    query: async (_kind: string, map: string) => {
      asked.push(map);
      return [];
    },
  };
  // The cast is safe: a report uses only these two functions of the services.
  const reports = clickReports({ store, actors } as unknown as CairnServices);
  reports.add({ ...CLICK, from: "http://other.example/", to: "http://other.example/b" });
  await until(() => reads === 1);
  sites.push({ knowledge_id: "new", base_url: "http://new.example/" });
  reports.add(CLICK);
  await until(() => asked.length > 0);
  reports.add(CLICK);
  await until(() => asked.length > 1);
  expect(asked).toEqual(["new", "new"]);
  expect(reads).toBe(2);
});
