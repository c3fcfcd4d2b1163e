import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from './harness/example-copy.ts';
import { codeSpans } from './harness/markdown.ts';

const GUIDES = [
  'docs/troubleshooting.md',
  'docs/operations.md',
  'docs/servers.md',
  'docs/configuration.md',
  'docs/native-mode.md',
  'docs/agent-manager.md',
];
const PAGE = 'docs/troubleshooting.md';
const read = (name: string): string => readFileSync(join(REPOSITORY, name), 'utf8');
const page = read(PAGE);

const sourcesBelow = (folder: string): readonly string[] =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(REPOSITORY, folder, file), 'utf8'));

/** All sources, with `…` for each interpolated value, as on the page. */
const printed = [
  'apps/gateway/src',
  'apps/agent-manager/src',
  ...readdirSync(join(REPOSITORY, 'packages')).map((name) => `packages/${name}/src`),
]
  .flatMap(sourcesBelow)
  .join('\n')
  .replaceAll(/\$\{[^{}]*\}/gu, '…');

/** Returns the texts of a table row: the code before the first cell of prose. */
const textsOf = (line: string): readonly string[] =>
  (/^\| (?:\d{3} +\| )?(?<text>`[^|]+`) +\|/u.exec(line)?.groups?.['text'] ?? '')
    .split('`, `')
    .map((text) => text.replaceAll('`', ''))
    .filter((text) => text !== '');

const texts = page.split('\n').flatMap(textsOf);

/** Returns all texts of a page with a placeholder. */
const patternsOf = (name: string): readonly string[] =>
  codeSpans(read(name)).filter((text) => text.includes('…') && !text.includes('{{'));

/** Returns whether the sources contain a text, or both of its parts. */
const isPrinted = (text: string): boolean =>
  printed.includes(text) || text.split(': …').every((part) => printed.includes(part));

describe(PAGE, () => {
  it.each(texts)('quotes a text of the program: %s', (text) => {
    expect(printed.includes(text)).toBe(true);
  });

  it.each(GUIDES)('and %s quote texts of the program outside of tables', (guide) => {
    expect(patternsOf(guide).filter((text) => !isPrinted(text))).toEqual([]);
  });

  it('has a text in every line of its tables', () => {
    const rows = page.split('\n').filter((line) => /^\| (?:\d{3} +\| )?`/u.test(line));
    expect(rows.length).toBeGreaterThan(85);
    expect(rows.filter((row) => textsOf(row).length === 0)).toEqual([]);
  });
});
