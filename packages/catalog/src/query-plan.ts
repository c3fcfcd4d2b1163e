import {
  type Concept,
  listExpansions,
  isSilent,
  findQueryLanguage,
  type QueryReading,
  readWord,
  listTranslations,
  type Variant,
  VARIANT_WEIGHTS,
  VariantSet,
  type Vocabulary,
} from './query-reading.ts';
import { toForeignStem, toStem, listSearchWords, listPlainWords } from './words.ts';
import { type Expansion, isArticle, type Thesaurus } from './thesaurus.ts';

const PARTICLES: ReadonlySet<string> = new Set(
  'up down out off away back over together'.split(' '),
);

/** The most words between an English verb and its particle. */
const MAX_BETWEEN = 4;

const PREFIXES: ReadonlySet<string> = new Set(
  'ab an auf aus ein her heraus herunter hinzu hoch nach um unter vor weg zu zuruck zusammen'.split(
    ' ',
  ),
);

/** The number of words between a verb and the particle with which it is a phrase of queries; 0 when there is none. */
function computeParticleDistance(
  words: readonly string[],
  at: number,
  reading: QueryReading,
): number {
  const verb = words[at] ?? '';
  for (let between = 1; between <= MAX_BETWEEN; between += 1) {
    const particle = words[at + between + 1];
    if (particle === undefined) return 0;
    if (PARTICLES.has(particle) && listExpansions([verb, particle], reading).length > 0)
      return between;
  }
  return 0;
}

/** Puts the particles of English verbs after their verbs: `jot it down` becomes `jot down it`. */
function withParticles(words: readonly string[], reading: QueryReading): readonly string[] {
  const rest = [...words];
  for (let at = 0; at < rest.length; at += 1) {
    const between = computeParticleDistance(rest, at, reading);
    if (between > 0) rest.splice(at + 1, 0, ...rest.splice(at + between + 1, 1));
  }
  return rest;
}

/** Puts the prefix at the end of a German query before its verb: `lade es herunter` becomes `herunterlade es`. */
function withPrefix(words: readonly string[], reading: QueryReading): readonly string[] {
  const prefix = words.at(-1) ?? '';
  if (!PREFIXES.has(prefix)) return words;
  const isVerb = (word: string): boolean =>
    listTranslations([prefix + word], reading).some(({ relation }) => relation === 'de');
  const at = words.findIndex(isVerb);
  return at === -1 ? words : words.slice(0, -1).with(at, `${prefix}${words[at] ?? ''}`);
}

const withWholeVerbs = (words: readonly string[], reading: QueryReading): readonly string[] =>
  withPrefix(withParticles(words, reading), reading);

/** Length of the part of a query in which shapes are looked for, in UTF-16 code units. */
const MAX_CHARACTERS = 512;

/** A form of data in a query, and the words of tools that take or give such data. */
interface Shape {
  readonly pattern: RegExp;
  /** Separated by spaces. */
  readonly words: string;
}

/** All repetitions are bounded, so that a hostile query costs no more than another one. */
const SHAPES: readonly Shape[] = [
  { pattern: /https?:\/\/|\bwww\./iu, words: 'url link page webpage website' },
  { pattern: /\b[\w.+-]{1,64}@[\w-]{1,64}\.\w{2,}/u, words: 'email mail contact' },
  { pattern: /\b(?:\d{1,3}\.){3}\d{1,3}\b/u, words: 'ip address network host' },
  {
    pattern:
      /(?<![@.\w])[a-z0-9][a-z0-9-]{0,62}\.(?:com|org|net|edu|gov|io|dev|info|eu|de|fr|es|pt|uk)\b/iu,
    words: 'domain website url site',
  },
  {
    pattern: /\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b/iu,
    words: 'time timezone schedule',
  },
  {
    pattern: /\b\d{1,12} ?%|\d ?[+*×÷^] ?\d|\d [-/] \d/u,
    words: 'calculate calculator compute math expression',
  },
  { pattern: /[$€£¥] ?\d|\d ?[€£¥]/u, words: 'price amount currency exchange rate' },
  {
    pattern: /[+-]?\d{1,3}\.\d{1,12} ?[,;] ?[+-]?\d{1,3}\.\d/u,
    words: 'coordinate latitude longitude geocode location',
  },
  { pattern: /\b[A-Z]{1,3}\d{1,6}:[A-Z]{1,3}\d{1,6}\b/u, words: 'cell range sheet' },
  {
    pattern:
      /\b[\w-]{1,64}\.(?:txt|md|pdf|docx?|xlsx?|pptx?|csv|json|xml|ya?ml|html?|png|jpe?g|gif|svg|mp[34]|wav|zip|log)\b/iu,
    words: 'file path',
  },
];

