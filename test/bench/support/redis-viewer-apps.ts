/**
 * Third-party applications that show the content of a Redis server. Each starts a redis-server of its own with
 * the same content.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ForeignApp } from "./third-party-apps-from-packages.ts";

/** Returns a script that starts the application and a redis-server on another port, and ends both together. */
const startRedis = (port: number) => `
import { spawn } from "node:child_process";
import { connect } from "node:net";
const server = spawn("redis-server", ["--port", "${port + 1_000}", "--save", "", "--bind", "127.0.0.1"], { stdio: "ignore" });
const children = [server];
const stop = () => { for (const child of children) child.kill(); process.exit(0); };
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
const isReady = () => new Promise((resolve) => connect(${port + 1_000}, "127.0.0.1").once("connect", function () { this.end(); resolve(true); }).once("error", () => resolve(false)));
while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
`;

const KEYS = `
const socket = connect(PORT, "127.0.0.1");
for (const line of ["SET greeting hello", "HSET profile name ada city london", "RPUSH tasks write test", "SADD tags red green", "ZADD scores 1 ada 2 bert"]) socket.write(line + "\\r\\n");
socket.end();
`;

const JOBS = `
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { ExpressAdapter } from "@bull-board/express";
import { Queue, Worker } from "bullmq";
import express from "express";
const connection = { host: "127.0.0.1", port: PORT };
const queues = ["mail", "reports"].map((name) => new Queue(name, { connection }));
for (const queue of queues) {
  await queue.addBulk(["first", "second", "broken"].map((name) => ({ name, data: { name } })));
  await queue.add("later", {}, { delay: 86400000 });
  const worker = new Worker(queue.name, async (job) => { await job.log("started"); if (job.name === "broken") throw new Error("It broke."); }, { connection });
  await new Promise((resolve) => worker.once("drained", resolve));
  await worker.close();
  await queue.add("waits", {});
}
const serverAdapter = new ExpressAdapter();
createBullBoard({ queues: queues.map((queue) => new BullMQAdapter(queue)), serverAdapter });
express().use("/", serverAdapter.getRouter()).listen(WEB, "127.0.0.1");
`;

export const redisApps: readonly ForeignApp[] = [
  {
    name: "redis-commander",
    from: "npm",
    packages: ["redis-commander@0.9.0"],
    path: "/",
    screens: {
      home: /^redis commander/i,
      commands: /commands/i,
      "more menu": /more/i,
      import: /import/i,
      export: /export/i,
      "add server": /add.?server/i,
      "string key": /greeting/i,
      "hash key": /profile/i,
      "list key": /tasks/i,
      "set key": /tags/i,
      "sorted set key": /scores/i,
      "new key": /new.?key/i,
      "new field": /new.?field/i,
    },
    async command(folder, port) {
      const script = join(folder, "start.mjs");
      const app = `children.push(spawn(process.execPath, ["node_modules/redis-commander/bin/redis-commander.js", "--port", "${port}", "--address", "127.0.0.1", "--redis-port", "${port + 1_000}", "--noload", "--nosave"], { stdio: "ignore" }));`;
      await writeFile(script, startRedis(port) + KEYS.replaceAll("PORT", String(port + 1_000)) + app);
      return ["node", script];
    },
  },
  {
    name: "bull-board",
    from: "npm",
    packages: ["@bull-board/express@6", "@bull-board/api@6", "bullmq@5", "express@4"],
    path: "/",
    screens: {
      overview: /^https?:\/\/[^/]+\/$/,
      queue: /queue\/mail/,
      completed: /status=completed/,
      failed: /status=failed/,
      delayed: /status=delayed/,
      waiting: /status=waiting/,
      job: /queue\/mail\/\d+/,
      "job options": /options/i,
      "job logs": /logs/i,
      "job error": /error/i,
      settings: /settings/i,
      "redis details": /redis|details/i,
      "queue actions": /actions|ellipsis|more|menu/i,
      "new job": /add.?job/i,
    },
    async command(folder, port) {
      const script = join(folder, "start.mjs");
      const app = JOBS.replaceAll("PORT", String(port + 1_000)).replaceAll("WEB", String(port));
      await writeFile(script, startRedis(port) + app);
      return ["node", script];
    },
  },
];
