/**
 * `cairn mcp` (`npm run mcp`): serves the Model Context Protocol over standard input and output. It uses the gateway
 * that serves the data folder. If no gateway runs, it starts its own Cairn, which answers even while its store opens.
 */

import { type LoadedConfig, loadConfig } from "../config.ts";
import { gatewayLimits } from "../gateway-limits.ts";
import { createLog, type Log } from "../log.ts";
import type { Pipes, serveRemote } from "../mcp/mcp-stdio.ts";
import { findGateway, prepareDataFolder, removePidFile, writePidFile } from "../running-gateway-file.ts";
import { StartingSystem } from "../running-system-for-waiting-requests.ts";
import { ownKey } from "../security/api-keys.ts";
import { PathRedaction } from "../security/file-path-redaction.ts";
import { startOptions } from "../settings-to-start-cairn-options.ts";
import { tools } from "../tools/index.ts";
import { ToolCalls } from "../tools/run-and-audit-tool-calls.ts";
import { atMost, type Command, ExitCode, gatewayUrl } from "./cli-command-interface.ts";

/** Loads the MCP library only here, because every command of the command line loads this file. */
const loadStdio = () => import("../mcp/mcp-stdio.ts");

/** Waits until the client closes the input, or until a signal ends the process. */
function ending({ input }: Pipes): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) input.once(event, () => resolve());
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
  });
}

async function runThere(remote: Parameters<typeof serveRemote>[1], pipes: Pipes, log: Log): Promise<void> {
  const ended = ending(pipes);
  const { serveRemote } = await loadStdio();
  const close = await serveRemote(pipes, remote, log);
  log.info("carrying to a Cairn that runs", { url: remote.url });
  await ended;
  await close();
}

async function runHere({ config, secrets }: LoadedConfig, pipes: Pipes, log: Log): Promise<void> {
  const ended = ending(pipes);
  const { serveLocal } = await loadStdio();
  const system = new StartingSystem();
  const instance = crypto.randomUUID();
  await prepareDataFolder(config.dataDir);
  const close = serveLocal(
    pipes,
    {
      system,
      registry: tools,
      log,
      calls: new ToolCalls(system, log),
      pathRedaction: new PathRedaction(config),
    },
    config.tools,
  );
  const { startCairn } = await import("../../actors/index.ts");
  const opened = startCairn({
    ...startOptions({ config, secrets }, log),
    prepareBrowser: true,
    starting: (what) => system.starting(what),
  }).then(async (cairn) => {
    system.fill(cairn);
    await writePidFile(config.dataDir, { pid: process.pid, command: "mcp", instance, url: null });
  });
  try {
    log.info("serving over standard input and output", { data: config.dataDir });
    // If Cairn cannot start in this process, the connection to the client is closed, and the reason is printed on
    // standard error.
    await Promise.race([ended, opened.then(() => ended)]);
    const late = new Promise<void>((resolve) => setTimeout(resolve, gatewayLimits.drain).unref());
    await Promise.race([opened, late]);
  } finally {
    await close();
    await system.empty()?.stop();
    await removePidFile(config.dataDir, instance);
  }
}

export const mcp: Command = {
  usage: "[--url <gateway>]",
  description:
    "For clients that start their servers themselves, such as Claude Desktop. Uses the gateway that serves the data\n" +
    "folder when one runs, else works in this process. Ends with its input. Everything said goes to stderr.\n" +
    "CAIRN_TOOLS chooses the tools that are listed; without it, over a gateway, the gateway's setting.",
  options: { url: { type: "string", value: "gateway", description: "use the gateway at this URL" } },
  async run(context) {
    atMost(context, 0);
    const loaded = loadConfig(context.env);
    const { config, secrets, warnings } = loaded;
    const log = createLog(
      config,
      process.stderr,
      Object.values(secrets).map(({ value }) => value),
    );
    for (const warning of warnings) log.warn(warning);
    const pipes = { input: process.stdin, output: process.stdout };
    const url = gatewayUrl(context) ?? (await findGateway(config.dataDir))?.url;
    if (url === undefined) await runHere(loaded, pipes, log);
    else {
      const tools = context.env.CAIRN_TOOLS === undefined ? undefined : config.tools;
      await runThere({ url, apiKey: ownKey(config), tools }, pipes, log);
    }
    return ExitCode.done;
  },
};
