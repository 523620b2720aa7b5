/** Formats console messages and network requests as lines for a language model. */
import { fieldLine } from "../../text-lines-for-language-model.ts";
import type { ConsoleLog, NetworkEntry, NetworkLog } from "./console-and-network-log-schemas.ts";

interface Rest {
  readonly next_since: number;
  readonly left_out: number;
}

const endLine = ({ next_since, left_out }: Rest): string =>
  `next_since ${next_since}${left_out > 0 ? `, ${left_out} older ones left out` : ""}`;

export function consoleText(log: ConsoleLog): string {
  const lines = log.messages.map(({ seq, level, source, text, url, line }) => {
    const place = url === undefined ? "" : ` (${url}${line === undefined ? "" : `:${line}`})`;
    return `${seq} ${level}${source === "console" ? "" : ` ${source}`}: ${text}${place}`;
  });
  return [...(lines.length === 0 ? ["No messages."] : lines), endLine(log)].join("\n");
}

function requestLine(entry: NetworkEntry): string {
  const { seq, method, url, type, state, status, bytes, ms, error, code, request_headers, response_headers } =
    entry;
  return [
    `${seq} ${method} ${status ?? state} ${url} ${type}`,
    ...(ms === undefined ? [] : [`${Math.round(ms)} ms`]),
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
    ...(error === undefined ? [] : [error]),
    ...(code === undefined ? [] : [code]),
    ...(request_headers === undefined ? [] : [fieldLine("request headers", request_headers)]),
    ...(response_headers === undefined ? [] : [fieldLine("response headers", response_headers)]),
  ].join(", ");
}

export function networkText(log: NetworkLog): string {
  const lines = log.requests.map(requestLine);
  return [...(lines.length === 0 ? ["No requests."] : lines), `${endLine(log)}, ${log.pending} pending`].join(
    "\n",
  );
}
