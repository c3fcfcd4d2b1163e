import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditLog } from '../../src/local/open-audit-log.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'audit-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

function open(file: string) {
  const logged: string[] = [];
  const log = (text: string): void => {
    logged.push(text);
  };
  const audit = openAuditLog({
    config: { audit: { file, maxBytes: 65_536, maxFiles: 2 } },
    directory: base,
    logger: { warn: log, info: log } as never,
    onLost: () => undefined,
  });
  return { audit, logged };
}

describe('an audit log', () => {
  it('that cannot be written is reported before the first call', async () => {
    const { audit, logged } = open('.');
    await expect
      .poll(() => logged)
      .toEqual(['the audit log cannot be written: it is not a regular file; it is tried again']);
    await audit?.close();
  });

  it('that can be written is not reported', async () => {
    const { audit, logged } = open('logs/audit.log');
    await audit?.close();
    expect(logged).toEqual([]);
  });
});
