import { describe, expect, it } from 'vitest';
import {
  findOwnName,
  findPendingChange,
  parseChangeEvents,
} from '../../src/pages/tool/tool-changes.ts';

it.each([
  ['x_f_read_file', 'files', { name: 'files', toolPrefix: 'f' }, 'read_file'],
  ['x_f_read_file', 'files', { name: 'files' }, undefined],
  ['x_files___proto__', 'files', { name: 'files' }, '__proto__'],
  [
    'x_sales_list',
    'sales',
    { name: 'sales-eu', family: { name: 'sales' }, toolPrefix: 'eu' },
    'list',
  ],
  ['x_sales_list', 'sales', { name: 'crm' }, undefined],
])(
  "the server's own name of a tool follows the prefix of the server or of its family: %s",
  (name, server, definition, own) => {
    expect(findOwnName({ name, server }, definition)).toBe(own);
  },
);

it('a change that is not accepted is that of the tool', () => {
  const at = '2026-01-02T00:00:00.000Z';
  const change = { tool: 'read', at, fields: ['annotations', 7], hintWidened: true, held: true };
  const server = { name: 'files', toolChanges: [{ tool: 'other' }, change] };
  const pending = { at, fields: ['annotations'], isWidened: true, isHeld: true };
  expect(findPendingChange(server, 'read')).toEqual(pending);
  expect(findPendingChange(server, 'constructor')).toBe(undefined);
  expect(findPendingChange({ name: 'files' }, 'read')).toBe(undefined);
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
    const shown = (kind: string, message: string, count = 1) => ({
      ...{ at: '2026-01-02T03:04:05Z', kind, message: `MCPServer files ${message}`, count },
    });
    expect(parseChangeEvents({ events }, 'read')).toEqual([
      shown('accepted', 'declared tools accepted: list, read'),
      shown('widened', 'tool read now declares itself read-only'),
      shown('changed', 'tool read changed (title)', 2),
      shown('changed', 'tool read changed'),
    ]);
  });

  it('has an acceptance of so many tools that not all are named', () => {
    const many = event('ToolsAccepted', 'declared tools accepted: a, b, 3 more');
    expect(parseChangeEvents({ events: [many] }, 'read')).toHaveLength(1);
  });
});
