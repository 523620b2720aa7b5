/**
 * Types for the description of a fixture application. Its server, its pages, its log of requests and the
 * truth about its screens are all derived from one value of `AppDescription`.
 */

export interface AppDescription {
  readonly name: string;
  readonly title: string;
  /**
   * `server`: the server sends complete pages. `client`: the server sends an empty page, and a script fills
   * and changes it.
   */
  readonly rendering: "server" | "client";
  /** Id of the screen with the path `/`. */
  readonly start: string;
  /** Maps the names of users to their passwords. */
  readonly users?: Readonly<Record<string, string>>;
  readonly collections: Readonly<Record<string, Collection>>;
  /** Actions that every page offers, such as the entries of a menu. */
  readonly navigation: readonly AppAction[];
  readonly screens: readonly AppScreen[];
}

/**
 * The records of a fixture application. Each field has a list of values, and record `n` has the `n`th value.
 * A list with fewer values than records is repeated.
 */
export interface Collection {
  /**
   * The parameter of addresses that contains the number of a record, such as `order` in `/orders/{order}`.
   */
  readonly parameter: string;
  /**
   * The word for one record. The name of a record consists of this word and its number, such as `Order` in
   * "Order 7".
   */
  readonly label: string;
  readonly count: number;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export interface AppScreen {
  readonly id: string;
  /** The heading of the screen. `{parameter}` in it stands for the value of a parameter. */
  readonly heading: string;
  readonly place: Place;
  /** Whether only signed-in users see the screen. Other users see the screen `sign-in` instead. */
  readonly signedIn?: boolean;
  readonly parts: readonly Part[];
  readonly actions?: readonly AppAction[];
}

/**
 * Where a screen is shown: as a page with its own address, or as a tab, step or dialog at the address of
 * another screen.
 */
export type Place =
  | { readonly kind: "page"; readonly path: string; readonly tab?: string }
  /**
   * `tab`: a view that replaces the content of the page `over`. `label` is the text on the button of the tab.
   */
  | { readonly kind: "tab"; readonly over: string; readonly label: string }
  | { readonly kind: "step"; readonly over: string }
  | { readonly kind: "dialog"; readonly over: string };

export interface AppAction {
  readonly id: string;
  readonly label: string;
  /** Id of the screen to which the action leads. */
  readonly to: string;
  /**
   * How the action is performed: by a link, by a button, or by the button of the screen's form (`submit`).
   */
  readonly by: "link" | "press" | "submit";
  /**
   * True if the label sounds like a change of data, although the control only opens a view. A careful
   * exploration does not press such a control.
   */
  readonly risky?: boolean;
  /** The change of data on the server that the action causes, if any. Such an action sends a POST request. */
  readonly effect?: Effect;
  /** Present if only signed-in users see the action, or only those who are not signed in. */
  readonly only?: "signed-in" | "signed-out";
}

export interface DataEffect {
  readonly kind: "create" | "update" | "remove";
  readonly collection: string;
}

export type Effect = DataEffect | { readonly kind: "sign-in" | "sign-out" };

export type Part =
  | { readonly kind: "text"; readonly text: string }
  /**
   * A table of records. Each row has a link or button to the screen `to`. A page of the table has `size`
   * rows.
   */
  | {
      readonly kind: "table";
      readonly collection: string;
      readonly size: number;
      readonly to: string;
      readonly sortable?: boolean;
    }
  /** Cards of records. More cards are loaded while the user scrolls. */
  | {
      readonly kind: "endless";
      readonly collection: string;
      readonly size: number;
      readonly to: string;
      readonly only?: string;
    }
  /** `record`: shows the fields of one record of a collection. The URL of the page contains its number. */
  | { readonly kind: "record"; readonly collection: string }
  | { readonly kind: "form"; readonly fields: readonly FormField[]; readonly collection?: string }
  | { readonly kind: "search" };

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password" | "email" | "number" | "date";
  readonly required?: boolean;
  /** A regular expression that the complete value must match. */
  readonly pattern?: string;
  readonly options?: readonly string[];
  /** The initial value of the field. */
  readonly value?: string;
}
