/**
 * Pans and zooms a drawing by mouse, touch, wheel and keys. Until the person does so, the drawing is fitted to
 * its frame.
 */

/**
 * The visible part of a drawing: the point at the upper left corner of the frame, and the scale in pixels per
 * unit of the drawing.
 */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Extent {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PanZoomOptions {
  readonly frame: HTMLElement;
  readonly extent: () => Extent;
  readonly changed: (camera: Camera) => void;
  /**
   * Maximum scale to which a small drawing is enlarged to fill its frame; `FITTED_SCALE` by default. At scale
   * 1, a drawing has its natural size.
   */
  readonly fittedScale?: number;
  /**
   * Minimum scale at which a person can read the drawing's text. If the complete drawing fits only at a smaller
   * scale, its width is fitted to the frame instead. The scale is then at least this one.
   */
  readonly readableScale?: number;
  /** Returns the part of the drawing to centre if the complete drawing is not readable in the frame. */
  readonly focus?: () => Extent | undefined;
  /**
   * Called for a click at a point of the drawing. Pressing the mouse button to move the drawing does not
   * count as a click.
   */
  readonly pressed?: (x: number, y: number) => void;
}

/** Share of the frame that stays empty on each side of a fitted drawing. */
const MARGIN = 0.03;
const LARGEST_SCALE = 4;
const FITTED_SCALE = 1.25;
const KEY_STEP = 60;
const KEY_ZOOM = 1.25;
/** A press that moves by at most this number of pixels is a click. */
const CLICK_SLACK = 4;

/**
 * Returns the position, on one axis, at which the visible part of a drawing starts. A drawing that fits into the
 * frame is centred. In a larger drawing, the point `centre` is centred, unless the frame would then show more than a
 * margin beyond an end of the drawing.
 */
function startOfView(
  start: number,
  length: number,
  { centre, size }: { readonly centre: number; readonly size: number },
): number {
  const margin = size * MARGIN;
  if (length + 2 * margin <= size) return start + length / 2 - size / 2;
  return Math.min(Math.max(centre - size / 2, start - margin), start + length + margin - size);
}

export class PanZoom {
  readonly #options: PanZoomOptions;
  readonly #ends: (() => void)[] = [];
  readonly #pointers = new Map<number, { x: number; y: number }>();
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #isFitted = true;
  #moved = 0;

  constructor(options: PanZoomOptions) {
    this.#options = options;
    const { frame } = options;
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ): void => {
      frame.addEventListener(type, listener, { passive: false });
      this.#ends.push(() => frame.removeEventListener(type, listener));
    };
    on("wheel", (event) => this.#wheel(event));
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", (event) => this.#pointers.delete(event.pointerId));
    on("keydown", (event) => this.#key(event));
    const observer = new ResizeObserver(() => {
      if (this.#isFitted) this.fit();
      else this.#apply(this.#camera);
    });
    observer.observe(frame);
    this.#ends.push(() => observer.disconnect());
  }

  get camera(): Camera {
    return this.#camera;
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  /** Returns the scales at which the complete drawing and its complete width are visible. */
  #fittedScales(): { readonly whole: number; readonly wide: number } {
    const { clientWidth, clientHeight } = this.#options.frame;
    const { width, height } = this.#options.extent();
    const room = 1 - 2 * MARGIN;
    const wide = Math.min(
      this.#options.fittedScale ?? FITTED_SCALE,
      (clientWidth * room) / Math.max(1, width),
    );
    return { whole: Math.min(wide, (clientHeight * room) / Math.max(1, height)), wide };
  }

  /**
   * Centres the complete drawing in the frame. If the texts would then be too small, the drawing is fitted to
   * the width of the frame at a readable scale, and its most important part is centred.
   */
  fit(): void {
    const { clientWidth, clientHeight } = this.#options.frame;
    if (clientWidth === 0 || clientHeight === 0) return;
    const { x, y, width, height } = this.#options.extent();
    const { whole, wide } = this.#fittedScales();
    const readable = this.#options.readableScale ?? 0;
    const scale = whole >= readable ? whole : Math.max(readable, wide);
    const focus = (whole < readable && this.#options.focus?.()) || { x, y, width: 0, height: 0 };
    this.#apply({
      scale,
      x: startOfView(x, width, { centre: focus.x + focus.width / 2, size: clientWidth / scale }),
      y: startOfView(y, height, { centre: focus.y + focus.height / 2, size: clientHeight / scale }),
    });
    this.#isFitted = true;
  }

  /** Fits the drawing again after its most important part has changed, unless a person has moved it. */
  focusChanged(): void {
    const focus = this.#options.focus?.();
    if (!focus || !this.#isFitted) return;
    const { x, y, width, height } = focus;
    if (!this.shows(x, y) || !this.shows(x + width, y + height)) this.fit();
  }

  /** Centres a part of the drawing at the given scale, by default the current one. */
  show(part: Extent, scale = this.#camera.scale): void {
    const { clientWidth, clientHeight } = this.#options.frame;
    this.#apply({
      scale,
      x: part.x + part.width / 2 - clientWidth / scale / 2,
      y: part.y + part.height / 2 - clientHeight / scale / 2,
    });
    this.#isFitted = false;
  }

  /** Whether a point of the drawing is visible in the frame. */
  shows(x: number, y: number): boolean {
    const { clientWidth, clientHeight } = this.#options.frame;
    const { x: left, y: top, scale } = this.#camera;
    return x > left && y > top && x < left + clientWidth / scale && y < top + clientHeight / scale;
  }

  /** Zooms around a point of the frame, by default around the middle of the frame. */
  zoom(factor: number, at?: { readonly x: number; readonly y: number }): void {
    const { clientWidth, clientHeight } = this.#options.frame;
    const point = at ?? { x: clientWidth / 2, y: clientHeight / 2 };
    const { x, y, scale: before } = this.#camera;
    const smallest = this.#fittedScales().whole / 2;
    const scale = Math.min(LARGEST_SCALE, Math.max(smallest, before * factor));
    this.#apply({
      scale,
      x: x + point.x / before - point.x / scale,
      y: y + point.y / before - point.y / scale,
    });
    this.#isFitted = false;
  }

  /** Moves the drawing by a number of pixels. */
  pan(dx: number, dy: number): void {
    const { x, y, scale } = this.#camera;
    this.#apply({ scale, x: x - dx / scale, y: y - dy / scale });
    this.#isFitted = false;
  }

  #apply(camera: Camera): void {
    this.#camera = camera;
    this.#options.changed(camera);
  }

  #pointOf({ clientX, clientY }: MouseEvent): { x: number; y: number } {
    const { left, top } = this.#options.frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), this.#pointOf(event));
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#options.frame.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 0) this.#moved = 0;
    this.#pointers.set(event.pointerId, this.#pointOf(event));
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#pointOf(event);
    const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    this.#pointers.set(event.pointerId, now);
    this.#moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (!other) {
      if (this.#moved > CLICK_SLACK) this.pan(now.x - before.x, now.y - before.y);
      return;
    }
    const distance = (point: { x: number; y: number }): number =>
      Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    this.zoom(distance(now) / distance(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId) || this.#moved > CLICK_SLACK) return;
    const { x, y, scale } = this.#camera;
    const point = this.#pointOf(event);
    this.#options.pressed?.(x + point.x / scale, y + point.y / scale);
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.#options.frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Readonly<Record<string, () => void>> = {
      "+": () => this.zoom(KEY_ZOOM),
      "=": () => this.zoom(KEY_ZOOM),
      "-": () => this.zoom(1 / KEY_ZOOM),
      "0": () => this.fit(),
      ArrowLeft: () => this.pan(KEY_STEP, 0),
      ArrowRight: () => this.pan(-KEY_STEP, 0),
      ArrowUp: () => this.pan(0, KEY_STEP),
      ArrowDown: () => this.pan(0, -KEY_STEP),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }
}
