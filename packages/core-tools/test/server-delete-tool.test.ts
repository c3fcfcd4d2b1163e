import type { ServerWriteOutcome } from '@gateway/call-contract';
import { expect, it } from 'vitest';
import { failure, portsOver, callTool, sentence } from './ports.ts';

it.each<readonly [ServerWriteOutcome, unknown]>([
  [{ kind: 'done' }, sentence("MCP server 'x' deleted successfully")],
  [{ kind: 'missing' }, failure('Failed to delete MCP server: MCP server x not found')],
  [{ kind: 'failed', text: 'busy' }, failure('Failed to delete MCP server: busy')],
])('core_mcpserver_delete of a server that ends as %j', async (outcome, result) => {
  const ports = portsOver();
  const removed: string[] = [];
  const remove = (name: string) => {
    removed.push(name);
    return Promise.resolve(outcome);
  };
  const writing = { ...ports, writeServer: { ...ports.writeServer, remove } };
  expect(await callTool('core_mcpserver_delete', { name: 'x' }, writing)).toEqual(result);
  expect(removed).toEqual(['x']);
});

it('core_mcpserver_delete requires a name', async () => {
  expect(await callTool('core_mcpserver_delete', {})).toEqual(failure('name argument is required'));
});
