/**
 * Summarises a page as text for recognising its screen: title, headings, landmarks, names of controls,
 * visible text. It never contains the value of a field.
 */

import { sessionLimits } from "../session-limits.ts";
import { nameOf } from "./element-line.ts";
import type { PageAnalysis } from "./page-snapshot.ts";

export function summaryOf({ title, segments, elements, texts }: PageAnalysis): string {
  const headings = texts
    .filter(({ level }) => level > 0)
    .map(({ text, level }) => `${"#".repeat(level)} ${text}`);
  const landmarks = segments.filter(({ type }) => type !== "container").map(({ type }) => type);
  const controls = elements.flatMap((element) => {
    const name = tidied(nameOf(element));
    // A map names a control by its `aria-label`, and a snapshot names it by its text. Both names are listed,
    // so that screens are recognised.
    const label = tidied(element.ariaLabel ?? "");
    return [name, name.includes(label) ? "" : label].flatMap((text) =>
      text === "" ? [] : `${element.tagName}: ${text}`,
    );
  });
  const plain = texts.filter(({ level }) => level === 0).map(({ text }) => text);
  const landmarkLine = landmarks.length > 0 ? [`landmarks: ${[...new Set(landmarks)].join(", ")}`] : [];
  return [title, ...headings, ...landmarkLine, ...new Set(controls), ...plain]
    .join("\n")
    .slice(0, sessionLimits.summary);
}

const tidied = (text: string): string => text.replace(/\s+/g, " ").trim();
