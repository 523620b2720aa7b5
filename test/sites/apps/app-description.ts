/**
 * The vocabulary of a fixture application: one value of `AppDescription` is the application. Its server, its pages, its
 * log of requests and the truth about its screens all come from that value.
 */

export interface AppDescription {
  readonly name: string;
  readonly title: string;
  /** `server`: whole pages; `client`: an empty page that a script fills and changes. */
  readonly rendering: "server" | "client";
  /** The screen at `/`. */
  readonly start: string;
  /** Passwords by user name. */
  readonly users?: Readonly<Record<string, string>>;
  readonly collections: Readonly<Record<string, Collection>>;
  /** Actions that each page shows. */
  readonly navigation: readonly AppAction[];
  readonly screens: readonly AppScreen[];
}

/** Records that an application keeps; record `n` has the `n`th value of each field, in turn. */
export interface Collection {
  /** The parameter of addresses that holds the number of a record. */
  readonly parameter: string;
  /** The name of one record before its number: `Order` for "Order 7". */
  readonly label: string;
  readonly count: number;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export interface AppScreen {
  readonly id: string;
  /** `{parameter}` is filled in. */
  readonly heading: string;
  readonly place: Place;
  /** Only for a user who has signed in; others are sent to the screen `sign-in`. */
  readonly signedIn?: boolean;
  readonly parts: readonly Part[];
  readonly actions?: readonly AppAction[];
}

/** Where a screen is shown: at an address of its own, or in or over another screen at the address of that. */
export type Place =
  | { readonly kind: "page"; readonly path: string; readonly tab?: string }
  /** Takes the place of the page's own parts. `label` is the text of its tab. */
  | { readonly kind: "tab"; readonly over: string; readonly label: string }
  | { readonly kind: "step"; readonly over: string }
  | { readonly kind: "dialog"; readonly over: string };

export interface AppAction {
  readonly id: string;
  readonly label: string;
  /** The screen that it leads to. */
  readonly to: string;
  /** `submit` is the button of the screen's form. */
  readonly by: "link" | "press" | "submit";
  /** Its label promises a change, so that a careful explorer does not try it, although it only opens something. */
  readonly risky?: boolean;
  /** It changes data at the server and is a POST. */
  readonly effect?: Effect;
  /** Shown only to users who have signed in, or only to others. */
  readonly only?: "signed-in" | "signed-out";
}

export interface DataEffect {
  readonly kind: "create" | "update" | "remove";
  readonly collection: string;
}

export type Effect = DataEffect | { readonly kind: "sign-in" | "sign-out" };

export type Part =
  | { readonly kind: "text"; readonly text: string }
  /** Rows with a link or button to `to`, by pages of `size`. */
  | {
      readonly kind: "table";
      readonly collection: string;
      readonly size: number;
      readonly to: string;
      readonly sortable?: boolean;
    }
  /** Cards that are loaded as one scrolls. */
  | {
      readonly kind: "endless";
      readonly collection: string;
      readonly size: number;
      readonly to: string;
      readonly only?: string;
    }
  /** The fields of the record that the address names. */
  | { readonly kind: "record"; readonly collection: string }
  | { readonly kind: "form"; readonly fields: readonly FormField[]; readonly collection?: string }
  | { readonly kind: "search" };

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password" | "email" | "number" | "date";
  readonly required?: boolean;
  /** A regular expression for the whole value. */
  readonly pattern?: string;
  readonly options?: readonly string[];
  /** The value at first. */
  readonly value?: string;
}
