import { expect, it } from 'vitest';
import { developmentFigures, referenceFigures, type Figures } from '../bench/search-quality.ts';

/** The least recall among the first 1, 5 and 10, and the least reciprocal rank. */
type Floor = readonly [number, number, number, number];

const isReached = ({ at1, at5, at10, reciprocalRank }: Figures, floor: Floor): boolean =>
  [at1, at5, at10, reciprocalRank].every((figure, index) => figure >= (floor[index] ?? 0));

it.each([
  ['labels of relevance 2', 2, [0.66, 0.97, 0.98, 0.78]],
  ['labels of relevance 1 and 2', 1, [0.63, 0.92, 0.97, 0.8]],
] as const)('finds the tools of the reference set: %s', (_, least, floor) => {
  const figures = referenceFigures(least);
  expect([figures, isReached(figures, floor)]).toEqual([figures, true]);
});

const development = developmentFigures();

it.each([
  ['tune', [0.63, 0.88, 0.91, 0.74]],
  ['check', [0.7, 0.91, 0.95, 0.8]],
  ['held', [0.56, 0.81, 0.89, 0.68]],
  ['fresh', [0.38, 0.64, 0.72, 0.5]],
  ['read', [0.62, 0.87, 0.91, 0.73]],
  ['unread', [0.58, 0.86, 0.89, 0.7]],
  ['unread, question', [0.7, 0.95, 0.95, 0.8]],
  ['hard', [0.16, 0.46, 0.57, 0.3]],
  ['tasks', [0.38, 0.63, 0.74, 0.5]],
  ['check, typo', [0.95, 1, 1, 0.95]],
  ['check, server', [0.95, 1, 1, 0.95]],
  ['fresh, server', [0.6, 1, 1, 0.75]],
  ['fresh, typo', [0.7, 1, 1, 0.85]],
  ['unread, server', [0.9, 1, 1, 0.9]],
  ['unread, typo', [0.95, 1, 1, 0.95]],
] as const)('finds the tools of the development set: %s', (group, floor) => {
  const figures = development.get(group);
  expect([group, figures !== undefined && isReached(figures, floor), figures]).toEqual([
    group,
    true,
    figures,
  ]);
});
