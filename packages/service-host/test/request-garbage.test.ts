import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const loader = resolve(import.meta.dirname, '../../repo-checks/bin/load-typescript.mjs');
const program = resolve(import.meta.dirname, 'fixtures/allocate.ts');

/** Returns whether V8 counts surviving objects to choose the generation of later ones. */
const choosesGenerations = async (argument: string): Promise<boolean> => {
  const args = ['--trace-pretenuring-statistics', '--import', loader, program, argument];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [, lines = ''] = stdout.split('start\n');
  return lines.includes('pretenuring:');
};

describe('objects of a request', () => {
  it('are allocated in the generation that V8 chooses by default', async () => {
    expect(await choosesGenerations('default')).toBe(true);
  });

  it('are always allocated in the young generation after keepRequestGarbageYoung', async () => {
    expect(await choosesGenerations('young')).toBe(false);
  });
});
