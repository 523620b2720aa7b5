/** Finds the JSON of an answer, which models put between fences or sentences. */

/** `undefined` when the text has no JSON. */
export function answerJson(text: string): unknown {
  const fenced = /```(?:json)?\s*\n(.*?)```/s.exec(text)?.[1];
  const enclosed = [between(text, "{", "}"), between(text, "[", "]")] as const;
  // The outer one of an object in a list, or a list in an object, begins first.
  const [object, list] = [text.indexOf("{"), text.indexOf("[")];
  const isListFirst = list >= 0 && (object < 0 || list < object);
  for (const part of [text, fenced, ...(isListFirst ? enclosed.toReversed() : enclosed)]) {
    if (part === undefined) continue;
    try {
      return JSON.parse(part);
    } catch {
      // Not this part: the next one may be JSON.
    }
  }
  return undefined;
}

function between(text: string, open: string, close: string): string | undefined {
  const [from, to] = [text.indexOf(open), text.lastIndexOf(close)];
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined;
}
