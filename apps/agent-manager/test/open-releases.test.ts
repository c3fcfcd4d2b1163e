import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReleases } from '../src/serving/open-releases.ts';

const logger = pino({ level: 'silent' });
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'agent-manager-open-'));
  writeFileSync(join(home, 'file'), '');
});

afterAll(() => {
  rmSync(home, { recursive: true });
});

const open = (path: string) => openReleases({ kind: 'directory', path }, ['default'], logger);

describe('--store', () => {
  it('is named when it cannot be used', async () => {
    const file = join(home, 'file');
    expect(await open(file)).toEqual({
      ok: false,
      problem: `--store ${file}: the directory of releases is not a directory`,
    });
    const below = join(home, 'missing', 'agents');
    expect(await open(below)).toEqual({
      ok: false,
      problem: `--store ${below}: the directory of releases cannot be used: its directory does not exist`,
    });
  });

  it('is created when only it is missing', async () => {
    const opened = await open(join(home, 'agents'));
    expect(opened).toMatchObject({ ok: true });
    if (opened.ok) await opened.store.close();
  });
});
