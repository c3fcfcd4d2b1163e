import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openAgents, setToolset } from '../examples/change-a-toolset.ts';
import { releaseDirectory } from './directory/release-directory.ts';
import { valueOf } from './suite/agent-store-suite.ts';
import { at, releaseOf } from './suite/sample-objects.ts';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, code] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(code).toBe(read('examples/change-a-toolset.ts'));
});

it('makes the change of the example', async () => {
  const { directory, read: text } = await releaseDirectory();
  const store = await openAgents(directory);
  valueOf(await store.createRelease(releaseOf('sre', { toolset: ['preset:full'] })));
  expect(await setToolset(store, at('sre'), ['preset:read-only'])).toBe('done');
  expect(await text('releases/default/sre.yaml')).toContain(
    '    toolset:\n      - preset:read-only\n',
  );
  expect(await setToolset(store, at('other'), ['preset:full'])).toBe('there is no such agent');
  await store.close();
});
