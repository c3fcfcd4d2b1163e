import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { whatFailed } from '../examples/remember-events.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/remember-events.ts'));
});

it('answers as the example says', async () =>
  expect(await whatFailed(() => 1_000)).toMatchObject([
    { message: 'MCPServer github operation failed: connection refused', count: 3 },
  ]));
