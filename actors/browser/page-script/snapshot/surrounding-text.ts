/**
 * In the page: the words around an element, by which it is told from others like it, without what comes and goes there by
 * itself.
 *
 * Sent as its own source. Neighbour: `describer.ts` says how far they reach.
 */
export interface SurroundingText {
  /** With a blank at the edge of each element: where nothing stands between two of them their words are not one. */
  textOf(element: Element): string;
  /** Without numbers that tick. */
  withoutTicking(words: readonly string[]): readonly string[];
}

/** What is said in these comes and goes by itself, and names nothing. */
const LIVE =
  "script,style,template,output,progress,meter,[aria-live]:not([aria-live=off])," +
  "[role=timer],[role=status],[role=alert],[role=log],[role=progressbar],[role=meter],[role=tooltip]";
/** Of a form this is what is filled in; of a row it may be what tells it from others. */
const EDITED = "[contenteditable]:not([contenteditable=false]),[role=textbox]";
const FORMS = "form,fieldset,dialog,[role=dialog],[role=form]";
/** What is left of a time, or done of a task. */
const TICKING =
  /\d+(?:[.,]\d+)*\s?(?:%|s|secs?|seconds?|sekunden?|secondes?|segundos?|secondi|секунд\p{L}*|秒)(?![\p{L}\p{N}])/giu;

const textOf = (element: Element): string => {
  const passes = element.matches(FORMS) ? `${LIVE},${EDITED}` : LIVE;
  const live = element.querySelector(passes) !== null;
  const show = NodeFilter.SHOW_TEXT | (live ? NodeFilter.SHOW_ELEMENT : 0);
  const filter = (node: Node): number => {
    if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
    const passed = node instanceof Element && node.matches(passes);
    return passed ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  };
  const walk = document.createTreeWalker(element, show, live ? filter : null);
  let text = "";
  while (walk.nextNode()) text += `${walk.currentNode.nodeValue ?? ""} `;
  return text;
};

const resting = (words: readonly string[]): readonly string[] =>
  words.join(" ").replace(TICKING, "#").split(" ");

export const surroundingText: SurroundingText = { textOf, withoutTicking: resting };
