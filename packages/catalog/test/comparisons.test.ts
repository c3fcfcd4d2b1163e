import { describe, expect, it } from 'vitest';
import { readGeneralThesaurus } from '../src/thesaurus.ts';
import { type CatalogSnapshot, searchTools } from '../src/index.ts';
import { searchIndex } from '../src/search-index.ts';
import { SearchVocabulary } from '../src/query-scores.ts';
import { readInShares, listSimilarWords, createWordList } from '../src/words.ts';
import { catalogOf, server, serverTool } from './inventories.ts';

const ASKED = 'qwxzvkbjm';

/** Different words of the letters of the query, each with more mistakes than are corrected. */
function decoys(count: number): readonly string[] {
  const words = new Set<string>();
  const grow = (word: string, rest: string): void => {
    if (words.size >= count) return;
    if (rest === '') words.add(word);
    for (const letter of rest) grow(word + letter, rest.replace(letter, ''));
  };
  grow('', 'mjbkvzxwq');
  return [...words];
}

/** A catalog in which a word that is similar to the query comes after many that are not. */
function catalogWith(count: number, last: string): CatalogSnapshot {
  const words = decoys(count);
  const tools = Array.from({ length: Math.ceil(count / 300) }, (_, at) =>
    serverTool(`t${at.toString()}`, {
      description: words.slice(at * 300, at * 300 + 300).join(' '),
    }),
  );
  return catalogOf(server('s', [...tools, serverTool('z', { description: last })]));
}

describe('the comparisons of a query', () => {
  const near = `${ASKED}h`;
  const corrections = (count: number) =>
    new SearchVocabulary(searchIndex(catalogWith(count, near)), readGeneralThesaurus()).corrections(
      ASKED,
      1,
    );

  it('correct a word among many, up to a limit', () => {
    expect(corrections(1000)).toEqual([near]);
    expect(corrections(6000)).toEqual([]);
  });

  it('find the closest word among many, up to a limit', () => {
    const closest = (count: number) => {
      const catalog = catalogWith(count, `${ASKED}hhh`);
      const found = searchTools(catalog, catalog.tools, { query: ASKED });
      return found.ok && found.value.closest;
    };
    expect(closest(1000)).toBe(`${ASKED}hhh`);
    expect(closest(6000)).toBeUndefined();
  });
});

it('that are left end the reading of a list', () => {
  const list = createWordList(['weather', 'feather', 'leather']);
  expect(listSimilarWords('weather', list, 1, { left: 2 }).map(({ word }) => word)).toEqual([
    'weather',
    'feather',
  ]);
});

it('are shared by lists: short ones leave theirs to the others', () => {
  const lists = [9, 1, 5].map((length) => createWordList(Array<string>(length).fill('word')));
  const comparisons = { left: 11 };
  const found = readInShares(lists, comparisons, (list, share) =>
    listSimilarWords('word', list, 0, share).map(() => list.words.length),
  );
  expect(found).toEqual([9, 9, 9, 9, 9, 1, 5, 5, 5, 5, 5]);
  expect(comparisons.left).toBe(0);
});
