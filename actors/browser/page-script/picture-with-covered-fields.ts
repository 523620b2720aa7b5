/**
 * Makes a picture of a page small, and covers the fields in it. The browser gets the source text of each
 * function, so a function must not refer to anything outside of itself.
 */

/** A rectangle in CSS pixels of the viewport. */
export interface ViewBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the boxes of the fields with content, which a picture of the page must cover. Fields in open shadow
 * trees and in frames of the same origin are included; a frame of another origin is covered as a whole.
 */
export function filledFieldBoxes(): readonly ViewBox[] {
  const WITHOUT_TEXT = /^(?:button|submit|reset|checkbox|radio|hidden|image|range|color)$/i;
  const FIELDS =
    "input,textarea,select,[contenteditable]:not([contenteditable=false]),[role=textbox],[role=combobox]";
  const found: ViewBox[] = [];
  const visit = (root: Document | ShadowRoot, left: number, top: number): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) visit(element.shadowRoot, left, top);
      // `instanceof` cannot be used here, because the elements in a frame are instances of the classes of
      // that frame.
      const isFrame = element.matches("iframe,frame");
      if (!isFrame && !element.matches(FIELDS)) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      // The cast is safe: the selector matches only elements of these two types.
      const inner = isFrame ? (element as HTMLIFrameElement | HTMLFrameElement).contentDocument : null;
      if (inner) {
        visit(inner, left + box.x + element.clientLeft, top + box.y + element.clientTop);
        continue;
      }
      if (element.matches("input") && WITHOUT_TEXT.test(element.getAttribute("type") ?? "")) continue;
      if ("value" in element && element.value === "") continue;
      found.push({ x: left + box.x, y: top + box.y, width: box.width, height: box.height });
    }
  };
  visit(document, 0, 0);
  return found;
}

export interface PictureWithFields {
  /** The picture of the whole viewport as a JPEG in base64. */
  readonly data: string;
  /** Width of the viewport in CSS pixels. */
  readonly viewport: number;
  readonly fields: readonly ViewBox[];
  /** Width of the result in pixels. */
  readonly width: number;
  /** JPEG quality of the result, between 0 (lowest) and 1. */
  readonly quality: number;
}

/**
 * Draws the page's picture at the given width, with a rectangle over each field. Returns it as a JPEG in
 * base64.
 */
export async function coveredPicture({
  data,
  viewport,
  fields,
  width,
  quality,
}: PictureWithFields): Promise<{ readonly data: string; readonly width: number; readonly height: number }> {
  const COVER = "#b8bec4";
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const whole = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const height = Math.max(1, Math.round((whole.height * width) / whole.width));
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("There is no canvas to draw on.");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(whole, 0, 0, width, height);
  const scale = width / viewport;
  pen.fillStyle = COVER;
  for (const box of fields) {
    // Each field is covered by a rectangle that is one pixel larger on all sides, because smoothing spreads
    // its text to adjacent pixels.
    pen.fillRect(
      Math.floor(box.x * scale) - 1,
      Math.floor(box.y * scale) - 1,
      Math.ceil(box.width * scale) + 2,
      Math.ceil(box.height * scale) + 2,
    );
  }
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
  const drawn = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (let at = 0; at < drawn.length; at += 32_768)
    binary += String.fromCharCode(...drawn.subarray(at, at + 32_768));
  return { data: btoa(binary), width, height };
}
