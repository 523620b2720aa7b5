/** Installs the tools with which benches compare Cairn, once, in the folder `test/bench`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export async function installPeers(folder: string): Promise<void> {
  const { dependencies } = (await Bun.file(join(folder, "package.json")).json()) as {
    // The cast is safe: `package.json` has this shape.
    readonly dependencies: Readonly<Record<string, string>>;
  };
  if (Object.keys(dependencies).every((name) => existsSync(join(folder, "node_modules", name)))) return;
  console.log("installing the peers of the benches (once) …");
  // Install scripts of the packages are not run. No bench needs them.
  const { status, error } = spawnSync(
    "npm",
    ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"],
    { stdio: "inherit" },
  );
  if (status !== 0) {
    throw new Error(`npm install --prefix ${folder} failed; the peers need the npm registry once.`, {
      cause: error,
    });
  }
}
