/** Tests which identifiers of elements count as random, so that they do not name an element. */
import { expect, test } from "bun:test";
import { isRandom } from "../../../../machines/session/page/recognise-random-identifier.ts";

test("identifiers of random letters and digits count as random", () => {
  for (const identifier of [
    "oorXIGz2heOBKSmgrO0Z6",
    "radix-3f9a1c7e2b",
    "V1StGXR8_Z5jdHi6B-myT",
    "headlessui-01h8xk2m9q",
    "react-aria3919605626-«r4s»",
    "radix-:r6o:",
    "menu::r1::trigger",
    "react-aria8225649240-_r_6_",
    "el-9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
  ])
    expect([identifier, isRandom(identifier)]).toEqual([identifier, true]);
});

test("identifiers that consist of words and numbers do not count as random", () => {
  for (const identifier of [
    "save-button",
    "submitOrderForm2",
    "id_item_set-0-name",
    "user_2024_report",
    "menuItem12",
    "ctl00_ContentPlaceHolder1_btnSave",
    "h264EncoderSettings",
    "oauth2-callback-url",
    "__next",
    "mce_12",
    "react-select-2-input",
    "base64EncodedValue",
    "address1Line2",
    "shippingAddress2CountryCode",
    "userPhoneNumber2Type",
    "address2Line1City",
    "iPhone15ProMax",
    "customerFirstNameAndLastName2",
    "form:results:0:name",
    "sum_r_and_d_total",
  ])
    expect([identifier, isRandom(identifier)]).toEqual([identifier, false]);
});
