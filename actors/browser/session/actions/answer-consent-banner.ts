/**
 * Answers cookie consent banners in any frame or shadow root. When the caller wants to decline, the action
 * never accepts.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { ConsentBanner, ConsentChoice } from "../../page-script/widgets/consent-banners.ts";
import { ActionFailure } from "../action-error.ts";
import { DocumentGone, type Frame } from "../tabs/tab-frames.ts";
import { type Data, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";

type Choice = Extract<Action, { name: "accept_cookies" }>["params"]["choice"];

/** For each choice of the caller: the kinds of consent buttons that may be clicked, preferred first. */
const BUTTON_ORDER: Readonly<Record<Choice, readonly ConsentChoice[]>> = {
  accept: ["accept"],
  reject: ["reject", "necessary"],
  necessary: ["necessary", "reject"],
};

export async function answerConsent(input: PageInput, choice: Choice): Promise<Data> {
  const { tab } = input;
  const found = await findBanner(input);
  if (!found) return { found: false, effect: "nothing_changed" };
  const { frame, banner } = found;
  const options = banner.buttons.map(({ label }) => label);
  const button = BUTTON_ORDER[choice]
    .map((kind) => banner.buttons.find((candidate) => candidate.choice === kind))
    .find((candidate) => candidate !== undefined);
  if (!button) {
    throw new ActionFailure(
      "not_applied",
      `The banner has no button that means ${choice}. It has ${options.join(", ")}.`,
      { found: true, options, text: banner.text },
    );
  }
  const info = await tab.answer(tab.frames.call(frame, "actionability", "describe", button.id));
  if (!info) throw new ActionFailure("interrupted", "The banner went away.");
  const effect = await input.click({ index: -1, frame, id: button.id, info }, LEFT_CLICK);
  const until = performance.now() + sessionLimits.consentGone;
  while (await isVisible(input, frame, banner)) {
    if (performance.now() >= until) {
      throw new ActionFailure(
        "not_applied",
        `"${button.label}" was clicked, and the banner is still there.`,
        {
          found: true,
          options,
          clicked: button.label,
        },
      );
    }
    await pause(sessionLimits.actionableEvery);
  }
  return { ...effect, found: true, clicked: button.label, answered: button.choice, options, gone: true };
}

/**
 * Performs work on an element. If the element is covered and the page shows a consent banner, declines the banner and
 * performs the work again.
 */
export async function withoutConsentBanner<Result>(
  input: PageInput,
  perform: () => Promise<Result>,
): Promise<Result> {
  try {
    return await perform();
  } catch (error) {
    if (!(error instanceof ActionFailure) || error.code !== "element_covered") throw error;
    if ((await answerConsent(input, "reject")).found === false) throw error;
    return await perform();
  }
}

/**
 * Waits for a consent banner for at most `consentComes` milliseconds. Banners often appear a moment after the
 * page.
 */
async function findBanner({
  tab,
}: PageInput): Promise<{ readonly frame: Frame; readonly banner: ConsentBanner } | undefined> {
  const until = performance.now() + sessionLimits.consentComes;
  do {
    for (const frame of tab.frames.all()) {
      const inFrame = frame !== tab.frames.main;
      const banner = await tab
        .answer(tab.frames.call(frame, "consentBanners", "find", inFrame))
        .catch(ignoreGone);
      if (banner) return { frame, banner };
    }
    await pause(sessionLimits.pollEvery);
  } while (performance.now() < until);
  return undefined;
}

async function isVisible({ tab }: PageInput, frame: Frame, banner: ConsentBanner): Promise<boolean> {
  if (!tab.frames.get(frame.id)) return false;
  return (
    (await tab.answer(tab.frames.call(frame, "consentBanners", "isVisible", banner.id)).catch(ignoreGone)) ??
    false
  );
}

/** Ignores the error of a frame that was removed. Such a frame has no banner. */
function ignoreGone(error: unknown): undefined {
  if (error instanceof DocumentGone) return undefined;
  throw error;
}
