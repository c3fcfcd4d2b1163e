import type { CatalogTool } from './catalog-tool.ts';
import { generalThesaurus } from './thesaurus.ts';
import { planQuery } from './query-plan.ts';
import type { Concept, MatchKind, Variant } from './query-reading.ts';
import type { RankOptions } from './search.ts';
import { searchIndex, toolTexts } from './search-index.ts';
import { SearchVocabulary } from './query-scores.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { stemOf, writtenWords } from './words.ts';

/** A word or a phrase of a query, and the word of a tool for which it stands. */
export interface WordMatch {
  readonly query: string;
  readonly tool: string;
  readonly kind: MatchKind;
}

/** The words that a tool and a query share, in the order of the query. A tool that was found by other means has none. */
export interface MatchExplanation {
  readonly tool: CatalogTool;
  readonly matches: readonly WordMatch[];
}

/** The words of a tool as they are written, by stem. */
function writtenByStem(tool: CatalogTool): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const text of Object.values(toolTexts(tool)).flat()) {
    const written = writtenWords(text);
    for (const [index, word] of written.entries()) {
      // The words of names such as `GitHub` are indexed as one as well.
      for (const one of [word, word + (written[index + 1] ?? '')]) {
        if (!words.has(stemOf(one))) words.set(stemOf(one), one);
      }
    }
  }
  return words;
}

function bestMatch(
  { text, variants }: Concept,
  words: ReadonlyMap<string, string>,
): readonly WordMatch[] {
  const found = variants.filter(({ stem }) => words.has(stem));
  const [first, ...rest] = found;
  if (first === undefined) return [];
  const best = rest.reduce<Variant>((a, b) => (b.weight > a.weight ? b : a), first);
  return [{ query: text, tool: words.get(best.stem) ?? best.stem, kind: best.kind }];
}

/** Explains why a query finds tools: the word of each tool that fits each word of the query best. */
export function explainMatches(
  snapshot: CatalogSnapshot,
  query: string,
  tools: readonly CatalogTool[],
  { thesaurus = generalThesaurus() }: Pick<RankOptions, 'thesaurus'> = {},
): readonly MatchExplanation[] {
  const vocabulary = new SearchVocabulary(searchIndex(snapshot), thesaurus);
  const concepts = planQuery(query, { thesaurus, vocabulary });
  return tools.map((tool) => {
    const words = writtenByStem(tool);
    return { tool, matches: concepts.flatMap((concept) => bestMatch(concept, words)) };
  });
}
