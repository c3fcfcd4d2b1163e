import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeLeftOvers, temporaryFileIn } from '../../src/writing/temporary-file.ts';
import { configurationDirectory } from '../configuration-directory.ts';

const [, MACHINE = ''] =
  /^\.gateway-([0-9a-f]{8})-/.exec(path.basename(temporaryFileIn('/'))) ?? [];
const ENDED = spawnSync(process.execPath, ['-e', '0']).pid;
const BEFORE_THIS_PROCESS = process.uptime() + 1;

const nameOf = (machine: string, pid: number): string =>
  `.gateway-${machine}-${String(pid)}-0123456789abcdef.tmp`;

it.each([
  ['of this process', nameOf(MACHINE, process.pid), 0, true],
  ['of one that had this id before', nameOf(MACHINE, process.pid), BEFORE_THIS_PROCESS, false],
  ['of one that runs', nameOf(MACHINE, process.ppid), 0, true],
  ['of one that ended', nameOf(MACHINE, ENDED), 0, false],
  [
    'of one that runs, but for longer than any write takes',
    nameOf(MACHINE, process.ppid),
    61,
    false,
  ],
  ['of another machine', nameOf('00000000', ENDED), 0, true],
  ['of another machine, for longer than any write takes', nameOf('00000000', ENDED), 61, false],
  ['of somebody else', '.gateway-notes.tmp', 1_000_000, true],
  ['of somebody else, with more to its name', `${nameOf(MACHINE, ENDED)}.yaml`, 1_000_000, true],
  ['that is a resource', 'a.yaml', 1_000_000, true],
])('judges the file %s', async (_what, name, secondsOld, stays) => {
  const { at } = await configurationDirectory();
  await writeFile(at('mcpservers', name), 'half');
  const time = Date.now() / 1000 - secondsOld;
  await utimes(at('mcpservers', name), time, time);
  await removeLeftOvers(at('mcpservers'));
  expect(await readdir(at('mcpservers'))).toEqual(stays ? [name] : []);
});

it('leaves directories of such a name alone, and a missing directory missing', async () => {
  const { at } = await configurationDirectory();
  await mkdir(at('mcpservers', nameOf(MACHINE, ENDED)));
  await removeLeftOvers(at('mcpservers'));
  expect(await readdir(at('mcpservers'))).toHaveLength(1);
  await removeLeftOvers(at('missing'));
});

it('gives every file a hidden name of its own', () => {
  const names = Array.from({ length: 1000 }, () => path.basename(temporaryFileIn('/d')));
  expect(new Set(names).size).toBe(1000);
  expect(names.every((name) => /^\.gateway-.*\.tmp$/.test(name))).toBe(true);
});
