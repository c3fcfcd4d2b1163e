import functionWords from '../data/function-words.json' with { type: 'json' };
import type { Language } from './thesaurus.ts';
import { writtenWords } from './words.ts';

type WordLanguage = Language | 'en';

/** The words of the languages that queries have used. */
const known = new Map<WordLanguage, ReadonlySet<string>>();

const wordsOfLanguage = (language: WordLanguage): ReadonlySet<string> => {
  const words = known.get(language) ?? new Set(writtenWords(functionWords[language]));
  known.set(language, words);
  return words;
};

/**
 * Returns whether a word connects others and names nothing, as `the`, `what` and `my` do.
 *
 * @param word in lower case and without accents
 */
export const isFunctionWord = (word: string, language: WordLanguage): boolean =>
  wordsOfLanguage(language).has(word);
