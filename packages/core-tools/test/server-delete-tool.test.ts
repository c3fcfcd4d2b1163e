import type { ServerWriteOutcome } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { failure, portsOver, type RecordingPorts, callTool, sentence } from './ports.ts';

const remove = (args: unknown, ports = portsOver()) =>
  callTool('core_mcpserver_delete', args, ports);

/** Ports whose removals of servers end so. */
const portsRemoving = (outcome: ServerWriteOutcome): RecordingPorts => {
  const ports = portsOver();
  return {
    ...ports,
    writeServer: { ...ports.writeServer, remove: () => Promise.resolve(outcome) },
  };
};

describe('core_mcpserver_delete', () => {
  it('deletes by name', async () => {
    const ports = portsOver();
    expect(await remove({ name: 'files' }, ports)).toEqual(
      sentence("MCP server 'files' deleted successfully"),
    );
    expect(ports.orders).toEqual(['remove server files']);
  });

  it('reports a missing server, or the reason of a failure', async () => {
    expect(await remove({ name: 'x' }, portsRemoving({ kind: 'missing' }))).toEqual(
      failure('Failed to delete MCP server: MCP server x not found'),
    );
    expect(await remove({ name: 'x' }, portsRemoving({ kind: 'failed', text: 'busy' }))).toEqual(
      failure('Failed to delete MCP server: busy'),
    );
    expect(await remove({})).toEqual(failure('name argument is required'));
  });
});
