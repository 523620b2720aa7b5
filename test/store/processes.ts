/** Runs `store-process.ts`: what one process says about a store that others use as well. */
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./store-process.ts", import.meta.url));

/** The JSON that the process printed. */
export async function inProcess(what: string, url: string, argument = ""): Promise<unknown> {
  const child = Bun.spawn([process.execPath, SCRIPT, what, url, argument], { stderr: "pipe" });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${what} ended badly: ${errors}`);
  return JSON.parse(out);
}

/** A process that holds the store open until it is killed. */
export async function holder(url: string): Promise<{ kill(): Promise<void> }> {
  const child = Bun.spawn([process.execPath, SCRIPT, "hold", url], { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  await reader.read();
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
