/** Dispatches each action on a page to the module that performs it. */
import type { Action } from "../../../machines/session/actions.ts";
import type { BrowserProxy } from "../chromium/launch-chromium.ts";
import { Actions } from "./actions/actions.ts";
import { answerConsent } from "./actions/answer-consent.ts";
import { type Clipboard, ClipboardActions } from "./actions/clipboard.ts";
import { dragAndDrop } from "./actions/drag-and-drop.ts";
import { evaluate } from "./actions/evaluate-script.ts";
import { FormActions } from "./actions/form-actions.ts";
import { MediaActions } from "./actions/media-actions.ts";
import type { Data, PageInput } from "./actions/page-input.ts";
import { pickDate } from "./actions/pick-date.ts";
import { uploadFile } from "./actions/upload-file.ts";
import { waitFor } from "./actions/wait-for.ts";
import type { SessionResources } from "./session-resources.ts";
import { findText } from "./snapshot/find-text.ts";
import { saveAsPdf } from "./snapshot/save-pdf.ts";
import { screenshotOf } from "./snapshot/screenshot.ts";
import { Navigation } from "./tabs/navigation.ts";

/** Actions on tabs and dialogs, which need no page. */
export type TabAction = Extract<Action, { name: "handle_dialog" | "switch" | "close" }>;
/** Actions that need more than a browser. The session kind performs them. */
export type KindAction = Extract<Action, { name: "extract" | "login" }>;
export type PageAction = Exclude<Action, TabAction | KindAction>;

export interface ActionContext {
  readonly proxy: BrowserProxy | undefined;
  readonly clipboard: Clipboard;
  /** `CAIRN_EVALUATE`: whether callers may run scripts in pages. */
  readonly evaluate: boolean;
  /** The only folder from which files may be uploaded. */
  readonly uploads: string | undefined;
  readonly beside: SessionResources;
}

export async function perform(
  { name, params }: PageAction,
  touch: PageInput,
  means: ActionContext,
): Promise<Data> {
  const acts = new Actions(touch);
  const navigation = new Navigation(touch.tab, means.proxy, touch.permit, means.beside.downloads);
  const clipping = new ClipboardActions(touch, means.clipboard);
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
      return await new FormActions(touch, acts).fill(params);
    case "submit_form":
      return await new FormActions(touch, acts).submit(params);
    case "reset_form":
      return await new FormActions(touch, acts).reset(params);
    case "upload_file":
      return await uploadFile(touch, params, means.uploads);
    case "play_video":
      return await new MediaActions(touch).play(params.index);
    case "pause_video":
      return await new MediaActions(touch).pause(params.index);
    case "seek_video":
      return await new MediaActions(touch).seek(params);
    case "adjust_volume":
      return await new MediaActions(touch).volume(params);
    case "toggle_mute":
      return await new MediaActions(touch).mute(params.index, params.muted);
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
