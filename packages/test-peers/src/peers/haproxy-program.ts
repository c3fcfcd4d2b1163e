import { findProgram, PeerMissing, runProgram } from '../run-program.ts';

const installed = (): string | undefined => findProgram('haproxy');

/**
 * Returns the path of HAProxy: the one in `PATH`, else that of Debian's package, which it installs when it may.
 * @throws {PeerMissing} when there is none
 */
export const haproxyProgram = async (): Promise<string> => {
  const found = installed();
  if (found !== undefined) return found;
  const apt = findProgram('apt-get');
  if (apt === undefined || process.getuid?.() !== 0)
    throw new PeerMissing('haproxy is not in PATH');
  await runProgram(apt, ['update', '-qq']);
  await runProgram(apt, ['install', '-y', '-qq', '--no-install-recommends', 'haproxy'], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  const program = installed();
  if (program === undefined) throw new PeerMissing('the package haproxy has no haproxy');
  return program;
};
