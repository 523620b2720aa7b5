/** Converts names of keys to the parameters of Chromium's key events. */
import { ActionFailure } from "../action-error.ts";

export interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  /** The text that the key types, alone or with Shift. */
  readonly text?: string;
}

export interface Chord {
  readonly key: Key;
  /** The modifier bits of the DevTools protocol: Alt 1, Control 2, Meta 4, Shift 8. */
  readonly modifiers: number;
}

const named = (key: string, windowsVirtualKeyCode: number, text?: string): Key => ({
  key,
  code: key,
  windowsVirtualKeyCode,
  ...(text === undefined ? {} : { text }),
});

const KEYS: Readonly<Record<string, Key>> = {
  enter: named("Enter", 13, "\r"),
  return: named("Enter", 13, "\r"),
  tab: named("Tab", 9),
  escape: named("Escape", 27),
  esc: named("Escape", 27),
  backspace: named("Backspace", 8),
  delete: named("Delete", 46),
  del: named("Delete", 46),
  insert: named("Insert", 45),
  home: named("Home", 36),
  end: named("End", 35),
  pageup: named("PageUp", 33),
  pagedown: named("PageDown", 34),
  arrowup: named("ArrowUp", 38),
  up: named("ArrowUp", 38),
  arrowdown: named("ArrowDown", 40),
  down: named("ArrowDown", 40),
  arrowleft: named("ArrowLeft", 37),
  left: named("ArrowLeft", 37),
  arrowright: named("ArrowRight", 39),
  right: named("ArrowRight", 39),
  space: { key: " ", code: "Space", windowsVirtualKeyCode: 32, text: " " },
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`f${at + 1}`, named(`F${at + 1}`, 112 + at)] as const),
  ),
};

const MODIFIERS: Readonly<Record<string, number>> = {
  alt: 1,
  option: 1,
  control: 2,
  ctrl: 2,
  meta: 4,
  command: 4,
  cmd: 4,
  shift: 8,
};

/** The keys of the modifiers, in the order in which they are pressed, each with its bit. */
const MODIFIER_KEYS: readonly (readonly [bit: number, key: Key])[] = [
  [2, { key: "Control", code: "ControlLeft", windowsVirtualKeyCode: 17 }],
  [1, { key: "Alt", code: "AltLeft", windowsVirtualKeyCode: 18 }],
  [8, { key: "Shift", code: "ShiftLeft", windowsVirtualKeyCode: 16 }],
  [4, { key: "Meta", code: "MetaLeft", windowsVirtualKeyCode: 91 }],
];

/** Returns the keys of the modifiers of a chord, in the order in which they are pressed, each with its bit. */
export const modifierKeysOf = ({ modifiers }: Chord): readonly (readonly [bit: number, key: Key])[] =>
  MODIFIER_KEYS.filter(([bit]) => (modifiers & bit) !== 0);

function keyOf(name: string): Key | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(KEYS, lower)) return KEYS[lower];
  if ([...name].length !== 1) return undefined;
  const upper = name.toUpperCase();
  const code = /[a-z]/i.test(name) ? `Key${upper}` : /\d/.test(name) ? `Digit${name}` : "";
  return {
    key: name,
    code,
    windowsVirtualKeyCode: /[a-z0-9]/i.test(name) ? upper.charCodeAt(0) : 0,
    text: name,
  };
}

/** Parses chords such as `Control+a` or `Shift+Tab Enter`, in their order. */
export function chordsOf(keys: string): readonly Chord[] {
  return keys
    .trim()
    .split(/\s+/)
    .map((chord) => {
      const parts = chord === "+" ? ["+"] : chord.split("+").map((part) => (part === "" ? "+" : part));
      const name = parts.pop() ?? "";
      const key = keyOf(name);
      const modifiers = parts.map((part) => MODIFIERS[part.toLowerCase()] ?? 0);
      if (!key || modifiers.includes(0)) {
        throw new ActionFailure(
          "invalid_params",
          `"${chord}" is no key. Write Enter, Tab, Control+a, Shift+ArrowDown, a.`,
        );
      }
      return { key, modifiers: modifiers.reduce((all, one) => all | one, 0) };
    });
}
