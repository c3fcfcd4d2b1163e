import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { narrow } from '../../examples/ask-agent-manager.ts';
import { OPERATION_EXAMPLES } from '../../src/openapi/operation-examples.ts';
import { answering, serving } from './http-server.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('is shown in the README as it is run here', () =>
  expect(read('README.md')).toContain(`\`\`\`ts\n${read('examples/ask-agent-manager.ts')}\`\`\``));

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
