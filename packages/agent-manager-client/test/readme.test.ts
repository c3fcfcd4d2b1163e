import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { problemsOf } from '../examples/before-it-is-sent.ts';
import { OPERATIONS } from '../src/index.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  expect(shown).toBe(read('examples/before-it-is-sent.ts'));
});

it('returns the result of the example', () => {
  expect(problemsOf('sre', ['preset:read-only', 'workflow:incident-triage'])).toEqual([]);
  expect(problemsOf('', ['toolset:shared'])).toEqual([
    'name is required',
    'toolset selector "toolset:shared": the toolset: prefix is reserved for shared toolsets; reference a preset as preset:<name>',
  ]);
});

it('lists the operations as they are', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| `(\w+ \/api\S+)` +\|/gm)];
  expect(rows.map(([, name, route]) => [name, route])).toEqual(
    Object.entries(OPERATIONS).map(([name, { method, route }]) => [name, `${method} ${route}`]),
  );
});
