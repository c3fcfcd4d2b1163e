import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { problemsOf } from '../examples/before-it-is-sent.ts';
import { narrow } from '../examples/ask-agent-manager.ts';
import { OPERATION_EXAMPLES } from '../src/openapi/operation-examples.ts';
import { answering, serving } from './client/http-server.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('shows the example as it is run here', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(shown).toBe(read('examples/ask-agent-manager.ts'));
});

it('distinguishes a value, a refusal and a missing answer', async () => {
  const done = JSON.stringify(OPERATION_EXAMPLES.update_agent.output);
  const refused = '{"error":{"code":"not_found","message":"not found: agent default/sre"}}';
  const cut = await serving((request) => request.socket.destroy());
  expect([
    await narrow(await answering(200, done), 'sre'),
    await narrow(await answering(404, refused), 'sre'),
    await narrow(cut, 'sre'),
  ]).toEqual([
    'changed: toolset',
    'refused (not_found): not found: agent default/sre',
    expect.stringContaining(`no answer (unreachable): no whole answer from ${cut}: `),
  ]);
});

it('finds the problems of a form', () => {
  expect(problemsOf('sre', ['preset:read-only', 'workflow:incident-triage'])).toEqual([]);
  expect(problemsOf('', ['toolset:shared'])).toEqual([
    'name is required',
    'toolset selector "toolset:shared": the toolset: prefix is reserved for shared toolsets; reference a preset as preset:<name>',
  ]);
});
