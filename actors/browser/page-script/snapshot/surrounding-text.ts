/** Text around an element that tells it from others of its kind, without parts that change by themselves. */

/** Live regions: their text changes by itself and identifies nothing. */
const LIVE_REGION =
  "script,style,template,output,progress,meter,[aria-live]:not([aria-live=off])," +
  "[role=timer],[role=status],[role=alert],[role=log],[role=progressbar],[role=meter],[role=tooltip]";
/** Editable text is user input in a form, but may identify a row of a table. */
const EDITABLE = "[contenteditable]:not([contenteditable=false]),[role=textbox]";
/** Containers in which editable text is input. */
const FORM = "form,fieldset,dialog,[role=dialog],[role=form]";
/** Remaining time, or progress in percent. */
const COUNTER =
  /\d+(?:[.,]\d+)*\s?(?:%|s|secs?|seconds?|sekunden?|secondes?|segundos?|secondi|секунд\p{L}*|秒)(?![\p{L}\p{N}])/giu;

/** Words of adjacent elements are separated by a space, even where the markup has none. */
export const textOf = (element: Element): string => {
  const passes = element.matches(FORM) ? `${LIVE_REGION},${EDITABLE}` : LIVE_REGION;
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

/** Replaces countdowns and percentages. */
export const withoutTicking = (words: readonly string[]): readonly string[] =>
  words.join(" ").replace(COUNTER, "#").split(" ");
