import { expect, it } from 'vitest';
import { parseYamlDocuments } from '../../src/index.ts';

const resultsOf = (text: string): readonly unknown[] =>
  parseYamlDocuments(text).map((parsed) =>
    parsed.ok
      ? parsed.value
      : parsed.problems.map(({ line, message }) => `${String(line)}: ${message}`).join('; '),
  );

it('parses each document of a text of at most 100', () => {
  expect(resultsOf('a: 1\n---\n- b\n---\n')).toEqual([{ a: 1 }, ['b'], null]);
  expect(resultsOf('')).toEqual([null]);
  expect(resultsOf('--- 1\n'.repeat(100))).toHaveLength(100);
  expect(resultsOf('--- 1\n'.repeat(101))).toEqual(['1: holds more than 100 documents']);
});

it('returns only the problem when one document is invalid', () => {
  expect(resultsOf('a: 1\n---\nb: 1\nb: 2\n')).toEqual(['4: a key is repeated']);
});
