import { parseYaml } from '@gateway/files';
import { expect, it } from 'vitest';
import { createYamlParser } from '../../src/isolation/isolated-functions.ts';

it('a text that another process parses has the value, positions and problems of the parser', async () => {
  const parse = createYamlParser();
  const text = 'a: [1, .nan, .inf, -0.0]\n__proto__: {x: 1}\nb: &x {k: y}\nc: *x\n';
  const parsed = parseYaml(text);
  expect(await parse(text, [['b', 'k'], ['c']])).toEqual({
    ok: true,
    value: parsed.ok && parsed.value,
    positions: [
      { line: 3, column: 8 },
      { line: 4, column: 1 },
    ],
  });
  expect(await parse('a: 1\na: 2\n')).toEqual({
    ok: false,
    problems: [{ line: 2, column: 1, message: 'a key is repeated' }],
  });
});

it('a text is refused when no process starts, and the next one is parsed', async () => {
  const parse = createYamlParser();
  const { execPath } = process;
  process.execPath = '/no/such/program';
  try {
    expect(await parse('a: 1')).toMatchObject({
      problems: [{ message: 'cannot be parsed: the parser ran out of memory or could not start' }],
    });
  } finally {
    process.execPath = execPath;
  }
  expect(await parse('a: 1')).toMatchObject({ ok: true, value: { a: 1 } });
});
