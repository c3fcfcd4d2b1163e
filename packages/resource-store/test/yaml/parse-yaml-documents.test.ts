import { expect, it } from 'vitest';
import { parseYamlDocuments } from '../../src/index.ts';

const saidOf = (text: string): readonly unknown[] =>
  parseYamlDocuments(text).map((parsed) =>
    parsed.ok
      ? parsed.value
      : parsed.problems.map(({ line, message }) => `${String(line)}: ${message}`).join('; '),
  );

it('reads each document of a text, of which there may be 100', () => {
  expect(saidOf('a: 1\n---\n- b\n---\n')).toEqual([{ a: 1 }, ['b'], null]);
  expect(saidOf('')).toEqual([null]);
  expect(saidOf('--- 1\n'.repeat(100))).toHaveLength(100);
  expect(saidOf('--- 1\n'.repeat(101))).toEqual(['1: holds more than 100 documents']);
});

it('reads none when one is broken, and says where', () => {
  expect(saidOf('a: 1\n---\nb: 1\nb: 2\n')).toEqual(['4: the key "b" is repeated']);
});
