import { foreignStem } from './foreign-stem.ts';
import {
  ALL_PARTS,
  expansionsOf,
  isSilent,
  languageOf,
  translationsOf,
  type QueryReading,
  type RankingParts,
  type Vocabulary,
} from './query-reading.ts';
import { VARIANT_WEIGHTS, VariantSet, type Concept, type Variant } from './query-variants.ts';
import { readWord } from './read-word.ts';
import { shapeConcepts } from './query-shapes.ts';
import { withWholeVerbs } from './separated-verbs.ts';
import { stemOf } from './stem.ts';
import { isArticle, type Expansion, type Thesaurus } from './thesaurus.ts';
import { wordsOf, writtenWords } from './words.ts';

/** Maximum number of distinct words of a query that are used. */
const MAX_QUERY_WORDS = 64;

/** Verbs that are too common in tool names and in requests to distinguish tools. */
const COMMON_VERBS =
  'list get show give tell display view see make do fetch retrieve obtain find search look';
let commonStems: ReadonlySet<string> | undefined;

const isCommonVerb = (stem: string): boolean => {
  // Stems cost time, which the start of a process without searches does not need.
  commonStems ??= new Set(wordsOf(COMMON_VERBS));
  return commonStems.has(stem);
};
const COMMON_VERB_WEIGHT = 0.3;

/** Fewest letters of two neighbours that are read as one word. */
const MIN_JOINED = 5;

/** A word or a phrase that stands mostly for common verbs, as `tell me` does, says as little as they do. */
function conceptOf(text: string, variants: readonly Variant[]): Concept {
  const common = variants.filter(({ stem }) => isCommonVerb(stem)).length;
  const isCommon = isCommonVerb(stemOf(text)) || (common > 0 && common * 2 >= variants.length);
  return { text, weight: isCommon ? COMMON_VERB_WEIGHT : 1, variants };
}

interface Phrase {
  readonly concept: Concept;
  readonly length: number;
  /** The words of the phrase have no meaning of their own: `get rid of`. */
  readonly isWhole: boolean;
}

const isOfQueries = ({ relation }: Expansion): boolean =>
  relation !== 'synonym' && relation !== 'related';

const beginsPhrase = (word: string, { phraseStarts }: Thesaurus): boolean =>
  phraseStarts.has(stemOf(word)) || phraseStarts.has(foreignStem(word));

/** Returns whether a part without the article at its beginning or end is the same phrase. A phrase as `my notes` has an article of its own. */
const endsWithArticle = (part: readonly string[]): boolean =>
  part.length > 2 && (isArticle(part[0] ?? '') || isArticle(part.at(-1) ?? ''));

/** The longest phrase of the thesaurus that begins at a word. */
function phraseAt(words: readonly string[], at: number, reading: QueryReading): Phrase | undefined {
  if (!beginsPhrase(words[at] ?? '', reading.thesaurus)) return undefined;
  const most = Math.min(reading.thesaurus.longestPhrase, words.length - at);
  for (let length = most; length > 1; length -= 1) {
    const part = words.slice(at, at + length);
    const english = endsWithArticle(part) ? [] : expansionsOf(part, reading);
    const expansions = [...english, ...translationsOf(part, reading)];
    if (expansions.length === 0) continue;
    const variants = new VariantSet();
    variants.addExpansions(expansions);
    const concept = conceptOf(part.join(' '), variants.all());
    return { concept, length, isWhole: expansions.every(isOfQueries) };
  }
  return undefined;
}

/** Neighbours that tools write as one word: `data base`. */
function joinedConcepts(
  words: readonly string[],
  { vocabulary, parts }: QueryReading,
): readonly Concept[] {
  if (!parts.forms) return [];
  return words.slice(1).flatMap((word, index) => {
    const before = words[index] ?? '';
    const stem = stemOf(before + word);
    if (before.length + word.length < MIN_JOINED || !vocabulary.has(stem)) return [];
    const variant = { stem, kind: 'compound', weight: VARIANT_WEIGHTS.compound } as const;
    return [{ text: `${before} ${word}`, weight: 1, variants: [variant] }];
  });
}

/** Reads word for word; a phrase counts once more, and instead of its words when these have no meaning of their own. */
function conceptsOf(words: readonly string[], reading: QueryReading): readonly Concept[] {
  const concepts: Concept[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < words.length;) {
    const phrase = phraseAt(words, at, reading);
    if (phrase !== undefined && !seen.has(phrase.concept.text)) concepts.push(phrase.concept);
    if (phrase !== undefined) seen.add(phrase.concept.text);
    if (phrase?.isWhole === true) {
      at += phrase.length;
      continue;
    }
    const word = words[at] ?? '';
    if (!seen.has(word) && !isSilent(word, reading))
      concepts.push(conceptOf(word, readWord(word, reading)));
    seen.add(word);
    at += 1;
  }
  return concepts;
}

/** Returns the words of a query up to the most distinct ones that are used. */
function usedWords(query: string): readonly string[] {
  const words = writtenWords(query);
  const seen = new Set<string>();
  const end = words.findIndex((word) => seen.add(word).size > MAX_QUERY_WORDS);
  const used = end === -1 ? words : words.slice(0, end);
  // What is written often counts once; the order of the first occurrences is that of phrases.
  return used.length <= 2 * MAX_QUERY_WORDS ? used : [...new Set(used)];
}

/** The dependencies of a reading. */
export interface PlanOptions {
  readonly thesaurus: Thesaurus;
  readonly vocabulary: Vocabulary;
  readonly parts?: RankingParts;
}

/**
 * Reads a query: the words of tools for which each of its words and phrases stands. Function words are left out unless there are no others.
 * Only the first 4,096 UTF-16 code units and the first 64 distinct words are used.
 */
export function planQuery(query: string, options: PlanOptions): readonly Concept[] {
  const { thesaurus, vocabulary, parts = ALL_PARTS } = options;
  const words = usedWords(query);
  const language = parts.thesaurus ? languageOf(words, thesaurus) : undefined;
  const reading: QueryReading = { thesaurus, vocabulary, parts, language };
  const concepts = conceptsOf(withWholeVerbs(words, reading), reading);
  const shapes = parts.thesaurus ? shapeConcepts(query) : [];
  if (concepts.length + shapes.length > 0)
    return [...concepts, ...joinedConcepts(words, reading), ...shapes];
  return [...new Set(words)].map((word) => conceptOf(word, readWord(word, reading)));
}
