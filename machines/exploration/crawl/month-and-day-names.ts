/**
 * Names of months and days, long and short, in common languages.
 * They are written out because `Intl` takes 150 ms and 10 MB per thread. A test compares the list with
 * `Intl`.
 */

/** Names of months and days by language (BCP 47 tag). A name in several languages is listed once. */
export const DATE_WORDS: Readonly<Record<string, string>> = {
  en:
    "january monday february thursday march friday april may wednesday june saturday july august " +
    "september sunday october tuesday november december jan mon feb thu mar fri apr wed jun sat jul aug " +
    "sep sun oct tue nov dec",
  de:
    "januar montag februar donnerstag märz freitag mai mittwoch juni samstag juli sonntag oktober " +
    "dienstag dezember mo do mär fr mi sa so sept okt dez",
  fr:
    "janvier lundi février jeudi mars vendredi avril mercredi juin samedi juillet août septembre dimanche " +
    "octobre mardi novembre décembre janv lun févr jeu ven avr mer sam juil dim déc",
  es:
    "enero lunes febrero jueves marzo viernes abril mayo miércoles junio sábado julio agosto septiembre " +
    "domingo octubre martes noviembre diciembre ene jue vie abr mié sáb ago dom dic",
  it:
    "gennaio lunedì febbraio giovedì venerdì aprile maggio mercoledì giugno sabato luglio settembre " +
    "domenica ottobre martedì dicembre gen gio mag giu sab lug set ott",
  pt:
    "janeiro segunda feira fevereiro quinta março sexta maio quarta junho julho setembro outubro terça " +
    "novembro dezembro seg fev qui sex qua out ter",
  nl:
    "januari maandag februari donderdag maart vrijdag mei woensdag zaterdag augustus zondag dinsdag ma " +
    "mrt vr wo za zo",
  pl:
    "styczeń poniedziałek stycznia luty czwartek lutego marzec piątek marca kwiecień kwietnia maj środa " +
    "maja czerwiec sobota czerwca lipiec lipca sierpień sierpnia wrzesień niedziela września październik " +
    "wtorek października listopad listopada grudzień grudnia sty pon lut czw pt kwi śr cze sob lip sie " +
    "wrz niedz paź wt lis gru",
  ru:
    "январь понедельник января февраль четверг февраля март пятница марта апрель апреля май среда мая " +
    "июнь суббота июня июль июля август августа сентябрь воскресенье сентября октябрь вторник октября " +
    "ноябрь ноября декабрь декабря янв пн февр чт пт мар апр ср сб июн июл авг сент вс окт вт нояб дек",
  sv: "måndag torsdag fredag onsdag lördag augusti söndag tisdag mån tors fre ons lör sön tis",
};

const known: ReadonlySet<string> = new Set(Object.values(DATE_WORDS).flatMap((words) => words.split(" ")));

/** Whether a lower-case word is the name of a month or a day. */
export function isDateWord(word: string): boolean {
  return known.has(word);
}
