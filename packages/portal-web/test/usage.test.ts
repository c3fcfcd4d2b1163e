import { expect, it } from 'vitest';
import { formatBytes } from '../src/pages/usage/usage-page.tsx';
import { parseUsage } from '../src/queries/usage.ts';

it('an answer has a row for each tool, toolset or user', () => {
  const facts = {
    calls: 3,
    errors: 1,
    p95Ms: 181,
    resultBytes: 12,
    lastUsed: '2026-12-01T04:32:58Z',
  };
  const { total, rows, rowCount } = parseUsage({
    total: facts,
    rows: [
      { tool: 'x_files_read', ...facts },
      { toolset: 'preset:notes', ...facts },
      { workflow: 'deploy', ...facts },
      { user: 'u-1', email: 'ann@example.com', ...facts },
      { user: 'anonymous', calls: 1 },
      { ...facts },
    ],
    rowCount: 14,
  });
  expect([total, rowCount]).toEqual([facts, 14]);
  expect(rows.map(({ name }) => name)).toEqual([
    ...['x_files_read', 'preset:notes', 'workflow deploy'],
    ...['ann@example.com', 'anonymous', 'no toolset'],
  ]);
  expect(rows[4]).toEqual({ name: 'anonymous', calls: 1, errors: 0, resultBytes: 0 });
});

it('an answer without calls has no rows', () => {
  expect(parseUsage({})).toEqual({
    ...{ total: { calls: 0, errors: 0, resultBytes: 0 }, rows: [], rowCount: 0 },
  });
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 KB'],
  [402_113, '402.1 KB'],
  [5e15, '5,000,000 GB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
