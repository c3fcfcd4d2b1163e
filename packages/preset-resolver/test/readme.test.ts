import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalog, toolsOf } from '../examples/narrow-a-request.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/narrow-a-request.ts'));
});

it('returns the result of the example', () => {
  expect(toolsOf(['preset:writers'], catalog)).toBe('x_git_push');
  expect(toolsOf(['preset:readers'], catalog)).toBe(
    'toolset [preset:readers] names unknown preset "readers"; known presets: read-only, none, full, writers',
  );
});
