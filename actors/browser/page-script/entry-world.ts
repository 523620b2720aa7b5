/** Entry of the world bundle, which snapshots and frequent actions need. It runs once in a document. */
import { hands } from "./actionability/actionability.ts";
import { identity } from "./actionability/element-identity.ts";
import { geometry } from "./actionability/geometry.ts";
import { fields } from "./actions/field-values.ts";
import { stirs } from "./observe/page-idle.ts";
import { pageGlobal } from "./page-global.ts";
import { describer } from "./snapshot/describer.ts";
import { shown } from "./snapshot/shown-fingerprints.ts";
import { walker } from "./snapshot/walker.ts";
import type { WorldParts } from "./world.ts";

const parts: WorldParts = { describer, geometry, identity, walker, shown, hands, fields, stirs };
Object.assign(pageGlobal.cairn, parts);
