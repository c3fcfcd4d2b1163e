import { expect, it } from 'vitest';
import {
  developmentFigures,
  LEFT_OUT,
  referenceFigures,
  type Figures,
} from '../bench/search-quality.ts';

/** The least recall among the first 1, 5 and 10, and the least reciprocal rank. */
type Floor = readonly [number, number, number, number];

const isReached = ({ at1, at5, at10, reciprocalRank }: Figures, floor: Floor): boolean =>
  [at1, at5, at10, reciprocalRank].every((figure, index) => figure >= (floor[index] ?? 0));

it.each([
  ['labels of relevance 2', 2, [0.6, 0.9, 0.95, 0.72]],
  ['labels of relevance 1 and 2', 1, [0.57, 0.86, 0.95, 0.75]],
] as const)('finds the tools of the reference set: %s', (_, least, floor) => {
  const figures = referenceFigures(least);
  expect([figures, isReached(figures, floor)]).toEqual([figures, true]);
});

const development = developmentFigures();

it.each([
  ['tune', [0.58, 0.85, 0.9, 0.7]],
  ['check', [0.65, 0.9, 0.95, 0.76]],
  ['held', [0.55, 0.8, 0.87, 0.67]],
  ['fresh', [0.34, 0.55, 0.62, 0.44]],
  ['check, typo', [0.95, 1, 1, 0.95]],
  ['check, server', [0.95, 1, 1, 0.95]],
  ['fresh, server', [0.6, 1, 1, 0.75]],
  ['fresh, typo', [0.8, 1, 1, 0.9]],
] as const)('finds the tools of the development set: %s', (group, floor) => {
  const figures = development.get(group);
  expect([group, figures !== undefined && isReached(figures, floor), figures]).toEqual([
    group,
    true,
    figures,
  ]);
});

it('finds less without the thesaurus', () =>
  expect(referenceFigures(1, 'thesaurus').at5).toBeLessThan(0.8));

it.each(LEFT_OUT)('still answers without %s', (part) =>
  expect(referenceFigures(1, part)).toMatchObject({ queries: 47 }),
);
