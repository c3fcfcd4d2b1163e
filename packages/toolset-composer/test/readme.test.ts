import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compose } from '../examples/compose-a-toolset.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/compose-a-toolset.ts'));
});

it('returns the result of the example', () => {
  expect(compose(' workflow:incident-triage ')).toEqual([
    'preset:read-only',
    'workflow:incident-triage',
  ]);
  expect(compose('toolset:x')).toBe(
    '"toolset:x" is reserved for shared toolsets, which do not exist yet.',
  );
});
