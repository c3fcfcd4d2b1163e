import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeStaleTemporaryFiles, createTemporaryPath } from '../../src/atomic-write.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const [, MACHINE = ''] =
  /^\.gateway-([0-9a-f]{8})-/.exec(path.basename(createTemporaryPath('/'))) ?? [];
const ENDED = spawnSync(process.execPath, ['-e', '0']).pid;
const BEFORE_THIS_PROCESS = process.uptime() + 1;

const nameOf = (machine: string, pid: number): string =>
  `.gateway-${machine}-${String(pid)}-0123456789abcdef.tmp`;

it.each([
  ['of this process', nameOf(MACHINE, process.pid), 0, true],
  ['of an earlier process with this id', nameOf(MACHINE, process.pid), BEFORE_THIS_PROCESS, false],
  ['of a running process', nameOf(MACHINE, process.ppid), 0, true],
  ['of a process that has ended', nameOf(MACHINE, ENDED), 0, false],
  ['of a running process, older than any write takes', nameOf(MACHINE, process.ppid), 61, false],
  ['of another machine', nameOf('00000000', ENDED), 0, true],
  ['of another machine, older than any write takes', nameOf('00000000', ENDED), 61, false],
  ['of another program', '.gateway-notes.tmp', 1_000_000, true],
  ['of another program, with a longer name', `${nameOf(MACHINE, ENDED)}.yaml`, 1_000_000, true],
  ['that is a resource', 'a.yaml', 1_000_000, true],
])('handles the file %s', async (_what, name, secondsOld, stays) => {
  const { at } = await temporaryDirectory();
  await mkdir(at('left'));
  await writeFile(at('left', name), 'half');
  const time = Date.now() / 1000 - secondsOld;
  await utimes(at('left', name), time, time);
  await removeStaleTemporaryFiles(at('left'));
  expect(await readdir(at('left'))).toEqual(stays ? [name] : []);
});

it('ignores directories of such a name, and a missing directory', async () => {
  const { at } = await temporaryDirectory();
  await mkdir(at('left', nameOf(MACHINE, ENDED)), { recursive: true });
  await removeStaleTemporaryFiles(at('left'));
  expect(await readdir(at('left'))).toHaveLength(1);
  await removeStaleTemporaryFiles(at('missing'));
});

it('gives every file a unique hidden name', () => {
  const names = Array.from({ length: 1000 }, () => path.basename(createTemporaryPath('/d')));
  expect(new Set(names).size).toBe(1000);
  expect(names.every((name) => /^\.gateway-.*\.tmp$/.test(name))).toBe(true);
});
