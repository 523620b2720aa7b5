/** Sets the files of a file input, or drops files onto an element. */

import type { Obstacle } from "../actionability/same-element-check.ts";
import { registry } from "../page-script-document-state.ts";
import { deepElements, dispatchInput } from "../shadow-dom.ts";
import { identity } from "../world-bundle-modules-for-actions-bundle.ts";

export interface UploadFile {
  readonly name: string;
  readonly type: string;
  /** The content of the uploaded file in base64. */
  readonly data: string;
}

export interface UploadPlace {
  /**
   * Number by which the page script finds the file input: the given element itself, or an input that this
   * element labels or contains. Absent when there is no input.
   */
  readonly input?: number;
  readonly multiple: boolean;
  readonly accept: string;
}

export interface Uploaded {
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** Whether the file input still contains the files after the page's scripts have handled its events. */
  readonly kept: boolean;
}

export interface FileInputs {
  find(id: number): UploadPlace | Obstacle;
  setFiles(id: number, files: readonly UploadFile[]): Uploaded | Obstacle;
  /** Drops files onto an element. Returns whether the page has handled the drop. */
  drop(id: number, files: readonly UploadFile[]): boolean;
}

/** Number of ancestors of a label in which its file input is searched for. */
const MAX_LEVELS = 4;

const isInput = (element: Element | null | undefined): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.type === "file";

/** Returns the only file input near a label without a control. Upload components have such labels. */
const inputNearLabel = (element: Element): HTMLInputElement | undefined => {
  if (element.localName !== "label") return undefined;
  let up = registry.parentOf(element);
  for (
    let level = 0;
    up && level < MAX_LEVELS && !up.matches("body,form,main");
    level++, up = registry.parentOf(up)
  ) {
    const inputs = inputsIn(up);
    if (inputs.length > 0) return inputs.length === 1 ? inputs[0] : undefined;
  }
  return undefined;
};

const inputsIn = (root: Element): readonly HTMLInputElement[] =>
  [root, ...deepElements(root)].filter(isInput);

const transfer = (files: readonly UploadFile[]): DataTransfer => {
  const all = new DataTransfer();
  for (const { name, type, data } of files) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    all.items.add(new File([bytes], name, { type }));
  }
  return all;
};

export const fileInputs: FileInputs = {
  find(id) {
    const element = identity.find(id);
    if (!element) return { problem: "gone" };
    const other = identity.obstacle(element, id);
    if (other) return other;
    const labelled = element.closest("label")?.control;
    const inner = element.querySelector("input[type=file]");
    const input = [element, labelled, inner].find(isInput) ?? inputNearLabel(element);
    if (!input) return { multiple: true, accept: "" };
    if (identity.isDisabled(input)) return { problem: "disabled" };
    return { input: identity.identify(input), multiple: input.multiple, accept: input.accept };
  },

  setFiles(id, files) {
    // A button may create a file input and never insert it into the document. So the input is looked up by
    // its number, without a check that it is in the document.
    const input = registry.element(Math.abs(id));
    if (!isInput(input)) return { problem: "gone" };
    if (identity.isDisabled(input)) return { problem: "disabled" };
    input.files = transfer(files).files;
    const given = [...(input.files ?? [])].map(({ name, size }) => ({ name, size }));
    dispatchInput(input);
    return { files: given, kept: input.isConnected && input.files?.length === given.length };
  },

  drop(id, files) {
    const element = identity.find(id);
    if (!element) return false;
    const dataTransfer = transfer(files);
    const { left, top, width, height } = element.getBoundingClientRect();
    const where = { clientX: left + width / 2, clientY: top + height / 2 };
    const dispatchDrag = (name: string): boolean =>
      !element.dispatchEvent(
        new DragEvent(name, { bubbles: true, cancelable: true, composed: true, dataTransfer, ...where }),
      );
    dispatchDrag("dragenter");
    const wanted = dispatchDrag("dragover");
    return dispatchDrag("drop") || wanted;
  },
};
