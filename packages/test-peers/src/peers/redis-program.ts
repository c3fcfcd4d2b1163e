import { findProgram, PeerMissing, runProgram } from '../run-program.ts';

/** Debian's package `redis-tools` contains the server under this name, without a service that starts by itself. */
const SERVER_OF_TOOLS = 'redis-check-rdb';

const installed = (): string | undefined =>
  findProgram('redis-server') ?? findProgram('valkey-server') ?? findProgram(SERVER_OF_TOOLS);

/**
 * Returns the path of a Redis or Valkey server: the one in `PATH`, else that of Debian's packages, which it installs when it may.
 * @throws {PeerMissing} when there is none
 */
export const redisProgram = async (): Promise<string> => {
  const found = installed();
  if (found !== undefined) return found;
  const apt = findProgram('apt-get');
  if (apt === undefined || process.getuid?.() !== 0)
    throw new PeerMissing('redis-server is not in PATH');
  await runProgram(apt, ['update', '-qq']);
  await runProgram(apt, ['install', '-y', '-qq', '--no-install-recommends', 'redis-tools'], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  const program = installed();
  if (program === undefined) throw new PeerMissing('redis-tools has no Redis server');
  return program;
};
