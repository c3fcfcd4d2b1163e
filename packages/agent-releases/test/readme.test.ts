import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openAgents, setToolset } from '../examples/change-a-toolset.ts';
import { createReader } from '../examples/create-an-agent.ts';
import { releaseDirectory } from './directory/release-directory.ts';
import { valueOf } from './suite/agent-store-suite.ts';
import { toName, releaseOf } from './suite/sample-objects.ts';
import { memoryStore } from './support/memory-store.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const shown = (language: string): readonly string[] =>
  [...read('README.md').matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
    ([, code = '']) => code,
  );

it('shows the example as it is run here', () =>
  expect(shown('ts')).toEqual([read('examples/create-an-agent.ts')]));

it('writes the manifests of the README', async () => {
  const store = memoryStore({ takesAnyModel: true });
  expect([await createReader(store)]).toEqual(shown('yaml'));
  expect(await createReader(store)).toBe(
    'conflict: HelmRelease default/reader already exists; use update_agent to change it',
  );
});

it('makes the change of the other example', async () => {
  const { directory, read: text } = await releaseDirectory();
  const store = await openAgents(directory);
  valueOf(await store.createRelease(releaseOf('sre', { toolset: ['preset:full'] })));
  expect(await setToolset(store, toName('sre'), ['preset:read-only'])).toBe('done');
  expect(await text('releases/default/sre.yaml')).toContain(
    '    toolset:\n      - preset:read-only\n',
  );
  expect(await setToolset(store, toName('other'), ['preset:full'])).toBe('there is no such agent');
  await store.close();
});
