import type { AcceptOutcome } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { failure, portsOver, callTool, sentence } from './ports.ts';

const accept = (more: object, outcome: AcceptOutcome) => {
  const ports = { ...portsOver(), acceptTools: () => Promise.resolve(outcome) };
  return callTool('core_mcpserver_accept', { name: 'files', ...more }, ports);
};
const done = (text: string, tools: readonly string[], saved = true) =>
  sentence(text, { tools, saved });
const AB = "Accepted what MCP server 'files' declares of: a, b";
const NONE: AcceptOutcome = { kind: 'done', tools: [] };

describe('core_mcpserver_accept', () => {
  it('accepts all tools, or those that are named', async () => {
    const ports = portsOver();
    for (const tools of [undefined, ['a', 'b']])
      await callTool('core_mcpserver_accept', { name: 'files', tools }, ports);
    expect(ports.orders).toEqual(['accept files undefined', 'accept files a,b']);
  });

  it.each<readonly [AcceptOutcome, unknown, object]>([
    [{ kind: 'done', tools: ['a', 'b'] }, done(AB, ['a', 'b']), {}],
    [{ kind: 'done', tools: ['a', 'b'], unsaved: true }, done(AB, ['a', 'b'], false), {}],
    [NONE, done("MCP server 'files' declares its tools as they were accepted", []), {}],
    [
      NONE,
      done("MCP server 'files' declares these tools as they were accepted", []),
      { tools: ['a'] },
    ],
    [{ kind: 'unknown' }, failure('Failed to accept tools: MCP server files not found'), {}],
    [
      { kind: 'unknown-tools', tools: ['c'] },
      failure('Failed to accept tools: MCP server files has no tools named c', { tools: ['c'] }),
      {},
    ],
    [{ kind: 'failed', text: 'busy' }, failure('Failed to accept tools: busy'), {}],
  ])('answers an order that ends as %j', async (outcome, result, more) => {
    expect(await accept(more, outcome)).toEqual(result);
  });

  it('names twenty tools and counts the others', async () => {
    const tools = Array.from({ length: 23 }, (_, index) => `t${String(index)}`);
    const { structuredContent } = await accept({}, { kind: 'done', tools });
    expect((structuredContent as { message: string }).message).toMatch(/, t19 and 3 more$/u);
  });

  it.each([[[]], [[1]], [['']], [['x'.repeat(1025)]], [Array.from({ length: 1001 }, () => 'a')]])(
    'refuses a list that is none of names',
    async (tools) => {
      expect(await accept({ tools }, NONE)).toEqual(
        failure('tools must be an array of 1 to 1000 names'),
      );
    },
  );
});
