/** Tests names of controls by the tooltip of the control or of its label, in pages that are read as HTML. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";

const controlsOf = (html: string) => readPage({ url: "http://site.example/dags", html }).controls;

test("a checkbox whose label has no text is named by the tooltip of the label", () => {
  const { inputs } = controlsOf(
    `<label class="switch" title="DAG is paused"><input type="checkbox"><span aria-hidden="true"></span></label>
     <label for="n" title="Help">News</label><input type="checkbox" id="n">
     <label for="m" title="Mail"></label><input type="checkbox" id="m">
     <label class="switch" title="" data-original-title="Pause DAG"><input type="checkbox"></label>
     <label class="switch" data-bs-original-title="Dark mode"><input type="checkbox"></label>`,
  );
  expect(inputs.map(({ name }) => name)).toEqual(["DAG is paused", "News", "Mail", "Pause DAG", "Dark mode"]);
});

test("the name of an icon in an icon font is not the name of a button with a tooltip", () => {
  const { buttons } = controlsOf(
    `<button title="More"><span class="material-icons">more_vert</span></button>
     <button title="Remove"><mat-icon class="mat-icon material-symbols-outlined">delete_outline</mat-icon></button>
     <button title="Help"><span class="material-icons">save</span> Save</button>
     <button title="Help"><span>save</span></button><button><i class="material-icons">close</i></button>`,
  );
  expect(buttons.map(({ name }) => name)).toEqual(["More", "Remove", "save Save", "save", "close"]);
});
