import { foreignStem } from './foreign-stem.ts';
import { isFunctionWord } from './function-words.ts';
import { stemOf } from './stem.ts';
import {
  englishKey,
  LANGUAGES,
  type Expansion,
  type Language,
  type Thesaurus,
} from './thesaurus.ts';

/** The words of the tools that are searched. */
export interface Vocabulary {
  has(stem: string): boolean;
  /** Returns the few stems with the fewest mistakes between them and a stem, at most `mistakes`. */
  corrections(stem: string, mistakes: number): readonly string[];
}

/** The parts of the ranking that can be left out, to measure the value of each. */
export interface RankingParts {
  readonly thesaurus: boolean;
  readonly corrections: boolean;
  readonly functionWords: boolean;
  readonly forms: boolean;
  readonly servers: boolean;
  readonly nameHits: boolean;
  readonly guesses: boolean;
}

/** Nothing is left out. */
export const ALL_PARTS: RankingParts = {
  thesaurus: true,
  corrections: true,
  functionWords: true,
  forms: true,
  servers: true,
  nameHits: true,
  guesses: true,
};

/** The sources in which the words of a query are looked up. */
export interface QueryReading {
  readonly thesaurus: Thesaurus;
  readonly vocabulary: Vocabulary;
  readonly parts: RankingParts;
  /** The language of the query when it is probably not English. */
  readonly language: Language | undefined;
}

const isOfLanguage = (word: string, language: Language, thesaurus: Thesaurus): boolean =>
  isFunctionWord(word, language) ||
  thesaurus.translations(foreignStem(word)).some(({ relation }) => relation === language);

const isEnglish = (word: string, thesaurus: Thesaurus): boolean =>
  isFunctionWord(word, 'en') || thesaurus.stems.has(stemOf(word));

/** Returns the language that has more of the words than English; `undefined` when none has. */
export function languageOf(words: readonly string[], thesaurus: Thesaurus): Language | undefined {
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
export function translationsOf(
  words: readonly string[],
  { thesaurus, language, parts }: QueryReading,
): readonly Expansion[] {
  if (!parts.thesaurus) return [];
  const all = thesaurus.translations(words.map(foreignStem).join(' '));
  return language === undefined ? all : all.filter(({ relation }) => relation === language);
}

/** Returns what English words stand for. */
export const expansionsOf = (
  words: readonly string[],
  { thesaurus, parts }: QueryReading,
): readonly Expansion[] => (parts.thesaurus ? thesaurus.expansions(englishKey(words)) : []);

/** Returns whether a word of the query carries no weight. */
export const isSilent = (word: string, { parts, language }: QueryReading): boolean =>
  parts.functionWords &&
  (isFunctionWord(word, 'en') || (language !== undefined && isFunctionWord(word, language)));
