import { toForeignStem, toStem, listPlainWords } from './words.ts';
import groups from '../data/thesaurus.json' with { type: 'json' };
import functionWords from '../data/function-words.json' with { type: 'json' };

/** The languages other than English that the thesaurus translates. */
export const LANGUAGES = ['de', 'es', 'fr', 'pt'] as const;

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** Words with one meaning, in lists separated by commas. `data/README.md` describes the format. */
export interface ThesaurusGroup extends Partial<Readonly<Record<Language, string>>> {
  /** Words of tools that mean the same: each stands for all the others. */
  readonly words?: string;
  /** Words of tools that belong together: each stands for the others, with less weight than words that mean the same. */
  readonly related?: string;
  /** Words of tools for which `queries` and translations stand, and which do not stand for each other. */
  readonly means?: string;
  /** Words and phrases of queries that stand for `words`, `related` and `means`, not the other way round. */
  readonly queries?: string;
  /** Chinese words; as their script is unlike any other, they are searched like `words`. */
  readonly zh?: string;
}

/** How a word of a query stands for others: as one of the words, of the related ones, as a phrase of queries, or as a translation. */
export type Relation = 'synonym' | 'related' | 'query' | Language;

/** The words of tools, stemmed, that a word of a query stands for. */
export interface Expansion {
  readonly relation: Relation;
  readonly stems: readonly string[];
}

/** Returns the words for which words of queries stand. Immutable. */
export interface Thesaurus {
  /** @param key what {@link toEnglishKey} gives; the stem of a word is one */
  expansions(key: string): readonly Expansion[];
  /** @param key as for `expansions`, of foreign stems */
  translations(key: string): readonly Expansion[];
  /** Number of words of the longest phrase. */
  readonly longestPhrase: number;
  /** The first words of the keys of phrases. */
  readonly phraseStarts: ReadonlySet<string>;
  /** The stems of all single English words. */
  readonly stems: ReadonlySet<string>;
}

const NONE: readonly Expansion[] = [];

const parseWordList = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

const listStems = (entry: string): readonly string[] => listPlainWords(entry).map(toStem);

/** Words between those of a phrase that do not change its meaning. */
const ARTICLES: ReadonlySet<string> = new Set(
  'a an the my your our his her its their this that some any'.split(' '),
);

/** Returns whether a word does not count within a phrase. */
export const isArticle = (word: string): boolean => ARTICLES.has(word);

/**
 * Returns the key of a word or a phrase of an English query: `photo of a page` has that of `photo of the pages`.
 *
 * @param words in lower case
 */
export function toEnglishKey(words: readonly string[]): string {
  const [first = ''] = words;
  if (words.length === 1) return toStem(first);
  const others = words.filter((word) => !isArticle(word));
  return (others.length > 1 ? others : words).map(toStem).join(' ');
}

class ThesaurusReader {
  readonly #english = new Map<string, Expansion[]>();
  readonly #foreign = new Map<string, Expansion[]>();
  readonly #stems = new Set<string>();
  readonly #phraseStarts = new Set<string>();
  #longestPhrase = 1;

  add(group: ThesaurusGroup): void {
    const words = parseWordList(group.words);
    const chinese = parseWordList(group.zh);
    const all = [...words, ...parseWordList(group.related), ...chinese];
    const equal = [...new Set(all.flatMap(listStems))];
    const stems = [...new Set([...equal, ...parseWordList(group.means).flatMap(listStems)])];
    for (const word of words) this.#addEnglish(word, { relation: 'synonym', stems: equal });
    for (const word of parseWordList(group.related)) {
      this.#addEnglish(word, { relation: 'related', stems: equal });
    }
    for (const phrase of parseWordList(group.queries))
      this.#addEnglish(phrase, { relation: 'query', stems });
    for (const pair of chinese.flatMap(listPlainWords))
      add(this.#english, pair, { relation: 'query', stems });
    for (const language of LANGUAGES) {
      for (const word of parseWordList(group[language]))
        this.#addForeign(word, { relation: language, stems });
    }
  }

  read(): Thesaurus {
    return {
      expansions: (key) => this.#english.get(key) ?? NONE,
      translations: (key) => this.#foreign.get(key) ?? NONE,
      longestPhrase: this.#longestPhrase,
      phraseStarts: this.#phraseStarts,
      stems: this.#stems,
    };
  }

  #addEnglish(entry: string, expansion: Expansion): void {
    const words = listPlainWords(entry);
    const key = toEnglishKey(words);
    if (words.length === 1) this.#stems.add(key);
    this.#note(words.length, key);
    add(this.#english, key, expansion);
  }

  #addForeign(entry: string, expansion: Expansion): void {
    const stems = listPlainWords(entry).map(toForeignStem);
    const key = stems.join(' ');
    this.#note(stems.length, key);
    add(this.#foreign, key, expansion);
  }

  #note(length: number, key: string): void {
    this.#longestPhrase = Math.max(this.#longestPhrase, length);
    const end = key.indexOf(' ');
    if (end > 0) this.#phraseStarts.add(key.slice(0, end));
  }
}

function add(map: Map<string, Expansion[]>, key: string, expansion: Expansion): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [expansion]);
  else known.push(expansion);
}

function readGroups(groups: Iterable<ThesaurusGroup>): Thesaurus {
  const reader = new ThesaurusReader();
  for (const group of groups) reader.add(group);
  return reader.read();
}

/** Returns a thesaurus of groups of words. Its first use reads them, because a start without a search does not need them. */
export function readThesaurus(groups: readonly ThesaurusGroup[]): Thesaurus {
  let known: Thesaurus | undefined;
  const read = (): Thesaurus => (known ??= readGroups(groups));
  return {
    expansions: (key) => read().expansions(key),
    translations: (key) => read().translations(key),
    get longestPhrase() {
      return read().longestPhrase;
    },
    get phraseStarts() {
      return read().phraseStarts;
    },
    get stems() {
      return read().stems;
    },
  };
}

/**
 * Returns the general thesaurus together with the words of an installation.
 *
 * @param synonyms groups of words and phrases that mean the same; each stands for all the others
 */
export const createThesaurus = (synonyms: readonly (readonly string[])[] = []): Thesaurus =>
  readThesaurus([...groups, ...synonyms.map((words) => ({ words: words.join(',') }))]);

let general: Thesaurus | undefined;

export function readGeneralThesaurus(): Thesaurus {
  general ??= createThesaurus();
  return general;
}

type WordLanguage = Language | 'en';

/** The words of the languages that queries have used. */
const known = new Map<WordLanguage, ReadonlySet<string>>();

const getLanguageWords = (language: WordLanguage): ReadonlySet<string> => {
  const words = known.get(language) ?? new Set(listPlainWords(functionWords[language]));
  known.set(language, words);
  return words;
};

/**
 * Returns whether a word connects others and names nothing, as `the`, `what` and `my` do.
 *
 * @param word in lower case and without accents
 */
export const isFunctionWord = (word: string, language: WordLanguage): boolean =>
  getLanguageWords(language).has(word);
