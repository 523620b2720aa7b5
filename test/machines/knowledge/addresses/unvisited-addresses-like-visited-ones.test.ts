/** Tests which addresses count as similar to the addresses of known pages. */
import { expect, test } from "bun:test";
import { isAddressLike } from "../../../../machines/knowledge/addresses/unvisited-addresses-like-visited-ones.ts";

const TERMS = [
  "http://shop.example/term.php?kind=tag&id=1&back=list",
  "http://shop.example/term.php?kind=tag&id=2&back=list",
  "http://shop.example/term.php?kind=tag&id=5",
];
const isTerm = (address: string) => isAddressLike(`http://shop.example${address}`, TERMS);

test("an address resembles others of the same path if only the values of varying parameters differ (/term.php?id=7)", () => {
  expect([isTerm("/term.php?kind=tag&id=7"), isTerm("/term.php?id=7&kind=tag&back=home")]).toEqual([
    true,
    true,
  ]);
});

test("an address does not resemble visited ones if a parameter that they share differs or is missing, or if it has a new parameter", () => {
  expect(
    [
      "/term.php?kind=user&id=7",
      "/term.php?kind=tag",
      "/term.php?kind=tag&id=7&action=delete",
      "/terms.php?kind=tag&id=7",
    ].map(isTerm),
  ).toEqual([false, false, false, false]);
});
