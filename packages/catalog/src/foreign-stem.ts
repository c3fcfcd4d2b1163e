/** Endings of German, Spanish, French and Portuguese verbs, nouns and adjectives, without accents, the longest first. */
const ENDINGS =
  'issements issement ungen ieren ando endo indo ados adas idos idas ante ment tion ungs eren ung est ent ons ont ait ado ada ido ida ant ees ar er ir re en em es os as is st te et e a o s n t r'.split(
    ' ',
  );

/** Fewest letters of a stem. */
const MIN_STEM = 4;

/**
 * Returns the common beginning of the forms of a German, Spanish, French or Portuguese word: `erstelle` and `erstellen`, `busca` and
 * `buscar`. One ending is cut, and what is left has four letters or more.
 *
 * @param word in lower case and without accents
 */
export function foreignStem(word: string): string {
  const ending = ENDINGS.find((one) => word.length - one.length >= MIN_STEM && word.endsWith(one));
  return ending === undefined ? word : word.slice(0, -ending.length);
}
