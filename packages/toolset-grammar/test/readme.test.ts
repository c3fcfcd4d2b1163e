import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { answer } from '../examples/refuse-a-toolset.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/refuse-a-toolset.ts'));
});

it('returns the result of the example', () => {
  expect(answer('server:k8s, preset:read-only')).toBe('server k8s, preset read-only');
  expect(answer('toolset:x')).toBe(
    'toolset [toolset:x] selector "toolset:x" is reserved for shared toolsets',
  );
});
