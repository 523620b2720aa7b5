/** Calls the module that performs an action on a page. */
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import type { BrowserProxy } from "../chromium/launch-chromium.ts";
import { answerConsent } from "./actions/answer-consent-banner.ts";
import { type Clipboard, ClipboardActions } from "./actions/clipboard-actions.ts";
import { dragAndDrop } from "./actions/drag-action.ts";
import { ElementActions } from "./actions/element-actions.ts";
import { evaluate } from "./actions/evaluate-script.ts";
import { FormActions } from "./actions/form-actions.ts";
import { MediaActions } from "./actions/media-actions.ts";
import { enterWholeDate, pickDate } from "./actions/pick-date.ts";
import { type Data, LEFT_CLICK, type PageInput } from "./actions/pointer-and-key-input.ts";
import { uploadFile } from "./actions/upload-file.ts";
import { waitFor } from "./actions/wait-action.ts";
import type { SessionResources } from "./session-logs-and-downloads.ts";
import { findText } from "./snapshot/find-text-in-tab.ts";
import { saveAsPdf } from "./snapshot/save-pdf.ts";
import { screenshotOf } from "./snapshot/screenshot.ts";
import { Navigation } from "./tabs/navigate-tab.ts";

/**
 * Actions on tabs and dialogs. They can run even while no page responds, for example because a dialog is
 * open.
 */
export type TabAction = Extract<Action, { name: "handle_dialog" | "switch" | "close" }>;
/**
 * Actions that need more than a browser, such as a model or secrets. The actor that owns the session performs
 * them.
 */
export type KindAction = Extract<Action, { name: "extract" | "login" }>;
export type PageAction = Exclude<Action, TabAction | KindAction>;

export interface ActionContext {
  readonly proxy: BrowserProxy | undefined;
  readonly clipboard: Clipboard;
  /** Whether callers may run scripts that they wrote in pages (`CAIRN_EVALUATE`). */
  readonly evaluate: boolean;
  /** The only folder from which an action may upload files. */
  readonly uploads: string | undefined;
  readonly resources: SessionResources;
}

export async function performAction(
  { name, params }: PageAction,
  input: PageInput,
  context: ActionContext,
): Promise<Data> {
  const actions = new ElementActions(input);
  const navigation = new Navigation(input.tab, context.proxy, input.permit, context.resources.downloads);
  const clipboardActions = new ClipboardActions(input, context.clipboard);
  switch (name) {
    case "navigate":
      return await navigation.open(params.url);
    case "go_back":
      return await navigation.traverse(-1);
    case "go_forward":
      return await navigation.traverse(1);
    case "refresh":
      return await navigation.refresh();
    case "click":
      return await actions.click(params.index, LEFT_CLICK);
    case "double_click":
      return await actions.click(params.index, { button: "left", count: 2 });
    case "right_click":
      return await actions.click(params.index, { button: "right", count: 1 });
    case "hover":
      return await actions.hover(params.index);
    case "input":
      return (await enterWholeDate(input, actions, params)) ?? (await actions.input(params));
    case "type_slowly":
      return await actions.input(params, params.delay_ms);
    case "clear":
      return await actions.input({ index: params.index, text: "", clear: true });
    case "select_all":
      return await clipboardActions.selectAll(params);
    case "copy":
      return await clipboardActions.copy(params);
    case "cut":
      return await clipboardActions.cut(params);
    case "paste":
      return await clipboardActions.paste(params);
    case "drag_drop":
      return await dragAndDrop(input, params);
    case "find_text":
      return await findText(input, params);
    case "fill_form":
      return await new FormActions(input, actions).fill(params);
    case "submit_form":
      return await new FormActions(input, actions).submit(params);
    case "reset_form":
      return await new FormActions(input, actions).reset(params);
    case "upload_file":
      return await uploadFile(input, params, context.uploads);
    case "play_video":
      return await new MediaActions(input).play(params.index);
    case "pause_video":
      return await new MediaActions(input).pause(params.index);
    case "seek_video":
      return await new MediaActions(input).seek(params);
    case "adjust_volume":
      return await new MediaActions(input).volume(params);
    case "toggle_mute":
      return await new MediaActions(input).mute(params.index, params.muted);
    case "accept_cookies":
      return await answerConsent(input, params.choice);
    case "pick_date":
      return await pickDate(input, actions, params.index, params.date, params.time);
    case "evaluate":
      return await evaluate(input, params.code, context.evaluate);
    case "select_dropdown":
      return await actions.select(params);
    case "dropdown_options":
      return await actions.options(params.index);
    case "scroll":
      return await actions.scroll(params);
    case "wait":
      return await waitFor(input.tab, params, context.resources);
    case "screenshot":
      return { ...(await screenshotOf(input.tab, params)) };
    case "save_as_pdf":
      return await saveAsPdf(input.tab, params, context.resources.downloads);
    case "send_keys":
      return await actions.keys(params.keys);
  }
}
