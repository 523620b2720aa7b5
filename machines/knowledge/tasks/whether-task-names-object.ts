/**
 * Checks whether a task that edits or removes a thing says which object it means. "Edit the voucher" names none, so
 * it must not edit the only voucher page that the map has.
 */

import { addressOf } from "../addresses/page-address-parts.ts";
import {
  isIdentifier,
  operationOfPart,
  stemOf,
  stemsOf,
  taskWords,
} from "../screens/operation-and-thing-of-task.ts";
import { parseControl } from "../screens/page-to-screen.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import { isOfPress } from "../site-map/site-functions-list.ts";
import type { FormPage, FormTask } from "./tasks-from-forms.ts";

/** What is known about the pages of a site. Addresses may be given with or without a slash at their end. */
export interface KnownPages {
  /** Returns the name of the page at an address; `undefined` if no such page is known. */
  nameOf(url: string): string | undefined;
  /** Returns the path segments that follow an address in the addresses of the known pages. */
  segmentsBelow(url: string): ReadonlySet<string>;
  /** Whether a form creates a thing of this kind. The kind is the stem of a word, such as "voucher". */
  isCreated(kind: string): boolean;
  /** The links of the known pages. They are only read for a task about something of the user, such as "my profile". */
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

/** A task for one of several objects, without a word that says which. */
export interface UnnamedObject {
  /**
   * The address of the list of the objects, such as `/orders`, or of the program that shows each object, such as
   * `/viewtopic.php`.
   */
  readonly list: string;
  /** Whether the form is on the list, and not on the page of one object. */
  readonly isOnList: boolean;
}

/** The position of an object in the address of a page, such as that of 2 in `/vouchers/2`. */
interface ObjectPosition {
  readonly list: string;
  /** The word for the objects in the address, such as `vouchers`; empty if the address has none. */
  readonly collection: string;
  readonly value: string;
  /** The segments of the address besides the object's own segment. Their words do not name the object. */
  readonly others: readonly string[];
  /** Whether an address belongs to the same object. */
  isIn(url: string): boolean;
}

/** Matches the name of a query parameter with an id: `id`, `tag_ID` and `userId`. */
const ID_PARAMETER = /(?:^|[_-])(?:id|ID|Id)$|[a-z]I[dD]$/;
/** Words by which a task means something that belongs to the user, such as "my profile", which exists once. */
const OWN = new Set(["my", "our"]);

/** Whether a task is about something that belongs to the user, such as "my profile". */
export const isAboutOwn = (target: string): boolean => wordsOf(target).some((word) => OWN.has(word));

/**
 * Returns the object that a task edits or removes without naming it. Returns `undefined` if the task names
 * the object, if the browser shows a page of the object, or if the form is on a page of no object, such as a
 * settings page.
 *
 * @param shown the address of the page that the browser shows
 */
export function unnamedObject(
  target: string,
  form: FormTask,
  page: FormPage,
  known: KnownPages,
  shown: string | undefined,
): UnnamedObject | undefined {
  const task = new TaskOfObject(target, form, known);
  if (!task.changesObject || task.isOwnPage(page.url)) return undefined;
  const positions = positionsIn(page.url, task);
  const missing = positions.find(
    (position) => !(shown !== undefined && position.isIn(shown)) && !task.names(position, page),
  );
  if (missing) return { list: missing.list, isOnList: false };
  const found = task.listOf(page);
  return found && positions.every(({ list }) => list !== found.list) ? found : undefined;
}

/**
 * Whether an address is that of an object of a list. An object is recognised by its id, as in `/vouchers/2`.
 * If the address `example` of an object of the list has a name instead of an id, an object is recognised by a
 * name too.
 */
export function isPageOfItem(url: string, list: string, example: string): boolean {
  const own = itemIn(url, list);
  if (own === undefined) return false;
  const other = itemIn(example, list);
  return isIdentifier(own) || (other !== undefined && !isIdentifier(other));
}

/**
 * Returns the id or the name of the object in an address: `17` in `/orders/17` for the list `/orders`, and
 * `4` in `/viewtopic.php?t=4` for the program `/viewtopic.php`; `undefined` if the address is not below the
 * list.
 */
function itemIn(url: string, list: string): string | undefined {
  const { segments, urlUpTo } = partsOf(url);
  const count = segments.findIndex((_, at) => urlUpTo(at + 1) === list) + 1;
  if (count === 0) return undefined;
  const below = segments.slice(count);
  if (below.length > 0) return below.find((segment) => operationOfPart(segment) === undefined);
  return (addressOf(url)?.query ?? []).find(({ value }) => /\d/.test(value))?.value;
}

/** Returns the path segments that follow the address of a list in other addresses. */
export function segmentsBelow(urls: Iterable<string>, list: string): ReadonlySet<string> {
  const start = `${list}/`;
  const found = new Set<string>();
  for (const url of urls) {
    const [segment = ""] = url.startsWith(start) ? url.slice(start.length).split(/[/?#]/) : [];
    if (segment !== "") found.add(segment);
  }
  return found;
}

/** Returns advice for an agent whose task does not name its object. */
export function howToName(target: string): string {
  return `Name the object in the target by its id or by a word of its page, such as: ${target.trim()} "NAME". Or open the page of the object in the session and ask again.`;
}

/** The words of a task, with what the map knows about the things that they name. */
class TaskOfObject {
  readonly changesObject: boolean;
  readonly #known: KnownPages;
  readonly #form: FormTask;
  readonly #written: ReadonlySet<string>;
  readonly #names: readonly string[];
  readonly #things: readonly string[];
  readonly #head: string | undefined;

  constructor(target: string, form: FormTask, known: KnownPages) {
    const { operation, names, things, head } = taskWords(target);
    this.changesObject = target !== form.task_id && (operation === "edit" || operation === "remove");
    this.#known = known;
    this.#form = form;
    this.#written = new Set(wordsOf(target));
    this.#names = names;
    this.#things = things;
    this.#head = head;
  }

  /**
   * Whether the task is about something of the user, and all links with its words lead to this page:
   * "Profile" or "My profile" for "change my profile". Links of a list would lead to several pages.
   */
  isOwnPage(url: string): boolean {
    if (![...OWN].some((word) => this.#written.has(word)) || this.#things.length === 0) return false;
    const named = this.#known.links.filter(({ text }) => {
      const words = stemsOf(text).filter((word) => !OWN.has(word));
      return words.length > 0 && words.join(" ") === this.#things.join(" ") && !this.#hasPlural(text);
    });
    const [only, other] = new Set(named.map((link) => withoutEnd(link.url)));
    if (only === undefined || other !== undefined) return false;
    return withoutEnd(url) === only || withoutEnd(url).startsWith(`${only}/`);
  }

  /** Whether a text has the plural of a word of the task, as "Profiles" for "change my profile". */
  #hasPlural(text: string): boolean {
    return wordsOf(text).some((word) => stemOf(word) !== word && !this.#written.has(word));
  }

  /** Whether a path segment or the name of a parameter is a word for the thing of the task, such as "voucher". */
  isThing(segment: string): boolean {
    return isWordFor(segment, this.#things) || stemsOf(segment).some((word) => this.#things.includes(word));
  }

  /** Whether a segment is a plural of the task's thing: the task "edit the settings" means no item of `settings`. */
  isPlural(segment: string): boolean {
    const last = wordsOf(segment).at(-1) ?? "";
    return !this.#written.has(last) && stemOf(last) !== last;
  }

  /**
   * Whether the id or name after a collection in an address belongs to one of several objects, as `17` in
   * `/orders/17` does.
   */
  isItem(collection: string, list: string, value: string, rest: readonly string[]): boolean {
    const isHead = this.#isHead(collection);
    const isOfSeveral = (): boolean => this.#itemsOf(list).length > 1;
    const isListed = (): boolean => this.#known.nameOf(list) !== undefined;
    if (!isIdentifier(value))
      return isHead && this.isPlural(collection) && isListed() && this.#isCreated(collection, list);
    if (isHead) {
      const isOwn = [...OWN].some((word) => this.#written.has(word));
      return (
        (this.isPlural(collection) && (!isOwn || isListed())) ||
        isOfSeveral() ||
        this.#isCreated(collection, list)
      );
    }
    if (this.isThing(collection)) return isListed() || isOfSeveral();
    // The address may have another word for the thing than the task, as `/users/3` for a "person". It is then
    // an item if its list is named after the thing, or if a form of the site creates such a thing.
    const isItself = rest.every((segment) => operationOfPart(segment) !== undefined);
    return isItself && (this.#hasHead(this.#known.nameOf(list) ?? "") || this.#isHeadCreated());
  }

  /** Whether a parameter contains the id of one of several objects, as in `/term.php?tag_ID=3`. */
  isItemOfProgram(name: string, value: string): boolean {
    if (!/\d/.test(value) || !(ID_PARAMETER.test(name) || this.isThing(name))) return false;
    return this.#isHeadCreated();
  }

  /**
   * Whether the task names the object: one of its words is in the object's id or in the name of the object's page.
   * Words that only name the object's kind ("invoice"), its list or the fields of its form do not count.
   */
  names({ collection, list, value, others }: ObjectPosition, page: FormPage): boolean {
    const ofKind = new Set(stemsOf([...others, this.#known.nameOf(list) ?? ""].join(" ")));
    if (this.#isHeadCreated() && this.#head !== undefined) ofKind.add(this.#head);
    const words = [...this.#names, ...this.#things].filter((word) => !ofKind.has(word));
    const ofValue = new Set(stemsOf(value));
    if (words.some((word) => ofValue.has(word))) return true;
    const ofForm = new Set([
      ...this.#form.fields.flatMap(({ label, name }) => [...stemsOf(label), ...stemsOf(name)]),
      ...stemsOf(this.#attributes().submit ?? ""),
    ]);
    // An address may join the words for the thing: `giftcards`.
    const joined = wordsOf(collection).join("");
    const ofPage = new Set(stemsOf(page.name));
    return words.some(
      (word) =>
        ofPage.has(word) && !joined.includes(word) && (this.#names.includes(word) || !ofForm.has(word)),
    );
  }

  /**
   * Returns the list of objects if the form is on such a list. Returns `undefined` if the page's name or the
   * form's address has a name from the task.
   */
  listOf({ name, url }: FormPage): UnnamedObject | undefined {
    const { segments, urlUpTo } = partsOf(url);
    const last = segments.at(-1) ?? "";
    if (!this.#isHead(last) || !this.isPlural(last)) return undefined;
    const list = urlUpTo(segments.length);
    // A form that a press shows on a list belongs to an entry of the list. So the page is a list, even if the
    // map has no page below it.
    const isPressed = isOfPress(this.#attributes());
    if (!isPressed && this.#itemsOf(list).length === 0 && !this.#isCreated(last, list)) return undefined;
    const sentTo = URL.parse(this.#attributes().action ?? "", url);
    const ids = sentTo
      ? [...partsOf(sentTo.href).segments, ...sentTo.searchParams.values()].filter(isIdentifier)
      : [];
    const ofObject = new Set(stemsOf([name, ...ids].join(" ")));
    const ofKind = stemsOf(last);
    const isNamed = this.#names.some((word) => ofObject.has(word) && !ofKind.includes(word));
    return isNamed ? undefined : { list, isOnList: true };
  }

  #attributes(): Readonly<Record<string, string>> {
    return parseControl(this.#form.submit.target)?.attributes ?? {};
  }

  #isHead(segment: string): boolean {
    const head = this.#head;
    if (head === undefined) return false;
    return stemsOf(segment).includes(head) || isWordFor(segment, this.#things);
  }

  #hasHead(name: string): boolean {
    return this.#head !== undefined && stemsOf(name).includes(this.#head);
  }

  #isHeadCreated(): boolean {
    return this.#head !== undefined && this.#known.isCreated(this.#head);
  }

  #itemsOf(list: string): readonly string[] {
    return [...this.#known.segmentsBelow(list)].filter(isIdentifier);
  }

  #isCreated(collection: string, list: string): boolean {
    const below = [...this.#known.segmentsBelow(list)];
    return (
      below.some((segment) => operationOfPart(segment) === "create") ||
      stemsOf(collection).some((word) => this.#known.isCreated(word))
    );
  }
}

/** Whether a segment consists of all words for a thing, as `giftcards` does for "gift card". */
function isWordFor(segment: string, things: readonly string[]): boolean {
  return things.length > 0 && stemOf(wordsOf(segment).join("")) === things.join("");
}

/** Returns the positions in an address at which there is an object that the task must name. */
function positionsIn(url: string, task: TaskOfObject): readonly ObjectPosition[] {
  const { segments, urlUpTo, pathname } = partsOf(url);
  const ofPath = segments.flatMap((value, at): readonly ObjectPosition[] => {
    if (operationOfPart(value) !== undefined) return [];
    // An operation may stand between the word for the objects and the id: `/adverts/edit/1`.
    const before = operationOfPart(segments[at - 1] ?? "") === undefined ? at - 1 : at - 2;
    const collection = segments[before] ?? "";
    const list = urlUpTo(before + 1);
    if (before < 0 || !task.isItem(collection, list, value, segments.slice(at + 1))) return [];
    const isIn = (other: string): boolean => {
      const { segments: own } = partsOf(other);
      const isSame = segments.slice(0, before + 1).every((segment, place) => own[place] === segment);
      return isSame && own.slice(before + 1).includes(value) && sameOrigin(url, other);
    };
    const others = segments.filter((_, place) => place !== at);
    return [{ list, collection, value, others, isIn }];
  });
  const ofQuery = (addressOf(url)?.query ?? []).flatMap(({ name, value }): readonly ObjectPosition[] => {
    if (!task.isItemOfProgram(name, value)) return [];
    const isIn = (other: string): boolean =>
      sameOrigin(url, other) &&
      partsOf(other).pathname === pathname &&
      (addressOf(other)?.query ?? []).some((own) => own.name === name && own.value === value);
    return [{ list: urlUpTo(segments.length), collection: "", value, others: segments, isIn }];
  });
  return [...ofPath, ...ofQuery];
}

const sameOrigin = (one: string, other: string): boolean =>
  URL.parse(one)?.origin === URL.parse(other)?.origin;

/** Returns an address without its query, its fragment and the slash at its end. */
const withoutEnd = (url: string): string => url.replace(/[?#].*$/u, "").replace(/\/$/u, "");

interface AddressParts {
  readonly segments: readonly string[];
  readonly pathname: string;
  /** Returns the beginning of the address with the first `count` segments, without a slash at its end. */
  urlUpTo(count: number): string;
}

/** Splits an address, or its client-side route after `#`, into its segments. */
function partsOf(url: string): AddressParts {
  const parsed = URL.parse(url);
  if (!parsed) return { segments: [], pathname: "", urlUpTo: () => url };
  const route = /^#!?(\/[^?]*)/.exec(parsed.hash);
  const path = route?.[1] ?? parsed.pathname;
  const base = route ? `${parsed.origin}${parsed.pathname}#` : parsed.origin;
  const segments = path.split("/").filter((segment) => segment !== "");
  return {
    segments,
    pathname: path,
    urlUpTo: (count) => [base, ...segments.slice(0, count)].join("/"),
  };
}
