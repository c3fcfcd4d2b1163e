import { VARIANT_WEIGHTS, type Concept } from './query-variants.ts';
import { wordsOf } from './words.ts';

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
export function shapeConcepts(query: string): readonly Concept[] {
  const text = query.slice(0, MAX_CHARACTERS);
  return SHAPES.flatMap(({ pattern, words }) => {
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) return [];
    const variants = wordsOf(words).map(
      (stem) => ({ stem, kind: 'synonym', weight: VARIANT_WEIGHTS.query }) as const,
    );
    return [{ text: found.trim().toLowerCase(), weight: 1, variants }];
  });
}
