import { expansionsOf, translationsOf, type QueryReading } from './query-reading.ts';
import { VARIANT_WEIGHTS, VariantSet, type Variant } from './query-variants.ts';
import { correctedMistakes } from './spelling.ts';
import { stemOf } from './stem.ts';
import { formsOf } from './word-forms.ts';

/** Fewest letters of a word that is split, and of its parts. */
const MIN_COMPOUND = 7;
const MIN_PART = 3;
const MIN_FOREIGN_COMPOUND = 9;
const MIN_FOREIGN_PART = 4;

/** Fewest letters of the only known part of a compound. */
const MIN_HEAD = 5;

/** The letter that joins the parts of German words: `Aufgaben-s-tellung`. */
const JOINT = /(?<=.{4})s$/;

/** The two known parts of a word, the second as short as possible. */
function splitWord(
  word: string,
  minPart: number,
  isKnown: (part: string) => boolean,
): readonly string[] {
  for (let at = word.length - minPart; at >= minPart; at -= 1) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every(isKnown)) return parts;
  }
  return [];
}

function addCompound(
  variants: VariantSet,
  word: string,
  { vocabulary, parts }: QueryReading,
): void {
  if (!parts.forms || word.length < MIN_COMPOUND) return;
  for (const part of splitWord(word, MIN_PART, (one) => vocabulary.has(stemOf(one)))) {
    variants.add({ stem: stemOf(part), kind: 'compound', weight: VARIANT_WEIGHTS.compound });
  }
}

/** The longest known end of a word: the last part of a German compound names the kind of thing. */
function headOf(word: string, isKnown: (part: string) => boolean): readonly string[] {
  for (let at = MIN_FOREIGN_PART; at <= word.length - MIN_HEAD; at += 1) {
    if (isKnown(word.slice(at))) return [word.slice(at)];
  }
  return [];
}

function addForeignCompound(variants: VariantSet, word: string, reading: QueryReading): void {
  if (!reading.parts.forms || word.length < MIN_FOREIGN_COMPOUND) return;
  const meaning = (part: string) => translationsOf([part.replace(JOINT, '')], reading);
  const isGerman = (part: string): boolean =>
    meaning(part).some(({ relation }) => relation === 'de');
  const parts = splitWord(word, MIN_FOREIGN_PART, (one) => meaning(one).length > 0);
  for (const part of parts.length > 0 ? parts : headOf(word, isGerman)) {
    variants.addExpansions(meaning(part), VARIANT_WEIGHTS.indirect);
  }
}

function addCorrections(variants: VariantSet, word: string, reading: QueryReading): void {
  const stem = stemOf(word);
  const mistakes = correctedMistakes(stem.length);
  if (!reading.parts.corrections || mistakes === 0) return;
  for (const similar of reading.vocabulary.corrections(stem, mistakes)) {
    variants.add({ stem: similar, kind: 'correction', weight: VARIANT_WEIGHTS.correction });
    if (reading.parts.thesaurus) {
      variants.addExpansions(reading.thesaurus.expansions(similar), VARIANT_WEIGHTS.indirect);
    }
  }
}

function addForms(variants: VariantSet, stem: string, { vocabulary, parts }: QueryReading): void {
  if (!parts.forms) return;
  for (const form of formsOf(stem)) {
    if (vocabulary.has(form))
      variants.add({ stem: form, kind: 'form', weight: VARIANT_WEIGHTS.form });
  }
}

/** Leaves out the English meaning of a word when the query is in another language and the word means something in it. */
function addMeanings(variants: VariantSet, word: string, reading: QueryReading): void {
  const english = expansionsOf([word], reading);
  const isUnknown = english.length === 0 && variants.isEmpty;
  const foreign =
    reading.language !== undefined || isUnknown ? translationsOf([word], reading) : [];
  variants.addExpansions(foreign.length > 0 ? foreign : english);
}

/** Reads a word that is neither a word of tools nor in the thesaurus; the first way that finds something counts. */
function addGuess(variants: VariantSet, word: string, reading: QueryReading): void {
  for (const guess of [addCompound, addForeignCompound, addCorrections]) {
    if (variants.isEmpty) guess(variants, word, reading);
  }
}

/**
 * Returns the words of tools for which a word of a query may stand.
 *
 * @param word in lower case and without accents
 */
export function readWord(word: string, reading: QueryReading): readonly Variant[] {
  const stem = stemOf(word);
  const variants = new VariantSet();
  if (reading.vocabulary.has(stem))
    variants.add({ stem, kind: 'word', weight: VARIANT_WEIGHTS.word });
  addMeanings(variants, word, reading);
  if (variants.isEmpty) {
    addForms(variants, stem, reading);
    addGuess(variants, word, reading);
  } else addForms(variants, stem, reading);
  return variants.all();
}
