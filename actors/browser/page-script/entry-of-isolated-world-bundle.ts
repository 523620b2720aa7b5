/**
 * The entry module of the page script's bundle `world`, which contains snapshots and frequent actions. It
 * runs once in a document.
 */

import { geometry } from "./actionability/element-geometry.ts";
import { actionability } from "./actionability/guarded-element-action.ts";
import { identity } from "./actionability/same-element-check.ts";
import { fieldValues } from "./actions/field-values.ts";
import { pageIdle } from "./observe/temporary-obstacle-check.ts";
import { scheduledWork } from "./observe/work-scheduled-by-page.ts";
import { pageGlobal } from "./page-script-global.ts";
import type { WorldParts } from "./page-script-interface.ts";
import { describer } from "./snapshot/describe-element.ts";
import { fingerprints } from "./snapshot/element-fingerprints-seen-by-caller.ts";
import { snapshots } from "./snapshot/take-frame-snapshot.ts";

const parts: WorldParts = {
  describer,
  geometry,
  identity,
  snapshots,
  fingerprints,
  actionability,
  fieldValues,
  pageIdle,
  scheduledWork,
};
Object.assign(pageGlobal.cairn, parts);
