/**
 * Reads the controls, forms and headings of a page, by which Cairn recognises the page.
 *
 * Hidden inputs and elements that are marked as hidden are left out. Values of fields, and so passwords, are
 * never read.
 */
import { normaliseUrl } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { Control, PageControls } from "../../../machines/records/page-control-records.ts";
import { AttributeCounts, locate } from "../parse/css-and-xpath-locators.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import {
  collapse,
  hiddenDialogAround,
  isInsideHidden,
  isInsideHiddenDialog,
  textOf,
} from "../parse/visible-text-of-html-element.ts";
import { controlOf, type Labels, landmarkOf, roleOf } from "./describe-element-as-control.ts";
import { ReplacedSelects } from "./drawn-stand-ins-of-selects.ts";
import { type FieldsWithButton, formsWithoutFormElement } from "./forms-without-form-element.ts";
import { textBeforeField } from "./text-before-field.ts";

/**
 * Maximum number of each of these on a page: headings, buttons, inputs and forms. Further ones would not
 * improve the description of the page.
 */
const MAX_PER_KIND = 200;
const MAX_FIELDS = 50;
const HEADING_LENGTH = 200;

const LOCATING_ATTRIBUTES = ["data-testid", "name", "aria-label", "type"];
const NATIVE_CONTROLS = new Set(["button", "input", "select", "textarea", "summary"]);
const BUTTON_ROLES = new Set(["button", "menuitem", "tab", "switch"]);
const INPUT_ROLES = new Set([
  ..."textbox searchbox combobox listbox checkbox radio slider spinbutton file".split(" "),
]);

const isInput = (element: HtmlElement, labels: Labels): boolean =>
  INPUT_ROLES.has(roleOf(element)) || labels.isLabelledList(element);

function isHiddenInput({ tag, attributes }: HtmlElement): boolean {
  return tag === "input" && attributes.type?.toLowerCase() === "hidden";
}

const PERIPHERAL_LANDMARKS = new Set(["navigation", "complementary", "contentinfo"]);

/**
 * Returns the texts of visible headings in document order, without duplicates. Headings of menus, sidebars
 * and footers are left out, because they are the same on every page of a site. So are headings of dialogs that
 * are not open, because they name the dialog and not the page.
 */
export function readHeadings(document: HtmlDocument): string[] {
  const headings = new Set<string>();
  for (const element of document.headings) {
    if (headings.size === MAX_PER_KIND) break;
    if (isInsideHidden(element) || isInsideHiddenDialog(element)) continue;
    if (PERIPHERAL_LANDMARKS.has(landmarkOf(element) ?? "")) continue;
    const text = headingText(element);
    if (text !== "") headings.add(text);
  }
  return [...headings];
}

