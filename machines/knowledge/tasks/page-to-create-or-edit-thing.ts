/**
 * Recognises the page on which a thing is created or edited, by its name or its address: "New account" and
 * `/accounts/add` for "add a bookkeeping account", `/category/{n}/edit` for "rename a category".
 */

import { addressWords, operationOfName, stemsOf, taskWords } from "../screens/operation-and-thing-of-task.ts";
import { pressesOfStateName, stateOfId } from "../screens/page-states-to-map-instances.ts";
import { requestedWords } from "../screens/screen-name-index.ts";
import { meantBy } from "../screens/subject-words-of-question.ts";

export interface NamedPage {
  readonly screen_id: string;
  readonly name: string;
  readonly url: string;
}

export interface OperationTarget {
  /** Texts for a search of pages by name: "new category", "add category". */
  readonly texts: readonly string[];
  isPage(page: NamedPage): boolean;
  /**
   * Share (0 to 1) of the words in a target (words for a screen) that state the operation and the thing: 1 for
   * "rename category".
   */
  readonly share: number;
}

/**
 * Verbs in the names and addresses of pages that create or edit a thing. A name or an address starts or ends
 * with the verb.
 */
const VERBS = { create: ["new", "add", "create"], edit: ["edit", "change"] } as const;

/**
 * Returns the operation of a target (words for a screen) such as "rename a category"; `undefined` for other targets.
 */
export function operationTarget(target: string): OperationTarget | undefined {
  const meant = meantBy(target);
  const { operation, head } = taskWords(meant);
  if (head === undefined || (operation !== "create" && operation !== "edit")) return undefined;
  return {
    texts: VERBS[operation].map((verb) => `${verb} ${head}`),
    isPage: ({ screen_id, name, url }) => {
      const pressed = stateOfId(screen_id) === undefined ? undefined : pressesOfStateName(name).at(-1);
      const { last, isObject, operation: ofAddress } = addressWords(url);
      const isOfAddress = pressed === undefined && !isObject;
      const own = operationOfName(pressed ?? name) ?? (isOfAddress ? ofAddress : undefined);
      return own === operation && [...stemsOf(pressed ?? name), ...(isOfAddress ? last : [])].includes(head);
    },
    share: 2 / Math.max(2, requestedWords(meant).size),
  };
}
