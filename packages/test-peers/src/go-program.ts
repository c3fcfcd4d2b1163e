import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { findProgram, PeerMissing, runProgram } from './run-program.ts';

/** A program that is built from a Go module whose libraries `go.sum` pins. */
export interface GoProgram {
  /** Names the built file. */
  readonly name: string;
  /** The folder of `go.mod` and `go.sum`. */
  readonly module: string;
  /** The Go package: `.`, or one of a library. */
  readonly target: string;
  /** The Go files of the module's own, by their names. */
  readonly sources?: readonly string[];
  /** Further flags of the linker. */
  readonly linkFlags?: readonly string[];
}

const BUILD_ENV = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local' };

const flagsOf = ({ linkFlags = [] }: GoProgram): readonly string[] => [
  '-trimpath',
  '-buildvcs=false',
  '-mod=readonly',
  `-ldflags=${['-s', '-w', ...linkFlags].join(' ')}`,
];

/** Returns the name of the built file for the sources, the libraries and the flags. */
const cacheKey = async (program: GoProgram): Promise<string> => {
  const { name, module, target, sources = [] } = program;
  const facts = [target, flagsOf(program), process.platform, process.arch];
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of ['go.mod', 'go.sum', ...sources])
    hash.update(await readFile(join(module, file)));
  return `${name}-${hash.digest('hex').slice(0, 16)}`;
};

/**
 * Returns the path of a program. It is built once for each user, into a cache folder that keeps nothing but programs. The first build of
 * a program of Kubernetes takes minutes.
 * @throws {PeerMissing} without Go, or when the build fails
 */
export const goProgram = async (program: GoProgram): Promise<string> => {
  const file = join(cacheFolder(), await cacheKey(program));
  if (existsSync(file)) return file;
  const go = findProgram('go');
  if (go === undefined) throw new PeerMissing('Go 1.24 or later is not in PATH');
  await mkdir(cacheFolder(), { recursive: true });
  const draft = `${file}.${process.pid}`;
  const build = [go, 'build', ...flagsOf(program), '-o', draft, program.target];
  const nice = findProgram('nice');
  const [command = go, ...args] = nice === undefined ? build : [nice, '-n', '10', ...build];
  await runProgram(command, args, { cwd: program.module, env: BUILD_ENV });
  await rename(draft, file);
  return file;
};
