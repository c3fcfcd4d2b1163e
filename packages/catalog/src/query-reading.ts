import {
  toEnglishKey,
  type Expansion,
  isFunctionWord,
  type Language,
  LANGUAGES,
  type Relation,
  type Thesaurus,
} from './thesaurus.ts';
import { toForeignStem, listWordForms, toStem, computeMistakeLimit } from './words.ts';

/** How a word of a tool corresponds to a word of a query. */
export type MatchKind = 'word' | 'form' | 'compound' | 'synonym' | 'translation' | 'correction';

/** A word of tools that a word of a query stands for. */
export interface Variant {
  readonly stem: string;
  readonly kind: MatchKind;
  /** Between 0 and 1: the value of a match compared with one of the word itself. */
  readonly weight: number;
}

/** A word or a phrase of a query, and the words of tools that it stands for. */
export interface Concept {
  /** As written, in lower case and without accents. */
  readonly text: string;
  readonly weight: number;
  readonly variants: readonly Variant[];
}

/** The value of a match by its kind. Words of phrases that only queries use are closer to their group than its words to each other. */
export const VARIANT_WEIGHTS = {
  word: 1,
  form: 0.7,
  compound: 0.8,
  synonym: 0.5,
  related: 0.35,
  query: 0.7,
  translation: 0.8,
  correction: 0.9,
  /** Of the synonyms of a corrected word, and of translations of a part of a word. */
  indirect: 0.7,
} as const;

const isEnglishRelation = (relation: Relation): relation is Exclude<Relation, Language> =>
  relation === 'synonym' || relation === 'related' || relation === 'query';

const resolveWeight = ({ relation }: Expansion): number =>
  isEnglishRelation(relation) ? VARIANT_WEIGHTS[relation] : VARIANT_WEIGHTS.translation;

/** The variants of one word, each stem once, with its highest weight. */
export class VariantSet {
  readonly #byStem = new Map<string, Variant>();

  get isEmpty(): boolean {
    return this.#byStem.size === 0;
  }

  add(variant: Variant): void {
    const known = this.#byStem.get(variant.stem);
    if (known === undefined || known.weight < variant.weight)
      this.#byStem.set(variant.stem, variant);
  }

  /** @param factor what each weight is multiplied by */
  addExpansions(expansions: readonly Expansion[], factor = 1): void {
    for (const expansion of expansions) {
      const kind = isEnglishRelation(expansion.relation) ? 'synonym' : 'translation';
      const weight = factor * resolveWeight(expansion);
      for (const stem of expansion.stems) this.add({ stem, kind, weight });
    }
  }

