import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RENDER_CASES, renderCase } from './harness/render-cases.ts';

/** Renders whose whole text is a requirement (§2.8), or which tests of other packages read. */
const FOLDER = join(import.meta.dirname, 'golden');
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

const documentsOf = (text: string): readonly string[] => text.split(/^(?=---\n)/mu);
const kindOf = (text: string): string | undefined => /^kind: (\S+)$/mu.exec(text)?.[1];

const GOLDENS = readdirSync(FOLDER, { recursive: true })
  .map((entry) => String(entry).replaceAll('\\', '/'))
  .filter((entry) => entry.endsWith('.yaml'));

it.each(GOLDENS)('%s has what the chart renders of its kinds, byte for byte', async (golden) => {
  const given = RENDER_CASES.find(({ chart, name }) => golden === `${chart}/${name}.yaml`);
  if (given === undefined) throw new Error(`${golden} has no values in test/cases`);
  const file = join(FOLDER, golden);
  const text = readFileSync(file, 'utf8');
  const kinds = new Set(documentsOf(text).map(kindOf));
  const rendered = documentsOf((await renderCase(given)).text)
    .filter((document) => kinds.has(kindOf(document)))
    .join('');
  if (isUpdating && rendered !== text) writeFileSync(file, rendered);
  expect(rendered).toBe(readFileSync(file, 'utf8'));
  expect(kinds).not.toContain(undefined);
});
