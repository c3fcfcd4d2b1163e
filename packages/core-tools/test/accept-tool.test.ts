import type { AcceptOutcome } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { failure, portsOver, callTool, sentence } from './ports.ts';

const accept = (args: unknown, outcome?: AcceptOutcome) => {
  const ports = portsOver();
  return callTool(
    'core_mcpserver_accept',
    args,
    outcome === undefined ? ports : { ...ports, acceptTools: () => Promise.resolve(outcome) },
  );
};

describe('core_mcpserver_accept', () => {
  it('accepts all tools, or those that are named', async () => {
    const ports = portsOver();
    await callTool('core_mcpserver_accept', { name: 'files' }, ports);
    await callTool('core_mcpserver_accept', { name: 'files', tools: ['a', 'b'] }, ports);
    expect(ports.orders).toEqual(['accept files undefined', 'accept files a,b']);
  });

  it.each<readonly [AcceptOutcome, unknown]>([
    [
      { kind: 'done', tools: ['a', 'b'] },
      sentence("Accepted what MCP server 'files' declares of: a, b", {
        tools: ['a', 'b'],
        saved: true,
      }),
    ],
    [
      { kind: 'done', tools: ['a'], unsaved: true },
      sentence("Accepted what MCP server 'files' declares of: a", { tools: ['a'], saved: false }),
    ],
    [
      { kind: 'done', tools: [] },
      sentence("MCP server 'files' declares its tools as they were accepted", {
        tools: [],
        saved: true,
      }),
    ],
    [{ kind: 'unknown' }, failure('Failed to accept tools: MCP server files not found')],
    [
      { kind: 'unknown-tools', tools: ['c'] },
      failure('Failed to accept tools: MCP server files has no tools named c', { tools: ['c'] }),
    ],
    [{ kind: 'failed', text: 'busy' }, failure('Failed to accept tools: busy')],
  ])('answers an order that ends as %j', async (outcome, result) => {
    expect(await accept({ name: 'files' }, outcome)).toEqual(result);
  });

  it('reports only the named tools as unchanged', async () => {
    expect(await accept({ name: 'files', tools: ['a'] }, { kind: 'done', tools: [] })).toEqual(
      sentence("MCP server 'files' declares these tools as they were accepted", {
        tools: [],
        saved: true,
      }),
    );
  });

  it('names twenty tools and counts the others', async () => {
    const tools = Array.from({ length: 23 }, (_, index) => `t${String(index)}`);
    const { structuredContent } = await accept({ name: 'files' }, { kind: 'done', tools });
    expect((structuredContent as { message: string }).message).toMatch(/, t19 and 3 more$/u);
  });

  it.each([[[]], [[1]], [['']], [['x'.repeat(1025)]], [Array.from({ length: 1001 }, () => 'a')]])(
    'refuses a list that is none of names',
    async (tools) => {
      expect(await accept({ name: 'files', tools })).toEqual(
        failure('tools must be an array of 1 to 1000 names'),
      );
    },
  );
});