  all(): readonly Variant[] {
    return [...this.#byStem.values()];
  }
}

/** The words of the tools that are searched. */
export interface Vocabulary {
  has(stem: string): boolean;
  /** Returns the few stems with the fewest mistakes between them and a stem, at most `mistakes`. */
  corrections(stem: string, mistakes: number): readonly string[];
}

/** The sources in which the words of a query are looked up. */
export interface QueryReading {
  readonly thesaurus: Thesaurus;
  readonly vocabulary: Vocabulary;
  /** The language of the query when it is probably not English. */
  readonly language: Language | undefined;
}

const isOfLanguage = (word: string, language: Language, thesaurus: Thesaurus): boolean =>
  isFunctionWord(word, language) ||
  thesaurus.translations(toForeignStem(word)).some(({ relation }) => relation === language);

const isEnglish = (word: string, thesaurus: Thesaurus): boolean =>
  isFunctionWord(word, 'en') || thesaurus.stems.has(toStem(word));

/** Returns the language that has more of the words than English; `undefined` when none has. */
export function findQueryLanguage(
  words: readonly string[],
  thesaurus: Thesaurus,
): Language | undefined {
  let most = words.filter((word) => isEnglish(word, thesaurus)).length;
  let found: Language | undefined;
  for (const language of LANGUAGES) {
    const count = words.filter((word) => isOfLanguage(word, language, thesaurus)).length;
    if (count > most) {
      most = count;
      found = language;
    }
  }
  return found;
}

/** Returns what words mean in the language of the query, or in any when it is unknown. */
export function listTranslations(
  words: readonly string[],
  { thesaurus, language }: QueryReading,
): readonly Expansion[] {
  const all = thesaurus.translations(words.map(toForeignStem).join(' '));
  return language === undefined ? all : all.filter(({ relation }) => relation === language);
}

/** Returns what English words stand for. */
export const listExpansions = (
  words: readonly string[],
  { thesaurus }: QueryReading,
): readonly Expansion[] => thesaurus.expansions(toEnglishKey(words));

/** Returns whether a word of the query carries no weight. */
export const isSilent = (word: string, { language }: QueryReading): boolean =>
  isFunctionWord(word, 'en') || (language !== undefined && isFunctionWord(word, language));

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

function addCompound(variants: VariantSet, word: string, { vocabulary }: QueryReading): void {
  if (word.length < MIN_COMPOUND) return;
  for (const part of splitWord(word, MIN_PART, (one) => vocabulary.has(toStem(one)))) {
    variants.add({ stem: toStem(part), kind: 'compound', weight: VARIANT_WEIGHTS.compound });
  }
}

/** The longest known end of a word: the last part of a German compound names the kind of thing. */
function listHeads(word: string, isKnown: (part: string) => boolean): readonly string[] {
  for (let at = MIN_FOREIGN_PART; at <= word.length - MIN_HEAD; at += 1) {
    if (isKnown(word.slice(at))) return [word.slice(at)];
  }
  return [];
}

function addForeignCompound(variants: VariantSet, word: string, reading: QueryReading): void {
  if (word.length < MIN_FOREIGN_COMPOUND) return;
  const meaning = (part: string) => listTranslations([part.replace(JOINT, '')], reading);
  const isGerman = (part: string): boolean =>
    meaning(part).some(({ relation }) => relation === 'de');
  const parts = splitWord(word, MIN_FOREIGN_PART, (one) => meaning(one).length > 0);
  for (const part of parts.length > 0 ? parts : listHeads(word, isGerman)) {
    variants.addExpansions(meaning(part), VARIANT_WEIGHTS.indirect);
  }
}

function addCorrections(variants: VariantSet, word: string, reading: QueryReading): void {
  const stem = toStem(word);
  const mistakes = computeMistakeLimit(stem.length);
  if (mistakes === 0) return;
  for (const similar of reading.vocabulary.corrections(stem, mistakes)) {
    variants.add({ stem: similar, kind: 'correction', weight: VARIANT_WEIGHTS.correction });
    variants.addExpansions(reading.thesaurus.expansions(similar), VARIANT_WEIGHTS.indirect);
  }
}

function addForms(variants: VariantSet, stem: string, { vocabulary }: QueryReading): void {
  for (const form of listWordForms(stem)) {
    if (vocabulary.has(form))
      variants.add({ stem: form, kind: 'form', weight: VARIANT_WEIGHTS.form });
  }
}

/** Leaves out the English meaning of a word when the query is in another language and the word means something in it. */
function addMeanings(variants: VariantSet, word: string, reading: QueryReading): void {
  const english = listExpansions([word], reading);
  const isUnknown = english.length === 0 && variants.isEmpty;
  const foreign =
    reading.language !== undefined || isUnknown ? listTranslations([word], reading) : [];
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
  const stem = toStem(word);
  const variants = new VariantSet();
  if (reading.vocabulary.has(stem))
    variants.add({ stem, kind: 'word', weight: VARIANT_WEIGHTS.word });
  addMeanings(variants, word, reading);
  const isKnown = !variants.isEmpty;
  addForms(variants, stem, reading);
  if (!isKnown) addGuess(variants, word, reading);
  return variants.all();
}
