/**
 * A process and its descendants, read from `/proc` (Linux only). Chaos tests kill them, and benches sum up
 * their CPU time and memory.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

/** Ticks per second in `/proc/<pid>/stat` (USER_HZ). The value is 100 on every Linux on which Bun runs. */
const TICKS = 100;

export interface TreeUsage {
  /** CPU time in seconds (user and system) of the running processes and of their ended children. */
  readonly cpuSeconds: number;
  /** CPU time in seconds (user and system) of each running process, by pid. */
  readonly cpuByProcess: ReadonlyMap<number, number>;
  /**
   * Sum of the resident memory of all processes, in bytes. Memory that two processes share is counted twice.
   */
  readonly rss: number;
}

/** Returns the process and its descendants. Each process comes after its parent. */
export function processTree(root: number): readonly number[] {
  requireProc();
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    const stat = /^\d+$/.test(entry) ? statFields(Number(entry)) : undefined;
    if (!stat) continue;
    const parent = Number(stat[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/**
 * Sends SIGKILL to a process and all its descendants. All of them are stopped first, because a running process
 * could create a further child after the list of processes was read. Such a child would lose its parent, and no
 * later list would contain it.
 */
export function killTree(root: number): void {
  const stopped = new Set<number>();
  for (;;) {
    const running = processTree(root).filter((pid) => !stopped.has(pid));
    if (running.length === 0) break;
    for (const pid of running) {
      signal(pid, "SIGSTOP");
      stopped.add(pid);
    }
  }
  for (const pid of stopped) signal(pid, "SIGKILL");
}

function signal(pid: number, name: "SIGSTOP" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The error ESRCH means that the process has already ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

export function usageOf(root: number): TreeUsage {
  let ticks = 0;
  let rss = 0;
  const cpuByProcess = new Map<number, number>();
  for (const pid of processTree(root)) {
    const stat = statFields(pid);
    if (!stat) continue;
    // Positions of fields in `/proc/<pid>/stat`: utime, stime, cutime, cstime and rss (in pages). proc(5)
    // counts positions from 1, starting with pid and comm.
    ticks += Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14]);
    cpuByProcess.set(pid, (Number(stat[11]) + Number(stat[12])) / TICKS);
    rss += residentBytes(pid);
  }
  return { cpuSeconds: ticks / TICKS, cpuByProcess, rss };
}

/**
 * Returns the fields of `/proc/<pid>/stat` after the name of the command. Field 0 is the state of the
 * process, and field 1 the pid of its parent.
 */
function statFields(pid: number): readonly string[] | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? "")?.[1];
  return Number(kilobytes ?? 0) * 1_024;
}

/**
 * Reads a file of a process below `/proc`. Returns `undefined` if the process has ended since it was listed.
 */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined;
    throw error;
  }
}

function requireProc(): void {
  if (!existsSync("/proc/self/stat")) {
    throw new Error("Measuring and killing whole process trees needs Linux's /proc; run this on Linux.");
  }
}

/**
 * Returns a line for each thread of a process: name, state (R, S, D), kernel wait channel, and CPU time in
 * ticks.
 */
export async function threadsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  return await Promise.all(
    threads.map(async (thread) => {
      const read = (file: string) => readFile(`${folder}/${thread}/${file}`, "utf8").catch(() => "");
      const [stat, waits] = [await read("stat"), await read("wchan")];
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      return `thread ${thread} ${name}: ${fields[0]} in ${waits}, ${Number(fields[11]) + Number(fields[12])} ticks`;
    }),
  );
}
