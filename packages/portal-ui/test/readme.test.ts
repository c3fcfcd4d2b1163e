import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows a part of the example that a long test builds', () => {
  const [, shown] = /```tsx\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toContain('export const AgentTools');
  expect(read('examples/plugin.tsx')).toContain(shown);
});