/** Returns what the forms of data in a query stand for: `12% of 950` for tools that calculate. */
function listShapeConcepts(query: string): readonly Concept[] {
  const text = query.slice(0, MAX_CHARACTERS);
  return SHAPES.flatMap(({ pattern, words }) => {
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) return [];
    const variants = listSearchWords(words).map(
      (stem) => ({ stem, kind: 'synonym', weight: VARIANT_WEIGHTS.query }) as const,
    );
    return [{ text: found.trim().toLowerCase(), weight: 1, variants }];
  });
}

/** Maximum number of distinct words of a query that are used. */
const MAX_QUERY_WORDS = 64;

/** Verbs that are too common in tool names and in requests to distinguish tools. */
const COMMON_VERBS =
  'list get show give tell display view see make do fetch retrieve obtain find search look';
let commonStems: ReadonlySet<string> | undefined;

const isCommonVerb = (stem: string): boolean => {
  // Stems cost time, which the start of a process without searches does not need.
  commonStems ??= new Set(listSearchWords(COMMON_VERBS));
  return commonStems.has(stem);
};
const COMMON_VERB_WEIGHT = 0.3;

/** Fewest letters of two neighbours that are read as one word. */
const MIN_JOINED = 5;

/** A word or a phrase that stands mostly for common verbs, as `tell me` does, says as little as they do. */
function createConcept(text: string, variants: readonly Variant[]): Concept {
  const common = variants.filter(({ stem }) => isCommonVerb(stem)).length;
  const isCommon = isCommonVerb(toStem(text)) || (common > 0 && common * 2 >= variants.length);
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

const canBeginPhrase = (word: string, { phraseStarts }: Thesaurus): boolean =>
  phraseStarts.has(toStem(word)) || phraseStarts.has(toForeignStem(word));

/** Returns whether a part without the article at its beginning or end is the same phrase. A phrase as `my notes` has an article of its own. */
const hasEdgeArticle = (part: readonly string[]): boolean =>
  part.length > 2 && (isArticle(part[0] ?? '') || isArticle(part.at(-1) ?? ''));

/** The longest phrase of the thesaurus that begins at a word. */
function findPhrase(
  words: readonly string[],
  at: number,
  reading: QueryReading,
): Phrase | undefined {
  if (!canBeginPhrase(words[at] ?? '', reading.thesaurus)) return undefined;
  const most = Math.min(reading.thesaurus.longestPhrase, words.length - at);
  for (let length = most; length > 1; length -= 1) {
    const part = words.slice(at, at + length);
    const english = hasEdgeArticle(part) ? [] : listExpansions(part, reading);
    const expansions = [...english, ...listTranslations(part, reading)];
    if (expansions.length === 0) continue;
    const variants = new VariantSet();
    variants.addExpansions(expansions);
    const concept = createConcept(part.join(' '), variants.all());
    return { concept, length, isWhole: expansions.every(isOfQueries) };
  }
  return undefined;
}

/** Neighbours that tools write as one word: `data base`. */
function listCompoundConcepts(
  words: readonly string[],
  { vocabulary }: QueryReading,
): readonly Concept[] {
  return words.slice(1).flatMap((word, index) => {
    const before = words[index] ?? '';
    const stem = toStem(before + word);
    if (before.length + word.length < MIN_JOINED || !vocabulary.has(stem)) return [];
    const variant = { stem, kind: 'compound', weight: VARIANT_WEIGHTS.compound } as const;
    return [{ text: `${before} ${word}`, weight: 1, variants: [variant] }];
  });
}

/** Reads word for word; a phrase counts once more, and instead of its words when these have no meaning of their own. */
function listConcepts(words: readonly string[], reading: QueryReading): readonly Concept[] {
  const concepts: Concept[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < words.length;) {
    const phrase = findPhrase(words, at, reading);
    if (phrase !== undefined && !seen.has(phrase.concept.text)) concepts.push(phrase.concept);
    if (phrase !== undefined) seen.add(phrase.concept.text);
    if (phrase?.isWhole === true) {
      at += phrase.length;
      continue;
    }
    const word = words[at] ?? '';
    if (!seen.has(word) && !isSilent(word, reading))
      concepts.push(createConcept(word, readWord(word, reading)));
    seen.add(word);
    at += 1;
  }
  return concepts;
}

/** Returns the words of a query up to the most distinct ones that are used. */
function limitWords(query: string): readonly string[] {
  const words = listPlainWords(query);
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
}

/**
 * Reads a query: the words of tools for which each of its words and phrases stands. Function words are left out unless there are no others.
 * Only the first 4,096 UTF-16 code units and the first 64 distinct words are used.
 */
export function planQuery(
  query: string,
  { thesaurus, vocabulary }: PlanOptions,
): readonly Concept[] {
  const words = limitWords(query);
  const language = findQueryLanguage(words, thesaurus);
  const reading: QueryReading = { thesaurus, vocabulary, language };
  const concepts = listConcepts(withWholeVerbs(words, reading), reading);
  const shapes = listShapeConcepts(query);
  if (concepts.length + shapes.length > 0)
    return [...concepts, ...listCompoundConcepts(words, reading), ...shapes];
  return [...new Set(words)].map((word) => createConcept(word, readWord(word, reading)));
}
