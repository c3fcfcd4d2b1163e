import type { Expansion, Language, Relation } from './thesaurus.ts';

/** How a word of a tool corresponds to a word of a query. */
export type MatchKind =
  'word' | 'form' | 'compound' | 'synonym' | 'translation' | 'correction' | 'similar';

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

const isEnglish = (relation: Relation): relation is Exclude<Relation, Language> =>
  relation === 'synonym' || relation === 'related' || relation === 'query';

const weightOf = ({ relation }: Expansion): number =>
  isEnglish(relation) ? VARIANT_WEIGHTS[relation] : VARIANT_WEIGHTS.translation;

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
      const kind = isEnglish(expansion.relation) ? 'synonym' : 'translation';
      const weight = factor * weightOf(expansion);
      for (const stem of expansion.stems) this.add({ stem, kind, weight });
    }
  }

  all(): readonly Variant[] {
    return [...this.#byStem.values()];
  }
}
