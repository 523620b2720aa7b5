/** The controls and links of a page, as rows of pages, screens and actions store them in JSON. */

/** The controls of a page that distinguish it from other pages. The screen's signature is built from them. */
export interface PageControls {
  readonly headings: readonly string[];
  readonly buttons: readonly Control[];
  readonly inputs: readonly Control[];
  readonly forms: readonly {
    readonly action: string;
    readonly method: string;
    readonly fields: readonly string[];
    /** Caption of the button that submits the form; absent if the form has none. */
    readonly submit?: string;
    /**
     * The element by which a session sends the form: the `<form>`, or the button if there is no `<form>`, as
     * in dialogs of Vuetify. Absent for a form in the HTML of a page, because it is found by its position.
     */
    readonly control?: Control;
  }[];
}

/** A control or link of a page, described in several ways by which it can be found again. */
export interface Control {
  readonly role: string;
  readonly name: string;
  readonly selector: string;
  readonly xpath: string;
  /**
   * Further attributes of the control, by which it is found again after the page has changed: tag, id, name,
   * type, href, landmark.
   */
  readonly attributes: Readonly<Record<string, string>>;
  /** `false` if another control of the page has the same role and name; otherwise absent. */
  readonly alone?: boolean;
  /** Constraints on the value of a field, if its HTML states any; absent otherwise. */
  readonly constraints?: FieldConstraints;
}

/**
 * Attributes of an element that are stored with its control, because they help to find it again. `value` and other
 * attributes are not among them, because they may contain a secret or what a user has typed.
 */
export const KEPT_ATTRIBUTES: readonly string[] = [
  "id",
  "name",
  "type",
  "class",
  "title",
  "href",
  "placeholder",
  "data-testid",
];

/** The values that a field accepts, according to its HTML. */
export interface FieldConstraints {
  readonly required?: true;
  /**
   * Present if the page itself gives the field a value. Only required fields and radio buttons are checked
   * for a value.
   */
  readonly has_value?: true;
  readonly multiple?: true;
  readonly pattern?: string;
  readonly min?: string;
  readonly max?: string;
  readonly min_length?: string;
  readonly max_length?: string;
  readonly step?: string;
  readonly accept?: string;
  /** Texts of the options in a select list. */
  readonly options?: readonly string[];
  /** Number of the field's form on the page, counted from 0. Present only if the page has several forms. */
  readonly form?: number;
  /**
   * Name of the group of fields that contains the field, such as "Name" for the text fields of a name in
   * several languages. Present only if the page names the group.
   */
  readonly group?: string;
  /**
   * Position of the field in its form, counted from 1. Present only if the field has no name, label or id.
   */
  readonly position?: number;
  /** Text before a field without a name, which names the field. Absent if several fields have this text. */
  readonly caption?: string;
}
