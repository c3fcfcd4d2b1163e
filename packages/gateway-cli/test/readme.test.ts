import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runInMemory } from '../examples/run-in-memory.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that this test runs', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/run-in-memory.ts'));
});

it('runs the example', async () => {
  const [code, text] = await runInMemory(['crds', 'workflow']);
  expect(code).toBe(0);
  expect(text).toContain('name: workflows.gateway.internal');
});
