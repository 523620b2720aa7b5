/**
 * Recognises controls that show the previous or next day, week, month or year of a calendar. They page through dates
 * without end, so an exploration does not press them. "Last month" is left out, because it usually is a fixed period of
 * a report.
 */

const ENGLISH =
  /^(?:go to (?:the )?)?(?:previous|prev|next|earlier|later) (?:day|week|month|quarter|year|decade)$/i;
const GERMAN = /^(?:vorherige|vorige|nächste|folgende)[rsn]? (?:tag|woche|monat|quartal|jahr)$/i;
const FRENCH = /^(?:le |la |l')?(?:jour|semaine|mois|trimestre|année) (?:précédente?|suivante?)$/i;
const SPANISH = /^(?:día|semana|mes|trimestre|año) (?:anterior|previo|previa|siguiente|próximo|próxima)$/i;
const ITALIAN = /^(?:giorno|settimana|mese|trimestre|anno) (?:precedente|successivo|successiva|seguente)$/i;

/**
 * Whether a control with this name pages through dates: "Next month" in FullCalendar, "Go to the Previous Month" in
 * react-day-picker, "Previous day" in amagi-crm.
 */
export function pagesThroughDates(name: string): boolean {
  const plain = name
    .replace(/[^\p{L}' ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN].some((pattern) => pattern.test(plain));
}
