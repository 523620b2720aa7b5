/** Finds the TCP connections of a process in Linux's `/proc`, so that a test can wait for a connection. */
import { readdir, readFile, readlink } from "node:fs/promises";

/** The state of an established connection in `/proc/<pid>/net/tcp`. */
const ESTABLISHED = "01";

/**
 * Resolves as soon as the process has a connection to this port of 127.0.0.1. The connection also counts if the
 * server's process is stopped, because the kernel has accepted it.
 */
export async function untilConnected(pid: number, port: number): Promise<void> {
  while (!(await isConnected(pid, port))) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function isConnected(pid: number, port: number): Promise<boolean> {
  // /proc contains the bytes of an address in the byte order of this machine, and its port in hexadecimal digits.
  const server = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const folder = `/proc/${pid}/fd`;
  const files = await Promise.all(
    (await readdir(folder)).map((file) =>
      // The error is ignored: the process has closed the file in the meantime.
      readlink(`${folder}/${file}`).catch(() => ""),
    ),
  );
  const sockets = new Set(files.flatMap((file) => /^socket:\[(\d+)\]$/.exec(file)?.[1] ?? []));
  const [, ...lines] = (await readFile(`/proc/${pid}/net/tcp`, "utf8")).trim().split("\n");
  return lines.some((line) => {
    const [, , remote, state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return remote === server && state === ESTABLISHED && sockets.has(inode);
  });
}
