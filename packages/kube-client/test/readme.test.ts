import { readFileSync } from 'node:fs';
import { startTestCluster } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { followPods } from '../examples/follow-pods.ts';
import { podOf } from './pods.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that is run here', () => {
  const shown = [...read('README.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  expect(shown).toEqual([read('examples/follow-pods.ts')]);
});

it('writes a line for a new pod', async () => {
  const { api, kubeconfig } = await startTestCluster();
  const lines: string[] = [];
  const stop = await followPods(kubeconfig, (line) => lines.push(line));
  api.apply(podOf('a'));
  await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['a was written']);
  stop();
});
