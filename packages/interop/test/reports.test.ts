import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readReports } from '../src/conformance/outcome.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const leave = (name: string, checks: string): void => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'checks.json'), checks);
};

describe('the reports of a run', () => {
  it('are found by scenario, with the prefix of the server side or without', () => {
    leave('server-tools-list-2026-11-21T05-57-46-696Z', '[{"id":"a","status":"SUCCESS"}]');
    leave('tools_call-2026-11-21T05-57-46-696Z', '[]');
    expect(Object.fromEntries(readReports(folder))).toEqual({
      'tools-list': [{ id: 'a', status: 'SUCCESS' }],
      tools_call: [],
    });
  });

  it('are found by scenario for authorization servers too', () => {
    leave('authorization-server-authorization-code-grant-2026-11-21T05-57-46-696Z', '[]');
    leave(
      'authorization-server-authorization-server-metadata-endpoint-2026-11-21T05-57-46-696Z',
      '[]',
    );
    expect([...readReports(folder).keys()].sort()).toEqual([
      'authorization-code-grant',
      'authorization-server-metadata-endpoint',
    ]);
  });

  it('are found in the folder of a group of scenarios', () => {
    leave('auth/basic-cimd-2026-11-21T05-57-46-696Z', '[]');
    expect([...readReports(folder).keys()]).toEqual(['auth/basic-cimd']);
  });

  it('are nothing where the suite wrote no checks, or nothing at all', () => {
    mkdirSync(join(folder, 'server-ping-2026-11-21T05-57-46-696Z'));
    expect([...readReports(folder)]).toEqual([]);
    expect([...readReports(join(folder, 'absent'))]).toEqual([]);
  });
});
