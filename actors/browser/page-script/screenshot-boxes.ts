/**
 * Draws numbered boxes onto a screenshot, on a canvas in the isolated world; the page itself is not changed.
 * The browser gets the source text of this function, so the function must not refer to anything outside of
 * itself.
 */
export interface NumberedBox {
  readonly number: number;
  /** Horizontal position of the box, in pixels of the screenshot. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Drawing {
  /** The screenshot without boxes, in base64. */
  readonly data: string;
  readonly mime: string;
  /** The image format of the result; without it, the format stays the same. `quality` is between 0 and 1. */
  readonly into?: { readonly mime: string; readonly quality: number } | undefined;
  readonly boxes: readonly NumberedBox[];
  /** Width of the shown page area in CSS pixels, from which the scale of the screenshot is computed. */
  readonly width: number;
}

/** Returns the screenshot with numbered boxes, in base64. */
export async function drawBoxes({ data, mime, into, boxes, width }: Drawing): Promise<string> {
  const COLOURS = ["#d00000", "#0050d0", "#007a33", "#8a2be2", "#b05a00", "#00797a", "#c2185b", "#4a4a00"];
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: mime }));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("There is no canvas to draw on.");
  pen.drawImage(picture, 0, 0);
  const scale = picture.width / width;
  const size = Math.round(12 * Math.max(scale, 1));
  pen.font = `bold ${size}px sans-serif`;
  pen.textBaseline = "top";
  pen.lineWidth = Math.max(1, Math.round(1.5 * scale));
  for (const box of boxes) {
    const colour = COLOURS[box.number % COLOURS.length] ?? "#d00000";
    const [x, y, wide, high] = [box.x * scale, box.y * scale, box.width * scale, box.height * scale];
    pen.strokeStyle = colour;
    pen.strokeRect(x, y, wide, high);
    const label = String(box.number);
    const [across, down] = [pen.measureText(label).width + size / 2, size + size / 4];
    // The number of a box is drawn in its upper left corner. When the box is too low for the number, it is
    // drawn above the box.
    const left = Math.min(Math.max(x, 0), Math.max(0, canvas.width - across));
    const above = high < down * 2 && y - down >= 0;
    const top = Math.min(Math.max(above ? y - down : y, 0), Math.max(0, canvas.height - down));
    pen.fillStyle = colour;
    pen.fillRect(left, top, across, down);
    pen.fillStyle = "#ffffff";
    pen.fillText(label, left + size / 4, top + size / 8);
  }
  const blob = await canvas.convertToBlob(into ? { type: into.mime, quality: into.quality } : { type: mime });
  const drawn = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (let at = 0; at < drawn.length; at += 32_768)
    binary += String.fromCharCode(...drawn.subarray(at, at + 32_768));
  return btoa(binary);
}
