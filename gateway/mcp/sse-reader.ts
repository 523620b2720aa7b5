/** Reads the data of a stream of server-sent events (WHATWG HTML, 9.2.6). MCP uses nothing else of them. */

/** The data of each event that has data, in order. */
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
