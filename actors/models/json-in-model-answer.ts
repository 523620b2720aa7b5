/** Finds the JSON in an answer of a model. Models often put it between code fences or sentences. */

/** Returns the JSON in a text, or `undefined` when the text contains none. */
export function answerJson(text: string): unknown {
  const fenced = /```(?:json)?\s*\n(.*?)```/s.exec(text)?.[1];
  const enclosed = [between(text, "{", "}"), between(text, "[", "]")] as const;
  // An object may contain lists, and a list may contain objects. The first bracket belongs to the outer
  // value, so the value that starts there is tried first.
  const [object, list] = [text.indexOf("{"), text.indexOf("[")];
  const isListFirst = list >= 0 && (object < 0 || list < object);
  for (const part of [text, fenced, ...(isListFirst ? enclosed.toReversed() : enclosed)]) {
    if (part === undefined) continue;
    try {
      return JSON.parse(part);
    } catch {
      // The error is ignored: this part of the text is not JSON, so the next part that may be JSON is tried.
    }
  }
  return undefined;
}

function between(text: string, open: string, close: string): string | undefined {
  const [from, to] = [text.indexOf(open), text.lastIndexOf(close)];
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined;
}
