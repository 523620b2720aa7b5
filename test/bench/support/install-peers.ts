/** Installs the peers that benches measure against, once, in the folder of the benches. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export async function installPeers(folder: string): Promise<void> {
  const { dependencies } = (await Bun.file(join(folder, "package.json")).json()) as {
    readonly dependencies: Readonly<Record<string, string>>; // The shape of `package.json`.
  };
  if (Object.keys(dependencies).every((name) => existsSync(join(folder, "node_modules", name)))) return;
  console.log("installing the peers of the benches (once) …");
  const { status, error } = spawnSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund"], {
    stdio: "inherit",
  });
  if (status !== 0) {
    throw new Error(`npm install --prefix ${folder} failed; the peers need the npm registry once.`, {
      cause: error,
    });
  }
}
