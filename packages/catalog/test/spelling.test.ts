import { describe, expect, it } from 'vitest';
import {
  computeMistakeLimit,
  countMistakes,
  listSimilarWords,
  createWordList,
} from '../src/words.ts';
import { fc, test } from './fast-check.ts';

describe('the mistakes between', () => {
  it.each([
    ['delete', 'delete', 0],
    ['delte', 'delete', 1],
    ['delette', 'delete', 1],
    ['dalete', 'delete', 1],
    ['deelte', 'delete', 1],
    ['detele', 'delete', 2],
    ['', 'ab', 2],
  ])('%j and %j', (a, b, mistakes) => {
    expect(countMistakes(a, b, 2)).toBe(mistakes);
    expect(countMistakes(b, a, 2)).toBe(mistakes);
  });

  it('are counted up to the limit', () => {
    expect(countMistakes('kitten', 'sitting', 2)).toBe(3);
    expect(countMistakes('kitten', 'sitting', 3)).toBe(3);
    expect(countMistakes('a', 'a'.repeat(1e6), 2)).toBe(3);
  });
});

it('are corrected: one from four letters on, two from eight on', () =>
  expect([3, 4, 7, 8, 64].map(computeMistakeLimit)).toEqual([0, 1, 1, 2, 2]));

describe('a list of words', () => {
  const list = createWordList(['weather', 'whether', 'feather', 'forecast', '天气']);

  it('has similar ones', () =>
    expect(listSimilarWords('wether', list, 1)).toEqual([
      { word: 'weather', mistakes: 1 },
      { word: 'whether', mistakes: 1 },
    ]));

  const word = fc.stringMatching(/^[a-d]{0,6}$/);
  test(
    'gives every word within the limit',
    fc.tuple(word, fc.array(word), fc.nat(2)),
    ([asked, words, limit]) => {
      const near = words.filter((one) => countMistakes(asked, one, limit) <= limit);
      expect(listSimilarWords(asked, createWordList(words), limit).map((one) => one.word)).toEqual(
        near,
      );
    },
  );
});
