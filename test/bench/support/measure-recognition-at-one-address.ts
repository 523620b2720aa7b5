/**
 * Measures recognition when all screens of a map share one address, as in an application that never changes
 * it. The screens share their menu, and half of their words occur on many of them.
 */

import { Cairn, dataFolder } from "../../e2e/support/cairn-test-process.ts";
import { untilMapIsIdle } from "../../e2e/support/wait-for-idle-map.ts";
import { randomFrom } from "../../support/seeded-random.ts";
import { WORDS } from "./bench-generated-map.ts";

const MAP = "one-address";
const ADDRESS = "https://one.example/app";
const MENU = ["Home", "Search", "Settings", "Help", "Sign out"];
/** Maximum number of screens in one import. A request has at most 1 MiB. */
const PART = 500;

export interface OneAddress {
  readonly screens: number;
  readonly asked: number;
  readonly whole: readonly boolean[];
  readonly names: readonly boolean[];
  readonly milliseconds: readonly number[];
  /**
   * Time to answer the first question, in milliseconds. For this answer, Cairn reads the texts of all screens
   * of the address.
   */
  readonly first: number;
}

function textsOf(n: number): {
  readonly title: string;
  readonly headings: string[];
  readonly actions: string[];
} {
  const word = (salt: number) =>
    WORDS[(n * 7 + Math.floor(n / WORDS.length) * 3 + salt) % WORDS.length] ?? "";
  const title = `${word(0)} ${word(5)} ${n.toString(36)}`;
  return {
    title,
    headings: [title, `About ${title}`, `Details of ${word(3)}`],
    actions: [`Save ${title}`, `Print ${word(1)}`, "Cancel"],
  };
}

export async function recogniseAtOneAddress(screens: number, questions: number): Promise<OneAddress> {
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
  try {
    for (let from = 0; from < screens; from += PART) {
      const numbers = Array.from({ length: Math.min(PART, screens - from) }, (_, at) => from + at);
      const map = { format: "cairn-map", version: 1, screens: numbers.map(screenOf) };
      const { status, body } = await cairn.post(`/api/knowledge/${MAP}/import`, { map });
      if (status !== 200) throw new Error(`the import failed: ${JSON.stringify(body)}`);
    }
    await untilMapIsIdle(cairn, MAP);
    const random = randomFrom(5);
    const [whole, names, milliseconds]: [boolean[], boolean[], number[]] = [[], [], []];
    const ask = async (n: number, dom_summary: string) => {
      const start = performance.now();
      const { body } = await cairn.post(`/api/knowledge/${MAP}/query`, {
        instruction_type: "find_screen",
        target: "",
        context: { current_url: ADDRESS, dom_summary },
      });
      milliseconds.push(performance.now() - start);
      return body.metadata?.screen_name === textsOf(n).title;
    };
    await ask(0, wholeOf(0, random));
    const first = milliseconds.pop() ?? Number.NaN;
    for (let asked = 0; asked < questions; asked++) {
      const n = Math.floor(random() * screens);
      whole.push(await ask(n, wholeOf(n, random)));
      const { title, headings, actions } = textsOf(n);
      names.push(await ask(n, [title, ...headings, ...actions].join("\n")));
    }
    return { screens, asked: questions, whole, names, milliseconds, first };
  } finally {
    await cairn.stop();
    await data.remove();
  }
}

function screenOf(n: number): unknown {
  const { title, headings, actions } = textsOf(n);
  const texts = [...headings, ...actions, ...MENU];
  return {
    screen_id: `one_app~${n}`,
    name: title,
    url: ADDRESS,
    state_signature: {
      required_indicators: texts.map((value) => ({
        type: "dom_contains",
        value,
        reason: "heading or action",
      })),
    },
  };
}

/**
 * Returns the summary of a generated page: the texts of its screen, and rows of random words in place of real
 * data.
 */
function wholeOf(n: number, random: () => number): string {
  const { title, headings, actions } = textsOf(n);
  const rows = Array.from({ length: 60 }, () => {
    const word = () => WORDS[Math.floor(random() * WORDS.length)];
    return `${word()} ${word()} ${Math.floor(random() * 1_000)}, ${word()}`;
  });
  return [title, ...MENU, ...headings.map((one) => `## ${one}`), ...rows, ...actions].join("\n");
}
