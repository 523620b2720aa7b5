/** Tests the commands that write a backup and restore it, as a script uses them. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { dataFolder, type Finished, runCairn } from "../support/cairn-test-process.ts";

setDefaultTimeout(60_000);

const cairn = (CAIRN_DATA: string, ...args: readonly string[]): Promise<Finished> =>
  runCairn(args, { CAIRN_DATA, CAIRN_WORKERS: "1" }).ended;

test("a script gets the results of cairn backup and cairn restore as JSON, and a person the advice about the key", async () => {
  const from = await dataFolder();
  const to = await dataFolder();
  const written = await cairn(from.path, "backup", "--json");
  expect(written.code).toBe(0);
  const { file, records } = JSON.parse(written.stdout);
  const restored = await cairn(to.path, "restore", file, "--json");
  expect(restored.code).toBe(0);
  expect(JSON.parse(restored.stdout)).toEqual({ file, records });
  expect(restored.stderr).toContain("Copy the file key");
  await from.remove();
  await to.remove();
});
