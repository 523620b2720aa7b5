/** Tests that no other user of the machine can read the data folder of a running Cairn. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(60_000);
const OTHERS = 0o077;

test.if(isFull)(
  "all files in a data folder become private, even if every user could read the folder before",
  async () => {
    const data = await dataFolder();
    await chmod(data.path, 0o755);
    const cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
    try {
      expect((await cairn.post("/api/backups", {})).status).toBe(200);
      const names = await readdir(data.path, { recursive: true });
      expect(names.some((name) => name.startsWith("backups/"))).toBeTrue();
      const open: string[] = [];
      for (const name of [".", ...names]) {
        const found = await stat(join(data.path, name)).catch(() => undefined);
        if (found && (found.mode & OTHERS) !== 0) open.push(name);
      }
      expect(open).toEqual([]);
    } finally {
      await cairn.stop();
      await data.remove();
    }
  },
);
