import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { findProgram, PeerMissing, runProgram } from './run-program.ts';

/** Downloads a package into a folder. The lists of packages of a new machine are empty: they are updated where that is allowed. */
const download = async (apt: string, name: string, folder: string): Promise<void> => {
  const args = ['download', '-qq', name];
  try {
    await runProgram(apt, args, { cwd: folder });
  } catch (error) {
    if (process.getuid?.() !== 0) throw error;
    await runProgram(apt, ['update', '-qq']);
    await runProgram(apt, args, { cwd: folder });
  }
};

const unpack = async (apt: string, name: string, folder: string): Promise<string> => {
  await download(apt, name, folder);
  const found = (await readdir(folder)).find((file) => file.endsWith('.deb'));
  if (found === undefined) throw new PeerMissing(`there is no package ${name}`);
  const files = join(folder, 'files');
  await runProgram('dpkg-deb', ['-x', join(folder, found), files]);
  return join(files, 'usr/bin', name);
};

/**
 * Returns the path of a program: the one in `PATH`, else that of the Debian package of the same name. The package is unpacked once for each
 * user and not installed, which needs no rights and starts no service.
 * @throws {PeerMissing} when there is none
 */
export const debianProgram = async (name: string): Promise<string> => {
  const installed = findProgram(name);
  if (installed !== undefined) return installed;
  const file = join(cacheFolder(), name);
  if (existsSync(file)) return file;
  const apt = findProgram('apt-get');
  if (apt === undefined) throw new PeerMissing(`${name} is not in PATH`);
  await mkdir(cacheFolder(), { recursive: true });
  const folder = await mkdtemp(join(cacheFolder(), `${name}-`));
  try {
    const program = await unpack(apt, name, folder);
    if (!existsSync(program)) throw new PeerMissing(`the package ${name} has no ${name}`);
    await rename(program, file);
  } finally {
    await rm(folder, { recursive: true });
  }
  return file;
};
