import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readTexts, type SourceText } from '../src/repository-files.ts';

const root = resolve(import.meta.dirname, '../../..');
const MAX_DECISIONS = 35;
const MAX_WORDS = 400;

let decisions: readonly SourceText[];

beforeAll(async () => {
  decisions = await readTexts(root, 'docs/adr', /\/\d{4}-[a-z0-9-]+\.md$/);
});

const nameOf = ({ file }: SourceText): string => file.slice('docs/adr/'.length);

describe('the architecture decisions', () => {
  it('are numbered without gaps', () => {
    const numbers = decisions.map((decision) => nameOf(decision).slice(0, 4));
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.length).toBeLessThanOrEqual(MAX_DECISIONS);
  });

  it('have their number as title, a status and the two sections, on one page', () => {
    const wrong = decisions.filter((decision) => {
      const { text } = decision;
      const hasStart = text.startsWith(`# ${nameOf(decision).slice(0, 4)} `);
      const hasParts = /^Status: accepted$[^]*^## Decision$[^]*^## Rejected$/m.test(text);
      return !hasStart || !hasParts || text.split(/\s+/).length > MAX_WORDS;
    });
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it('are listed once in their README, by their titles', () => {
    const page = readFileSync(join(root, 'docs/adr/README.md'), 'utf8');
    const listed = [...page.matchAll(/^\| \[(?<title>[^\]]+)\]\((?<file>\d{4}-[^)]+)\)/gm)];
    const rows = listed.map(
      ({ groups = {} }) => `${groups['file'] ?? ''}: ${groups['title'] ?? ''}`,
    );
    const titles = decisions.map(
      (decision) => `${nameOf(decision)}: ${decision.text.split('\n')[0]?.slice(2) ?? ''}`,
    );
    expect(rows).toEqual(titles);
  });

  it('exist wherever a text names one', async () => {
    const names = new Set(decisions.map(nameOf));
    const numbers = new Set([...names].map((name) => name.slice(0, 4)));
    const pattern = /\.(?:md|[cm]?[jt]s|tsx|ya?ml)$/;
    const folders = await Promise.all(
      ['packages', 'apps', 'docs'].map((folder) => readTexts(root, folder, pattern)),
    );
    const single = ['README.md', '.dependency-cruiser.mjs'].map((file) => ({
      file,
      text: readFileSync(join(root, file), 'utf8'),
    }));
    const missing = [...single, ...folders.flat()].flatMap(({ file, text }) => [
      ...[...text.matchAll(/\badr\/(?<name>\d{4}-[\w-]+\.md)/g)]
        .filter(({ groups = {} }) => !names.has(groups['name'] ?? ''))
        .map(([found]) => `${file}: ${found}`),
      ...[...text.matchAll(/\bADR (?<number>\d{4})\b/g)]
        .filter(({ groups = {} }) => !numbers.has(groups['number'] ?? ''))
        .map(([found]) => `${file}: ${found}`),
    ]);
    expect(missing).toEqual([]);
  });
});
