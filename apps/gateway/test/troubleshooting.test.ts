import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from './harness/example-copy.ts';

const PAGE = 'docs/troubleshooting.md';
const page = readFileSync(join(REPOSITORY, PAGE), 'utf8');

const sourcesBelow = (folder: string): readonly string[] =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(REPOSITORY, folder, file), 'utf8'));

/** All sources, each value that a text takes in shown as the page shows it. */
const printed = [
  'apps/gateway/src',
  ...readdirSync(join(REPOSITORY, 'packages')).map((name) => `packages/${name}/src`),
]
  .flatMap(sourcesBelow)
  .join('\n')
  .replaceAll(/\$\{[^{}]*\}/gu, '…');

/** The texts of a table's line: what stands in code before the second cell of prose. */
const textsOf = (line: string): readonly string[] =>
  (/^\| (?:\d{3} +\| )?(?<text>`[^|]+`) +\|/u.exec(line)?.groups?.['text'] ?? '')
    .split('`, `')
    .map((text) => text.replaceAll('`', ''))
    .filter((text) => text !== '');

const texts = page.split('\n').flatMap(textsOf);

describe(PAGE, () => {
  it.each(texts)('quotes a text of the program: %s', (text) => {
    expect(printed.includes(text)).toBe(true);
  });

  it('has a text in every line of its tables', () => {
    const rows = page.split('\n').filter((line) => /^\| (?:\d{3} +\| )?`/u.test(line));
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((row) => textsOf(row).length === 0)).toEqual([]);
  });

  it('would miss a text that no source has', () => {
    expect(textsOf('| `Host … is forbidden` | a | b |')).toEqual(['Host … is forbidden']);
    expect(printed.includes('Host … is forbidden')).toBe(false);
  });
});
