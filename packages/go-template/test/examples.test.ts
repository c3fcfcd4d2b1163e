import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  offers,
  path,
  place,
  template,
  underline,
  wrongPath,
} from '../examples/check-templates.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('are shown in the README as they are run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/check-templates.ts'));
});

it('finds the problems of templates and paths', () => {
  expect(underline('{{ .input.name | upper }}')).toBe('fine');
  expect(underline('{{ shout }}')).toBe('1:4 function "shout" not defined');
  expect(place).toEqual({ line: 2, column: 2 });
  expect(offers.map(([name]) => name)).toEqual(['trimSuffix']);
  expect([template.ok, path.ok]).toEqual([true, true]);
  expect(wrongPath).toEqual({ ok: false, error: "unterminated index in path 'items['" });
});
