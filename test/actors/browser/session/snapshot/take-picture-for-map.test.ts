/**
 * Tests the small pictures of screens: the content of filled fields is hidden, and a page that shows a secret
 * gets no picture.
 */
import { expect, test } from "bun:test";
import { stageOfTests } from "../session-for-one-test-file.ts";

const stage = await stageOfTests();

/**
 * Returns the colours of a picture at the given points.
 *
 * @param points positions in CSS pixels of the viewport
 */
async function coloursAt(data: string, points: readonly (readonly [number, number])[]) {
  await stage.show(`<canvas id="c"></canvas>`);
  const script = `(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(data)}), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    const scale = image.width / 1280;
    return ${JSON.stringify(points)}.map(([x, y]) => [...pen.getImageData(x * scale, y * scale, 1, 1).data].slice(0, 3));
  })()`;
  return (await stage.run(script)) as number[][];
}

const isRed = ([red = 0, green = 0, blue = 0]: readonly number[] = []): boolean =>
  red > 180 && green < 90 && blue < 90;

test("a picture of a screen hides the content of filled fields, even in shadow trees and frames, and shows the rest", async () => {
  const box = "position:absolute;width:200px;height:60px;border:0;background:rgb(220,0,0)";
  await stage.show(
    `<style>body{margin:0}</style>
     <div style="${box};left:0;top:0"></div>
     <input style="${box};left:300px;top:0" value="Ada Lovelace">
     <input style="${box};left:600px;top:0" value="">
     <textarea readonly style="${box};left:0;top:100px">Analytical Street 1</textarea>
     <div contenteditable style="${box};left:300px;top:100px">A letter</div>
     <div id="host" style="position:absolute;left:600px;top:100px"></div>
     <iframe style="position:absolute;left:0;top:200px;width:400px;height:100px;border:0"
       srcdoc="<style>body{margin:0}</style><input style='${box};left:100px;top:20px' value='Byron'>"></iframe>
     <script>
       const root = document.getElementById("host").attachShadow({ mode: "open" });
       root.innerHTML = '<input style="${box}" value="0171 234">';
     </script>`,
  );
  const picture = await stage.session.picture();
  expect(picture).toMatchObject({ width: 480, height: 300 });
  const at = await coloursAt(picture?.data ?? "", [
    [100, 30],
    [400, 30],
    [700, 30],
    [100, 130],
    [400, 130],
    [700, 130],
    [200, 250],
  ]);
  expect(at.map(isRed)).toEqual([true, false, true, false, false, false, false]);
});

test("no picture is taken of a page that shows a secret of the session", async () => {
  await stage.show("<p>Nothing secret.</p>");
  expect(await stage.session.picture()).toBeDefined();
  stage.session.resources.redactor.add("grindstone-77");
  await stage.show("<p>Your password is grindstone-77.</p>");
  expect(await stage.session.picture()).toBeUndefined();
});
