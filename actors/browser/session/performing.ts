/**
 * Which part does which action of a tab. Neighbour: `browser-session.ts` has the tabs, and what is done with them.
 */
import type { Action } from "../../../machines/session/actions.ts";
import type { BrowserProxy } from "../launch.ts";
import { Acts } from "./acts.ts";
import type { Beside } from "./beside.ts";
import { type Clipboard, Clipping } from "./clipboard.ts";
import { answerConsent } from "./consent.ts";
import { pickDate } from "./dates.ts";
import { dragAndDrop } from "./dragging.ts";
import { findText } from "./finding.ts";
import { FormActs } from "./forms.ts";
import { MediaActs } from "./media.ts";
import { Navigation } from "./navigation.ts";
import { saveAsPdf } from "./pdf.ts";
import { screenshotOf } from "./screenshot.ts";
import { evaluate } from "./scripting.ts";
import type { Data, Touch } from "./touch.ts";
import { uploadFile } from "./uploading.ts";
import { waitFor } from "./waiting.ts";

/** Of the tabs themselves and their dialogs, not of a page. */
export type TabAction = Extract<Action, { name: "handle_dialog" | "switch" | "close" }>;
/** Done where there is more than a browser. */
export type KindAction = Extract<Action, { name: "extract" | "login" }>;
export type PageAction = Exclude<Action, TabAction | KindAction>;

export interface Means {
  readonly proxy: BrowserProxy | undefined;
  readonly clipboard: Clipboard;
  /** `CAIRN_EVALUATE`. */
  readonly evaluate: boolean;
  /** The folder that files may be taken from. */
  readonly uploads: string | undefined;
  readonly beside: Beside;
}

export async function perform({ name, params }: PageAction, touch: Touch, means: Means): Promise<Data> {
  const acts = new Acts(touch);
  const navigation = new Navigation(touch.tab, means.proxy, touch.permit, means.beside.downloads);
  const clipping = new Clipping(touch, means.clipboard);
  switch (name) {
    case "navigate":
      return await navigation.open(params.url);
    case "go_back":
      return await navigation.history(-1);
    case "go_forward":
      return await navigation.history(1);
    case "refresh":
      return await navigation.refresh();
    case "click":
      return await acts.click(params.index, { button: "left", count: 1 });
    case "double_click":
      return await acts.click(params.index, { button: "left", count: 2 });
    case "right_click":
      return await acts.click(params.index, { button: "right", count: 1 });
    case "hover":
      return await acts.hover(params.index);
    case "input":
      return await acts.input(params);
    case "type_slowly":
      return await acts.input(params, params.delay_ms);
    case "clear":
      return await acts.input({ index: params.index, text: "", clear: true });
    case "select_all":
      return await clipping.selectAll(params);
    case "copy":
      return await clipping.copy(params);
    case "cut":
      return await clipping.cut(params);
    case "paste":
      return await clipping.paste(params);
    case "drag_drop":
      return await dragAndDrop(touch, params);
    case "find_text":
      return await findText(touch, params);
    case "fill_form":
      return await new FormActs(touch, acts).fill(params);
    case "submit_form":
      return await new FormActs(touch, acts).submit(params);
    case "reset_form":
      return await new FormActs(touch, acts).reset(params);
    case "upload_file":
      return await uploadFile(touch, params, means.uploads);
    case "play_video":
      return await new MediaActs(touch).play(params.index);
    case "pause_video":
      return await new MediaActs(touch).pause(params.index);
    case "seek_video":
      return await new MediaActs(touch).seek(params);
    case "adjust_volume":
      return await new MediaActs(touch).volume(params);
    case "toggle_mute":
      return await new MediaActs(touch).mute(params.index, params.muted);
    case "accept_cookies":
      return await answerConsent(touch, params.choice);
    case "pick_date":
      return await pickDate(touch, acts, params.index, params.date, params.time);
    case "evaluate":
      return await evaluate(touch, params.code, means.evaluate);
    case "select_dropdown":
      return await acts.select(params);
    case "dropdown_options":
      return await acts.options(params.index);
    case "scroll":
      return await acts.scroll(params);
    case "wait":
      return await waitFor(touch.tab, params, means.beside);
    case "screenshot":
      return { ...(await screenshotOf(touch.tab, params)) };
    case "save_as_pdf":
      return await saveAsPdf(touch.tab, params, means.beside.downloads);
    case "send_keys":
      return await acts.keys(params.keys);
  }
}
