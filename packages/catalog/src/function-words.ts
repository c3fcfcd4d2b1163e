import functionWords from '../data/function-words.json' with { type: 'json' };
import type { Language } from './thesaurus.ts';
import { writtenWords } from './words.ts';

const setOf = (text: string): ReadonlySet<string> => new Set(writtenWords(text));

const sets: Readonly<Record<Language | 'en', ReadonlySet<string>>> = {
  en: setOf(functionWords.en),
  de: setOf(functionWords.de),
  es: setOf(functionWords.es),
  fr: setOf(functionWords.fr),
  pt: setOf(functionWords.pt),
};

/**
 * Returns whether a word connects others and names nothing, as `the`, `what` and `my` do.
 *
 * @param word in lower case and without accents
 */
export const isFunctionWord = (word: string, language: Language | 'en'): boolean =>
  sets[language].has(word);
