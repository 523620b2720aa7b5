/**
 * Reads the data of a stream of server-sent events (WHATWG HTML, 9.2.6). Other fields of an event are
 * skipped, because MCP does not use them.
 */

/** Yields the data of each event in order. Events without data are skipped. */
export async function* eventData(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      if (line !== "") continue;
      const whole = data.join("\n");
      data = [];
      if (whole !== "") yield whole;
    }
  }
}
