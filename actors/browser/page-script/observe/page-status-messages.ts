/**
 * Reads the messages by which a page reports the result of an action, such as "Saved" or "The password is
 * wrong". Pages mark these messages by ARIA roles or by the classes of common frameworks.
 */
import { registry } from "../page-script-document-state.ts";
import { deepElements, isSeen, OPAQUE, shorten } from "../shadow-dom.ts";

export interface PageMessage {
  readonly text: string;
  /** Whether a CSS class of the message's element marks the message as an error. */
  readonly isError: boolean;
  /** Whether a class of the message says that it reports a success. */
  readonly isSuccess: boolean;
  /**
   * Whether the message is announced politely, such as by the role `status`, and nothing marks it as an error. It
   * mostly reports a success, but it may also be neutral ("Saving…") or count errors ("2 fields are wrong").
   */
  readonly isPolite: boolean;
  /** Whether the message is urgent: it is an error, or its role or class marks it as an alert. */
  readonly isAlert: boolean;
}

/** The title and the messages of a document. */
export interface TitleAndMessages {
  readonly title: string;
  readonly messages: readonly PageMessage[];
  /** The HTTP status of the document, if it reports an error: 400 or higher. */
  readonly errorStatus?: number;
}

export interface PageMessages {
  readWithTitle(): TitleAndMessages;
  /** Returns the visible messages of the document, from top to bottom. */
  read(): readonly PageMessage[];
}

const MESSAGE_ROLE = "[role=alert],[role=status],[aria-live=assertive],[aria-live=polite]";
const ALERT = "[role=alert],[aria-live=assertive],.alert";
/**
 * Matches class names of messages: `alert` (Bootstrap, Halfmoon), `callout` (Foundation), `notification`
 * (Bulma), `messagelist` and `errorlist` (Django), `flash` (Rails, Flask), `invalid-feedback` (Bootstrap).
 */
const MESSAGE_CLASS =
  /(?:^|[\s_-])(?:alerts?|callout|flash(?:es)?|notices?|notifications?|toasts?|messagelist|errorlist|errornote|errors?|invalid[-_]feedback)(?=$|[\s_-])/i;
/**
 * Matches a `class` attribute that contains `message` and a class for the kind of message. An example is `ui
 * negative message` of Semantic UI.
 */
const TONED_MESSAGE =
  /^(?=.*\bmessages?\b)(?=.*\b(?:is-|alert-)?(?:error|danger|negative|warning|success|positive|info)\b)/i;
const ERROR_CLASS =
  /(?:^|[\s_-])(?:errors?|errorlist|errornote|danger|negative|invalid|fail(?:ed|ure)?)(?=$|[\s_-])/i;
/**
 * Matches class names of messages of success: Bootstrap, Django, Semantic UI, and WordPress, whose message
 * "Settings saved" also has the class `settings-error`.
 */
const SUCCESS_CLASS = /(?:^|[\s_-])(?:success|successful|positive|updated)(?=$|[\s_-])/i;
/**
 * Selector of messages that are announced politely. Alerts are left out, because an alert with `aria-live=polite` may
 * report a failure (the notices of Keystar UI).
 */
const POLITE_ROLE = "[role=status],[aria-live=polite]:not([role=alert])";
/** Selector of icons with a name. An icon may be the only part of an alert that says what kind of message it is. */
const NAMED_ICON = "[role=img][aria-label],img[alt]";
/** Matches the names of icons of error messages, such as "Error" in React Spectrum and Atlassian's design system. */
const ERROR_ICON = /^(?:error|danger|critical|failure)(?: icon)?$/i;
/** Selector of elements inside of a message that are not part of its text, such as buttons and icons. */
const SILENT = "button,[role=button],script,style,template,svg,[aria-hidden=true]";
/** Selector of controls and menus, whose text is not a message. */
const CONTROL = "a[href],button,[role=button],[role=menu],nav";
/** Selector of fields. An element that contains a field is a part of the page and not a message. */
const FIELD = "input:not([type=hidden]),select,textarea,form";
/** Maximum number of characters of a message. A longer text is content of the page. */
const MESSAGE_LENGTH = 300;
/** Minimum number of letters of a message. A shorter text is a mark, such as the `*` of a required field. */
const MESSAGE_LETTERS = 3;
/** Maximum number of page messages that are returned at once. */
const MESSAGES = 5;

const classOf = (element: Element): string => element.getAttribute("class") ?? "";

const isMarked = (element: Element): boolean => {
  const names = classOf(element);
  return MESSAGE_CLASS.test(names) || TONED_MESSAGE.test(names) || element.matches(MESSAGE_ROLE);
};

const hasClass = (element: Element, pattern: RegExp): boolean =>
  pattern.test(classOf(element)) ||
  [...element.querySelectorAll("[class]")].some((inner) => pattern.test(classOf(inner)));

const hasErrorIcon = (element: Element): boolean =>
  [...element.querySelectorAll(NAMED_ICON)].some((icon) =>
    ERROR_ICON.test((icon.getAttribute("aria-label") ?? icon.getAttribute("alt") ?? "").trim()),
  );

const isError = (element: Element): boolean =>
  !SUCCESS_CLASS.test(classOf(element)) && (hasClass(element, ERROR_CLASS) || hasErrorIcon(element));

/**
 * Returns the visible text of a message. The same element may also contain hidden texts for other results.
 */
const textOf = (element: Element): string => {
  const filter = (node: Node): number => {
    if (node instanceof Element && (node.matches(SILENT) || !node.checkVisibility(OPAQUE)))
      return NodeFilter.FILTER_REJECT;
    return node instanceof Text ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
  };
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, filter);
  let text = "";
  while (walk.nextNode()) text += `${walk.currentNode.nodeValue ?? ""} `;
  return text.replace(/\s+/g, " ").trim();
};

export const pageMessages: PageMessages = {
  readWithTitle() {
    const [navigation] = performance.getEntriesByType("navigation");
    const status = navigation instanceof PerformanceNavigationTiming ? navigation.responseStatus : 0;
    const error = status >= 400 ? { errorStatus: status } : {};
    return { title: document.title, messages: pageMessages.read(), ...error };
  },
  read() {
    const found: PageMessage[] = [];
    const read = new WeakSet<Element>();
    const texts = new Set<string>();
    for (const element of deepElements(document)) {
      if (found.length >= MESSAGES) break;
      const parent = registry.parentOf(element);
      if (parent && read.has(parent)) {
        read.add(element);
        continue;
      }
      if (!isMarked(element) || element.matches(FIELD) || !isSeen(element)) continue;
      if (element.querySelector(FIELD) !== null || element.closest(CONTROL) !== null) continue;
      const text = textOf(element);
      const letters = text.match(/\p{L}/gu)?.length ?? 0;
      if (letters < MESSAGE_LETTERS || text.length > MESSAGE_LENGTH) continue;
      read.add(element);
      if (texts.has(text)) continue;
      texts.add(text);
      const wrong = isError(element);
      const isAlert = wrong || element.matches(ALERT);
      const isSuccess = !wrong && hasClass(element, SUCCESS_CLASS);
      const isPolite = !wrong && element.matches(POLITE_ROLE);
      found.push({ text: shorten(text, MESSAGE_LENGTH), isError: wrong, isSuccess, isPolite, isAlert });
    }
    return found;
  },
};