/** Returns the text of a heading without the sign of its permalink (¶, #, §). */
export function headingText(heading: HtmlElement): string {
  return textOf(heading, HEADING_LENGTH).replace(/\s*[¶#§🔗]+$/u, "");
}

/**
 * Returns the fields of a form in document order. Fields of a closed dialog that only a script opens are left out,
 * because the page does not say which control opens it. An exploration that presses this control records its form.
 */
function fieldsOf(
  document: HtmlDocument,
  form: HtmlElement,
  labels: Labels,
  replaced: ReplacedSelects,
): readonly HtmlElement[] {
  const edited = new Set(document.controls.map(editedBy));
  return document.controls
    .filter((field) => isInput(field, labels) && !isHiddenInput(field) && belongsTo(field, form))
    .filter(
      (field) => !edited.has(field) && !replaced.isOmitted(field) && !isInScriptedDialog(field, document),
    )
    .slice(0, MAX_FIELDS);
}

/** Attributes by which a control names the dialog that it opens (Bootstrap, ARIA). */
const OPENING_ATTRIBUTES = ["data-bs-target", "data-target", "aria-controls", "href"];

/** Whether an element is in a closed dialog to which no control or link of the page refers. */
function isInScriptedDialog(element: HtmlElement, { controls, anchors }: HtmlDocument): boolean {
  const closed = hiddenDialogAround(element);
  if (!closed) return false;
  const ids = new Set<string>();
  for (let at: HtmlElement | null = element; at; at = at === closed ? null : at.parent)
    if (at.attributes.id) ids.add(at.attributes.id);
  return ![...controls, ...anchors].some(({ attributes }) =>
    OPENING_ATTRIBUTES.some((name) => ids.has((attributes[name] ?? "").replace(/^#/, ""))),
  );
}

/**
 * Maximum number of boxes around an editor's own field. The field that the editor replaces is searched for
 * before each of these boxes. CodeMirror and CKEditor need two.
 */
const EDITOR_BOXES = 4;

/**
 * Returns the hidden text area that a script has replaced by the given editor, which follows it (CodeMirror
 * with SimpleMDE and EasyMDE, CKEditor, Summernote). The editor is a text area or an editable element without
 * a name.
 */
function editedBy(editor: HtmlElement): HtmlElement | undefined {
  const { tag, attributes } = editor;
  if ((tag !== "textarea" && attributes.contenteditable === undefined) || attributes.name) return undefined;
  let box = editor.parent;
  for (let level = 0; box?.parent && level < EDITOR_BOXES; level++) {
    const { children } = box.parent;
    const before = children.slice(0, children.indexOf(box)).filter((child) => typeof child !== "string");
    const field = before.findLast((child) => child.tag === "textarea");
    if (field) return field.attributes.name && isInsideHidden(field) ? field : undefined;
    box = box.parent;
  }
  return undefined;
}

function fieldName(field: HtmlElement, labels: Labels, replaced: ReplacedSelects): string {
  const { name, id } = field.attributes;
  const behind = editedBy(field) ?? replaced.selectOf(field);
  const group = replaced.dateNameOf(field) ?? labels.radioGroupOf(field);
  return name || behind?.attributes.name || group || labels.nameOf(field) || id || "";
}

type Place = Pick<NonNullable<Control["constraints"]>, "form" | "position" | "caption" | "group">;

/**
 * Roles of fields that a person knows by the text before them. Checkboxes are missing here, because their
 * text follows them.
 */
const CAPTIONED_ROLES = new Set(["textbox", "searchbox", "combobox", "listbox", "spinbutton"]);

/**
 * Returns the text before a field without a name. Empty if another field of the form has this text as its name or
 * before it, because the text then does not identify the field.
 *
 * @param fields the fields of the form
 */
function captionOf(
  field: HtmlElement,
  fields: readonly HtmlElement[],
  labels: Labels,
  replaced: ReplacedSelects,
): string {
  const textOfField = (one: HtmlElement) => (CAPTIONED_ROLES.has(roleOf(one)) ? textBeforeField(one) : "");
  const text = textOfField(field) ?? "";
  const isShared = fields.some(
    (one) => one !== field && (fieldName(one, labels, replaced) || textOfField(one)) === text,
  );
  return isShared ? "" : text;
}

/**
 * Returns the named group of a field, and the field's form as an index among the forms of the page. For a
 * field without a name, also returns its position in the form and the text before it, so that the field can be identified.
 */
function placeOf(
  element: HtmlElement,
  document: HtmlDocument,
  labels: Labels,
  replaced: ReplacedSelects,
): Place {
  const form = document.forms.findIndex((one) => belongsTo(element, one));
  const owner = document.forms[form];
  if (!owner) return {};
  const fields =
    fieldName(element, labels, replaced) === "" ? fieldsOf(document, owner, labels, replaced) : [];
  const position = fields.indexOf(element) + 1;
  const caption = position > 0 ? captionOf(element, fields, labels, replaced) : "";
  const group = labels.groupOf(element);
  return {
    ...(document.forms.length > 1 ? { form } : {}),
    ...(position > 0 ? { position } : {}),
    ...(caption === "" ? {} : { caption }),
    ...(group === undefined ? {} : { group }),
  };
}

function withPlace(control: Control, place: Place): Control {
  if (Object.keys(place).length === 0) return control;
  return { ...control, constraints: { ...control.constraints, ...place } };
}

/**
 * Adds two names to a control, if it has them: the name of the hidden text area or select that it replaces
 * (`edited`), and the name of the group to which a drawn radio button or a date field with several parts belongs
 * (`choice`).
 */
function withEdited(control: Control, edited: string | undefined, choice: string): Control {
  const added = { ...(edited === undefined ? {} : { edited }), ...(choice === "" ? {} : { choice }) };
  return { ...control, attributes: { ...control.attributes, ...added } };
}

function readForms(
  document: HtmlDocument,
  labels: Labels,
  { base, page }: FormAddresses,
  replaced: ReplacedSelects,
): PageControls["forms"] {
  return document.forms.slice(0, MAX_PER_KIND).map((form) => ({
    // Without an address of its own, a form is sent to the address of its page, and not to that of `<base>`.
    action: form.attributes.action
      ? (normaliseUrl(form.attributes.action, base) ?? "")
      : (normaliseUrl(page) ?? page),
    method: (form.attributes.method ?? "get").toLowerCase(),
    fields: fieldsOf(document, form, labels, replaced).map((field, at, all) =>
      // The map stores the field names of a form as one text, separated by commas. So commas in a name are
      // removed.
      (
        fieldName(field, labels, replaced) ||
        captionOf(field, all, labels, replaced) ||
        `field ${at + 1}`
      ).replaceAll(", ", " "),
    ),
    ...submitOf(document, form, labels),
  }));
}

/**
 * Maps fields outside of any `<form>` to the text before them, if they have no name, or only a placeholder as name.
 * Many selects of one page have the same placeholder, such as "Select an item…" (Directus, Naive UI).
 */
function captionsOf(
  forms: readonly FieldsWithButton[],
  labels: Labels,
  replaced: ReplacedSelects,
): ReadonlyMap<HtmlElement, string> {
  const captions = new Map<HtmlElement, string>();
  for (const { fields } of forms)
    for (const field of fields) {
      const name = fieldName(field, labels, replaced);
      const isPlaceholder = name === collapse(field.attributes.placeholder ?? "") && !labels.hasLabel(field);
      const caption = name === "" || isPlaceholder ? captionOf(field, fields, labels, replaced) : "";
      if (caption !== "") captions.set(field, caption);
    }
  return captions;
}

/** Name of a save button that shows only an icon. The map and the planning of tasks use it. */
const SAVES = "Save";

/**
 * Returns the fields and the button of a form that has no `<form>` element. A press on its button sends such a
 * form.
 */
function withoutFormElement(
  { fields, icon }: FieldsWithButton,
  button: Control,
  nameOf: (field: HtmlElement) => string,
): PageControls["forms"][number] {
  const names = fields
    .slice(0, MAX_FIELDS)
    .map((field) => nameOf(field).replaceAll(", ", " "))
    .filter((name) => name !== "");
  // A button that shows only an icon is found in a session by the name of the icon.
  const submit = icon === undefined ? button.name : SAVES;
  const sent = { fields: names.join(", "), submit };
  const control = { ...button, name: icon ?? button.name, attributes: { ...button.attributes, ...sent } };
  return { action: "", method: "", fields: names, submit, control };
}

/** Returns the caption of the first button that submits a form. */
function submitOf(document: HtmlDocument, form: HtmlElement, labels: Labels): { readonly submit?: string } {
  const button = document.controls.find(
    (element) =>
      isSubmit(element) &&
      belongsTo(element, form) &&
      !isInsideHidden(element) &&
      !isInScriptedDialog(element, document),
  );
  const submit = button && labels.nameOf(button);
  return submit ? { submit } : {};
}

/** Whether an element is a button that submits its form. */
export function isSubmit({ tag, attributes }: HtmlElement): boolean {
  const type = attributes.type?.toLowerCase();
  return tag === "button" ? type === undefined || type === "submit" : tag === "input" && type === "submit";
}

function belongsTo(field: HtmlElement, form: HtmlElement): boolean {
  const owner = field.attributes.form;
  if (owner !== undefined) return owner === form.attributes.id;
  for (let at = field.parent; at; at = at.parent) if (at === form) return true;
  return false;
}

interface FormAddresses {
  /** URL against which the `action` of a form is resolved. */
  readonly base: string;
  /** URL of the page, to which a form without an `action` is sent. */
  readonly page: string;
}

/** Returns the controls and forms of a page. */
export function readControls(
  document: HtmlDocument,
  labels: Labels,
  headings: readonly string[],
  addresses: FormAddresses,
): PageControls {
  const buttons: Control[] = [];
  const inputs: Control[] = [];
  const counts = new AttributeCounts(document.controls, LOCATING_ATTRIBUTES);
  const replaced = new ReplacedSelects(document, labels);
  const withoutElement = formsWithoutFormElement(document, labels, replaced);
  const captions = captionsOf(withoutElement, labels, replaced);
  for (const element of document.controls) {
    const role = roleOf(element);
    const list = isInput(element, labels) ? inputs : BUTTON_ROLES.has(role) ? buttons : undefined;
    if (!list || list.length === MAX_PER_KIND || isHiddenInput(element) || replaced.isOmitted(element))
      continue;
    if (isInsideHidden(element) && !replaced.isListed(element)) continue;
    // An attribute identifies a control only if its value occurs once on the page. Only native controls get
    // such a locator, because the values of other elements are not counted.
    const names = NATIVE_CONTROLS.has(element.tag) ? LOCATING_ATTRIBUTES : [];
    const edited = editedBy(element);
    const name = labels.nameOf(edited ?? element);
    const select = replaced.selectOf(element);
    const control = withEdited(
      controlOf(element, name, locate(document, element, names, counts), select),
      (edited ?? select)?.attributes.name,
      replaced.dateNameOf(element) ?? labels.radioGroupOf(element),
    );
    const caption = captions.get(element);
    const place = () => ({
      ...placeOf(element, document, labels, replaced),
      ...(caption === undefined ? {} : { caption }),
    });
    list.push(list === buttons ? control : withPlace(control, place()));
  }
  const forms = [
    ...readForms(document, labels, addresses, replaced),
    ...withoutElement.map((form) => {
      const control = controlOf(
        form.button,
        labels.nameOf(form.button),
        locate(document, form.button, [], counts),
      );
      return withoutFormElement(
        form,
        control,
        (field) => captions.get(field) ?? fieldName(field, labels, replaced),
      );
    }),
  ];
  return { headings, buttons: withDuplicatesMarked(buttons), inputs: withDuplicatesMarked(inputs), forms };
}

/**
 * Marks controls that share their role and name with another control of the page. When one of them
 * disappears, another must not be mistaken for it.
 */
function withDuplicatesMarked(controls: readonly Control[]): readonly Control[] {
  const keyOf = ({ role, name }: Control): string => `${role}\n${name}`;
  const counts = new Map<string, number>();
  for (const control of controls) counts.set(keyOf(control), (counts.get(keyOf(control)) ?? 0) + 1);
  return controls.map((control) =>
    (counts.get(keyOf(control)) ?? 0) > 1 ? { ...control, alone: false } : control,
  );
}
