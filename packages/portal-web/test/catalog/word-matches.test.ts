import { expect, it } from 'vitest';
import { hasOnlySimilar } from '../../src/queries/catalog.ts';

const explained = (...tools: readonly unknown[]) => ({
  'gateway.internal/explain-query': { tools },
});
const tool = (...kinds: readonly string[]) => ({
  name: 'x',
  matches: kinds.map((kind) => ({ query: 'a', tool: 'b', kind })),
});

it('finds that no tool has a word of the query', () => {
  expect(hasOnlySimilar(explained(tool(), tool()))).toBe(true);
  expect(hasOnlySimilar(explained(tool('similar')))).toBe(true);
});

it.each(['word', 'form', 'compound', 'synonym', 'translation', 'correction'])(
  'finds that a tool has one as a %s',
  (kind) => {
    expect(hasOnlySimilar(explained(tool(), tool('similar', kind)))).toBe(false);
  },
);

it('does not say so of nothing, or of another answer', () => {
  expect(hasOnlySimilar({})).toBe(false);
  expect(hasOnlySimilar(explained())).toBe(false);
  expect(hasOnlySimilar({ 'gateway.internal/explain-query': { tools: 7 } })).toBe(false);
});
