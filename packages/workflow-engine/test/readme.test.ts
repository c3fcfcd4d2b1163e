import type { JsonObject } from '@gateway/call-contract';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openPods, portsWith } from '../examples/run-a-workflow.ts';
import type { EnginePorts } from '../src/index.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/run-a-workflow.ts'));
});

it('answers as the example says', async () => {
  const ports = (items: readonly { readonly name: string }[]): EnginePorts => ({
    ...portsWith(async () => ({
      ok: true,
      result: { content: [{ type: 'text', text: JSON.stringify({ items }) }] },
    })),
    newId: () => 'run-1',
  });
  const textOf = (result: JsonObject) =>
    (result['content'] as readonly { readonly text: string }[])[0]?.text;
  const pods = [{ name: 'a' }, { name: 'b' }];
  expect(textOf(await openPods(ports(pods), { cluster: 'east' }))).toBe(
    '{"names":"a b ","first":"a","total":2,"execution_id":"run-1"}',
  );
  expect(textOf(await openPods(ports(pods), {}))).toBe(
    `{"execution_id":"run-1","error":"input validation failed: required field 'cluster' is missing"}`,
  );
});
