import groups from '../data/thesaurus.json' with { type: 'json' };
import { readThesaurus, type Thesaurus } from './thesaurus.ts';

/**
 * Returns the general thesaurus together with the words of an installation.
 *
 * @param synonyms groups of words and phrases that mean the same; each stands for all the others
 */
export const createThesaurus = (synonyms: readonly (readonly string[])[] = []): Thesaurus =>
  readThesaurus([...groups, ...synonyms.map((words) => ({ words: words.join(',') }))]);

let general: Thesaurus | undefined;

/** Returns the general thesaurus. */
export function generalThesaurus(): Thesaurus {
  general ??= createThesaurus();
  return general;
}
