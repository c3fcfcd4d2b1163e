import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const loader = resolve(import.meta.dirname, '../../repo-checks/bin/load-typescript.mjs');
const fixture = resolve(import.meta.dirname, 'fixtures/store-code.ts');

let folder: string;
let program: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compile-cache-'));
  await mkdir(join(folder, 'dist'));
  program = join(folder, 'dist/program.mjs');
  await writeFile(program, 'process.stdout.write([1, 2, 3].map((each) => each * 2).join());\n');
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the program in a process, and returns what it writes. */
const run = async (
  environment: Readonly<Record<string, string>> = {},
  ...user: readonly string[]
): Promise<string> => {
  const { NODE_COMPILE_CACHE: _, NODE_V8_COVERAGE: __, ...inherited } = process.env;
  const args = ['--import', loader, fixture, pathToFileURL(program).href, ...user];
  const env = { ...inherited, ...environment };
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
};

/** The files with compiled code; undefined without the folder. */
const stored = async (): Promise<number | undefined> => {
  const entries = await readdir(join(folder, '.cache'), { recursive: true }).catch(() => undefined);
  return entries?.filter((entry) => entry.includes('/')).length;
};

describe('the compiled code of a program', () => {
  it('is stored in its package when the process ends', async () => {
    expect(await run()).toBe('2,4,6');
    expect(await stored()).toBeGreaterThan(0);
  });

  it('is not stored with NODE_DISABLE_COMPILE_CACHE', async () => {
    expect(await run({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('2,4,6');
    expect(await stored()).toBeUndefined();
  });

  it('is stored in the package of another user only when the folder exists', async () => {
    expect(await run({}, '12345')).toBe('2,4,6');
    expect(await stored()).toBeUndefined();
    await mkdir(join(folder, '.cache'));
    expect(await run({}, '12345')).toBe('2,4,6');
    expect(await stored()).toBeGreaterThan(0);
  });

  it('is not stored in a folder that everybody can write', async () => {
    await mkdir(join(folder, '.cache'));
    await chmod(join(folder, '.cache'), 0o777);
    expect(await run()).toBe('2,4,6');
    expect(await stored()).toBe(0);
  });

  it('is not stored when the place of the folder is taken, and the program runs', async () => {
    await writeFile(join(folder, '.cache'), '');
    expect(await run()).toBe('2,4,6');
  });
});
