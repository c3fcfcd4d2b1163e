import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, PeerMissing, runProgram } from './run-program.ts';

const MODULE = fileURLToPath(new URL('../../dex', import.meta.url));
const FLAGS = ['-trimpath', '-buildvcs=false', '-mod=readonly', '-ldflags=-s -w'];
const BUILD_ENV = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local' };

const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gateway-test-peers');

/** Returns the name of the program for the sources, the libraries and the flags. */
const cacheKey = async (): Promise<string> => {
  const files = ['go.mod', 'go.sum', 'main.go'].map((name) => readFile(join(MODULE, name)));
  const hash = createHash('sha256').update(JSON.stringify([FLAGS, process.platform, process.arch]));
  for (const content of await Promise.all(files)) hash.update(content);
  return `dex-${hash.digest('hex').slice(0, 16)}`;
};

/**
 * Returns the path of Dex. It is built once, into the cache folder of the user; the first build takes up to two minutes.
 * @throws {PeerMissing} without Go, or when the build fails
 */
export const dexProgram = async (): Promise<string> => {
  const program = join(cacheFolder(), await cacheKey());
  if (existsSync(program)) return program;
  const go = findProgram('go');
  if (go === undefined) throw new PeerMissing('Go 1.24 or later is not in PATH');
  await mkdir(cacheFolder(), { recursive: true });
  const draft = `${program}.${process.pid}`;
  const build = [go, 'build', ...FLAGS, '-o', draft, '.'];
  const nice = findProgram('nice');
  const [file = go, ...args] = nice === undefined ? build : [nice, '-n', '10', ...build];
  await runProgram(file, args, { cwd: MODULE, env: BUILD_ENV });
  await rename(draft, program);
  return program;
};
