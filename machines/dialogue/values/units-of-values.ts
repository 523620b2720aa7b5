/** Compares the unit of a value, such as "kg" in "12 kg", with the units in the name of its field. */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { plainText } from "../words/normalised-words.ts";

/** The spellings of each unit. A word may be a spelling of two units, such as "pounds". */
const SPELLINGS: readonly (readonly string[])[] = [
  "kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos chilo chili chilogrammi",
  "g gram grams gramm gramme grammes gramo gramos grammo grammi",
  "t ton tons tonne tonnes tonnen tonelada toneladas tonnellata tonnellate",
  "lb lbs pound pounds",
  "oz ounce ounces",
  "km kilometre kilometres kilometer kilometers kilometro kilometros chilometro chilometri",
  "m metre metres meter meters metro metros metri",
  "cm centimetre centimetres centimeter centimeters zentimeter centimetro centimetri",
  "mile miles mi",
  "s sec second seconds sekunde sekunden secondes segundos secondo secondi",
  "min mins minute minutes minuten minuto minutos minuti",
  "h hr hrs hour hours stunde stunden heure heures hora horas ora ore",
  "day days tag tage tagen jour jours dia dias giorno giorni",
  "week weeks woche wochen semaine semaines semana semanas settimana settimane",
  "month months monat monate monaten mois mes meses mese mesi",
  "year years jahr jahre jahren an ans annee annees ano anos anno anni",
  "eur euro euros €",
  "usd dollar dollars $",
  "gbp pound pounds £",
  "% percent prozent pourcent percento",
  "l litre litres liter liters litro litros litri",
  "mb megabyte megabytes",
  "gb gigabyte gigabytes",
  "kwh",
].map((line) => line.split(" "));

/** Returns the indexes in `SPELLINGS` of the units that a text contains. */
const unitsIn = (text: string): readonly number[] =>
  (plainText(text).match(/\p{L}+|[%€$£]/gu) ?? []).flatMap((word) =>
    SPELLINGS.flatMap((spellings, unit) => (spellings.includes(word) ? [unit] : [])),
  );

/** Matches a number with a unit before or after it: "12 kg", "$5", "10%". */
const WITH_UNIT = /^(?:([$€£])\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(\p{L}+|[%$€£]))$/u;

interface Quantity {
  readonly number: string;
  readonly units: readonly number[];
}

function quantityOf(value: string): Quantity | undefined {
  const [, before, after, number, unit] = WITH_UNIT.exec(value.trim()) ?? [];
  const units = unitsIn(before ?? unit ?? "");
  return units.length === 0 ? undefined : { number: after ?? number ?? "", units };
}

/**
 * Returns a value without its unit if the name of the field contains this unit, such as "12" for "12 kg" in
 * "Weight (kg)"; otherwise `undefined`.
 */
export function withoutOwnUnit(value: string, element: HighlightedElement): string | undefined {
  const quantity = quantityOf(value);
  const own = unitsIn(nameOf(element));
  return quantity?.units.some((unit) => own.includes(unit)) ? quantity.number : undefined;
}

/** Whether a value has a unit, and the name of its field contains only other units. */
export function isOfOtherUnit(value: string, element: HighlightedElement): boolean {
  const own = unitsIn(nameOf(element));
  const quantity = quantityOf(value);
  return quantity !== undefined && own.length > 0 && !quantity.units.some((unit) => own.includes(unit));
}
