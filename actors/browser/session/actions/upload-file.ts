/**
 * Gives files to a page: to a file input, through a button that opens a file chooser, or by a drop. The files are
 * sent with the call, or are in the folder for uploads. A path that leads out of this folder is refused.
 */
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, resolve, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Action } from "../../../../machines/session/actions/browser-action-parameters.ts";
import { mimeTypeOf } from "../../../../machines/session/outputs/download-names.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { UploadFile } from "../../page-script/actions/file-inputs.ts";
import { ActionFailure } from "../action-error.ts";
import { inDocument, obstacleFailure, releaseEvents, type Target, targetOf } from "./clickable-point.ts";
import { type Data, elementResultOf, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";

type Params = Extract<Action, { name: "upload_file" }>["params"];

/**
 * Gives files to an element of the page.
 *
 * @param folder the folder that contains the files; if it is absent, the caller must send the files with the
 * call
 */
export async function uploadFile(
  input: PageInput,
  params: Params,
  folder: string | undefined,
): Promise<Data> {
  const { tab } = input;
  const { index } = params;
  const wanted = params.files ?? (params.path === undefined ? [] : [{ path: params.path }]);
  const files = await Promise.all(
    wanted.map((file) => ("path" in file ? fileFromFolder(file.path, folder) : givenFile(file))),
  );
  const size = files.reduce((sum, { data }) => sum + data.length * 0.75, 0);
  if (size > sessionLimits.uploadBytes) {
    throw new ActionFailure(
      "invalid_params",
      `The files are larger than ${sessionLimits.uploadBytes / 1_048_576} MB together.`,
    );
  }
  const target = await targetOf(tab, index);
  const found = await inDocument(tab, index, tab.frames.call(target.frame, "fileInputs", "find", target.id));
  if ("problem" in found) throw await obstacleFailure(tab, index, found);
  const fileInput = found.input ?? (await inputOfChooser(input, target));
  await input.awaitPermit();
  if (fileInput === undefined) {
    const call = tab.frames.call(target.frame, "fileInputs", "drop", target.id, files);
    if (await inDocument(tab, index, call))
      return { uploaded: names(files), dropped: true, element: elementResultOf(target) };
    throw new ActionFailure(
      "not_applied",
      `Element [${index}] takes no files: it opens no choice, and lets none be dropped.`,
      {
        index,
      },
    );
  }
  if (!found.multiple && files.length > 1) {
    throw new ActionFailure("invalid_params", `Element [${index}] takes one file only.`, { index });
  }
  const outcome = await inDocument(
    tab,
    index,
    tab.frames.call(target.frame, "fileInputs", "setFiles", fileInput, files),
  );
  if ("problem" in outcome) throw await obstacleFailure(tab, index, outcome);
  const refused = names(files).filter((name) => !isAccepted(name, found.accept));
  if (outcome.files.length < files.length) {
    throw new ActionFailure("not_applied", `Element [${index}] did not take the files.`, {
      index,
      files: outcome.files,
    });
  }
  return {
    uploaded: outcome.files.map(({ name }) => name),
    files: outcome.files,
    element: elementResultOf(target),
    effect: "state_changed",
    ...(outcome.kept ? {} : { taken_by_page: true }),
    ...(refused.length > 0 ? { not_accepted: refused, accept: found.accept } : {}),
  };
}

const names = (files: readonly UploadFile[]): readonly string[] => files.map(({ name }) => name);

/** Clicks a button that opens a file chooser. Returns the file input of the chooser. */
async function inputOfChooser(input: PageInput, target: Target): Promise<number | undefined> {
  const { tab } = input;
  const { session } = target.frame;
  const opened = new Promise<number>((resolveNode) => {
    session.on("Page.fileChooserOpened", ({ backendNodeId }) => {
      if (backendNodeId !== undefined) resolveNode(backendNodeId);
    });
  });
  const stop = new AbortController();
  try {
    await tab.answer(session.send("Page.setInterceptFileChooserDialog", { enabled: true }));
    await input.click(target, LEFT_CLICK);
    const within = pause(sessionLimits.chooserWithin, undefined, { signal: stop.signal });
    const node = await Promise.race([opened, within]);
    return node === undefined ? undefined : await tab.answer(tab.frames.idOfNode(target.frame, node));
  } finally {
    stop.abort();
    await releaseEvents(tab);
    await session.send("Page.setInterceptFileChooserDialog", { enabled: false }).catch(() => {});
  }
}

/**
 * Converts a file that is sent with the call. The function is asynchronous, so that an invalid file rejects a
 * promise. A synchronous error would interrupt the caller before it awaits the promises of the other files,
 * and their rejections would be unhandled.
 */
async function givenFile({
  name,
  content,
  encoding,
  type,
}: Exclude<NonNullable<Params["files"]>[number], { path: string }>): Promise<UploadFile> {
  const data = encoding === "base64" ? content.replace(/\s+/g, "") : Buffer.from(content).toString("base64");
  if (encoding === "base64" && !/^[A-Za-z0-9+/]*={0,2}$/.test(data))
    throw new ActionFailure("invalid_params", `The content of ${name} is not base64.`, { name });
  return { name: basename(name), type: type ?? typeOf(name), data };
}

async function fileFromFolder(path: string, folder: string | undefined): Promise<UploadFile> {
  const denied = (why: string): ActionFailure =>
    new ActionFailure(
      "file_not_allowed",
      `"${path}" ${why}. Files are taken from the folder uploads in CAIRN_DATA only, or given with their content.`,
      { path },
    );
  if (folder === undefined) throw denied("cannot be taken");
  const root = await realpath(folder).catch(() => resolve(folder));
  const wanted = resolve(root, path);
  const isInside = (candidate: string): boolean => candidate.startsWith(root + sep);
  if (!isInside(wanted)) throw denied("is not in it");
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined)
    throw new ActionFailure("file_not_found", `There is no file "${path}" in uploads.`, { path });
  // A symbolic link in the folder must not lead to a file outside of the folder.
  if (!isInside(real)) throw denied("leads out of it");
  const { size, isFile } = await stat(real).then((found) => ({ size: found.size, isFile: found.isFile() }));
  if (!isFile) throw denied("is no file");
  if (size > sessionLimits.uploadBytes) throw denied("is too large");
  return { name: basename(real), type: typeOf(real), data: (await readFile(real)).toString("base64") };
}

/** Returns the type that a browser gives to the file: empty for an unknown extension. */
const typeOf = (name: string): string => mimeTypeOf(name, "");

/** Whether the `accept` attribute of an input allows the file, by its extension or its type. */
function isAccepted(name: string, accept: string): boolean {
  const wanted = accept
    .split(",")
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== "");
  const type = typeOf(name);
  return (
    wanted.length === 0 ||
    wanted.some(
      (pattern) =>
        name.toLowerCase().endsWith(pattern) ||
        pattern === type ||
        (pattern.endsWith("/*") && (type === "" || type.startsWith(pattern.slice(0, -1)))),
    )
  );
}
