/**
 * Collects the text around an element that distinguishes it from similar elements. Texts that change by
 * themselves are left out.
 */

/**
 * Selector of lists that open at a field or button. The text of such a list is on the page only while the
 * list is open.
 */
export const POPUP_LIST = "[role=listbox],[role=menu]";
/**
 * Selector of parts whose text changes by itself, or that appear and disappear. Such a text does not identify
 * an element.
 */
const LIVE_REGION =
  `${POPUP_LIST},script,style,template,output,progress,meter,[aria-live]:not([aria-live=off]),` +
  "[role=timer],[role=status],[role=alert],[role=log],[role=progressbar],[role=meter],[role=tooltip]";
/**
 * Selector of editable text. In a form, editable text is user input and identifies nothing. In a table, it
 * may identify a row.
 */
const EDITABLE = "[contenteditable]:not([contenteditable=false]),[role=textbox]";
/** Selector of containers in which editable text is what the user has typed. */
const FORM = "form,fieldset,dialog,[role=dialog],[role=form]";
/** Matches a remaining time, such as "5 s", or a progress in per cent. */
const COUNTER =
  /\d+(?:[.,]\d+)*\s?(?:%|s|secs?|seconds?|sekunden?|secondes?|segundos?|secondi|секунд\p{L}*|秒)(?![\p{L}\p{N}])/giu;

/**
 * Returns the text of an element, with a space between the texts of adjacent elements even when the markup
 * has none.
 */
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

/** Replaces numbers that change by themselves by `#`: remaining times ("5 minutes left") and percentages. */
export const withoutTicking = (words: readonly string[]): readonly string[] =>
  words.join(" ").replace(COUNTER, "#").split(" ");
