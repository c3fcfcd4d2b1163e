import { createTestConfigDirectory } from '@gateway/repo-checks';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serveDirectory } from '../examples/serve-directory.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example that this test runs', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/serve-directory.ts'));
});

it('runs the example', async () => {
  const directory = createTestConfigDirectory();
  const gateway = await serveDirectory(directory.path);
  try {
    const { status } = await fetch(new URL('/healthz', gateway.url));
    expect(status).toBe(200);
  } finally {
    await gateway.drain(0);
    await gateway.close();
    directory.remove();
  }
});
