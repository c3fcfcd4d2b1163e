import { findProgram, PeerMissing, runProgram } from './run-program.ts';

const install = async (apt: string, name: string): Promise<void> => {
  const args = ['install', '-y', '-qq', '--no-install-recommends', name];
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await runProgram(apt, args, options);
  } catch {
    await runProgram(apt, ['update', '-qq']);
    await runProgram(apt, args, options);
  }
};

/**
 * Returns the path of a program: the one in `PATH`, else that of the Debian package of the same name, which is installed where that is
 * allowed. For programs that find their own files at fixed places, such as shells.
 * @throws {PeerMissing} when there is none
 */
export const installedProgram = async (name: string): Promise<string> => {
  const present = findProgram(name);
  if (present !== undefined) return present;
  const apt = findProgram('apt-get');
  if (apt === undefined || process.getuid?.() !== 0)
    throw new PeerMissing(`${name} is not in PATH, and this user cannot install it`);
  await install(apt, name);
  const installed = findProgram(name);
  if (installed === undefined) throw new PeerMissing(`the package ${name} has no ${name}`);
  return installed;
};
