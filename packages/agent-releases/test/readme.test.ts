import { readFileSync } from 'node:fs';
import * as surface from '@gateway/agent-releases';
import { expect, it } from 'vitest';
import { createReader } from '../examples/create-an-agent.ts';
import { memoryStore } from './support/memory-store.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const shown = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(read('README.md'))?.[1] ?? '';

it('shows the example as it is run here', () =>
  expect(shown('ts')).toBe(read('examples/create-an-agent.ts')));

it('writes the manifests of the README', async () => {
  const store = memoryStore({ takesAnyModel: true });
  expect(await createReader(store)).toBe(shown('yaml'));
  expect(await createReader(store)).toBe(
    'conflict: HelmRelease default/reader already exists; use update_agent to change it',
  );
});

it('names every export', () => {
  const text = read('README.md');
  expect(Object.keys(surface).filter((name) => !text.includes(`\`${name}`))).toEqual([]);
});
