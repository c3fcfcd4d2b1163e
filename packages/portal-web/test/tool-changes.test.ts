import { describe, expect, it } from 'vitest';
import {
  findOwnName,
  findPendingChange,
  parseChangeEvents,
} from '../src/pages/tool/tool-changes.ts';

describe("the server's own name of a tool", () => {
  it('follows the prefix of the server', () => {
    const tool = { name: 'x_f_read_file', server: 'files' };
    expect(findOwnName(tool, { name: 'files', toolPrefix: 'f' })).toBe('read_file');
    expect(findOwnName(tool, { name: 'files' })).toBe(undefined);
    const plain = { name: 'x_files___proto__', server: 'files' };
    expect(findOwnName(plain, { name: 'files' })).toBe('__proto__');
  });

  it('follows the family for a member', () => {
    const tool = { name: 'x_sales_list', server: 'sales' };
    const member = { name: 'sales-eu', family: { name: 'sales' }, toolPrefix: 'eu' };
    expect(findOwnName(tool, member)).toBe('list');
    expect(findOwnName(tool, { name: 'crm' })).toBe(undefined);
  });
});

describe('a change that is not accepted', () => {
  const change = {
    tool: 'read',
    at: '2026-01-02T00:00:00.000Z',
    fields: ['annotations', 7],
    hintWidened: true,
    held: true,
  };

  it('is that of the tool', () => {
    const server = { name: 'files', toolChanges: [{ tool: 'other' }, change] };
    expect(findPendingChange(server, 'read')).toEqual({
      at: '2026-01-02T00:00:00.000Z',
      fields: ['annotations'],
      isWidened: true,
      isHeld: true,
    });
    expect(findPendingChange(server, 'constructor')).toBe(undefined);
    expect(findPendingChange({ name: 'files' }, 'read')).toBe(undefined);
  });
});

describe('the history of a tool', () => {
  const event = (reason: string, message: string, more: object = {}): object => ({
    timestamp: '2026-01-02 03:04:05',
    resource_type: 'MCPServer',
    resource_name: 'files',
    reason: `MCPServer${reason}`,
    message: `MCPServer files ${message}`,
    ...more,
  });

  it('has the changes, wider hints and acceptances of the tool alone', () => {
    const events = [
      event('ToolsAccepted', 'declared tools accepted: list, read'),
      event('ToolsAccepted', 'declared tools accepted: reader'),
      event('ToolHintWidened', 'tool read now declares itself read-only'),
      event('ToolChanged', 'tool read changed (title)', { count: 2 }),
      event('ToolChanged', 'tool read changed'),
      event('ToolChanged', 'tool reader changed (title)'),
      event('ToolChanged', 'tool read changed often changed (title)'),
      event('Connected', 'tool read changed'),
      { reason: 7 },
    ];
    expect(parseChangeEvents({ events }, 'read')).toEqual([
      {
        at: '2026-01-02T03:04:05Z',
        kind: 'accepted',
        message: 'MCPServer files declared tools accepted: list, read',
        count: 1,
      },
      {
        at: '2026-01-02T03:04:05Z',
        kind: 'widened',
        message: 'MCPServer files tool read now declares itself read-only',
        count: 1,
      },
      {
        at: '2026-01-02T03:04:05Z',
        kind: 'changed',
        message: 'MCPServer files tool read changed (title)',
        count: 2,
      },
      {
        at: '2026-01-02T03:04:05Z',
        kind: 'changed',
        message: 'MCPServer files tool read changed',
        count: 1,
      },
    ]);
  });

  it('has an acceptance of so many tools that not all are named', () => {
    const many = event('ToolsAccepted', 'declared tools accepted: a, b, 3 more');
    expect(parseChangeEvents({ events: [many] }, 'read')).toHaveLength(1);
  });
});
