import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { homedir } from 'node:os';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';

const run = promisify(execFile);

/** A peer that this machine does not have. The message says what is missing. */
export class PeerMissing extends Error {
  override readonly name = 'PeerMissing';
}

export const findProgram = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

const readLastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Runs a program to its end and returns its output. @throws {PeerMissing} with the last line of its errors when it fails */
export const runProgram = async (
  file: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> => {
  try {
    const { stdout } = await run(file, args, {
      ...options,
      env: { ...process.env, ...options.env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new PeerMissing(`${file} ${args[0] ?? ''} failed: ${readLastLine(stderr) || message}`);
  }
};

/** Runs a program that takes minutes, and leaves the machine to others. @throws {PeerMissing} when it fails */
export const runNicely: typeof runProgram = (file, args, options) => {
  const nice = findProgram('nice');
  if (nice === undefined) return runProgram(file, args, options);
  return runProgram(nice, ['-n', '10', file, ...args], options);
};

/**
 * Returns the path of a file or folder that is made once for each user. It has its name when it is whole: a making that is interrupted,
 * or that another process has overtaken, leaves nothing that is used.
 * @param make writes it to a path in an empty folder
 */
export const openCachedFolder = async (
  name: string,
  make: (draft: string) => Promise<unknown>,
): Promise<string> => {
  const cache = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'gateway-test-peers',
  );
  const place = join(cache, name);
  if (existsSync(place)) return place;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(`${place}-`);
  try {
    await make(join(folder, name));
    await rename(join(folder, name), place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return place;
};

/** Runs apt-get. The lists of packages of a new machine are empty: they are updated where that is allowed. */
const runApt = async (
  apt: string,
  args: readonly string[],
  options: Parameters<typeof runProgram>[2],
): Promise<void> => {
  try {
    await runProgram(apt, args, options);
  } catch (error) {
    if (process.getuid?.() !== 0) throw error;
    await runProgram(apt, ['update', '-qq']);
    await runProgram(apt, args, options);
  }
};

/**
 * Returns the path of a program: the one in `PATH`, else that of a Debian package, which is installed where that is allowed. For programs
 * that find their own files at fixed places, such as shells.
 * @param names any of which is the program
 * @throws {PeerMissing} when there is none
 */
export const resolveProgram = async (
  names: readonly [string, ...string[]],
  packageName: string = names[0],
): Promise<string> => {
  const find = (): string | undefined => names.map(findProgram).find((file) => file !== undefined);
  const present = find();
  if (present !== undefined) return present;
  const apt = findProgram('apt-get');
  if (apt === undefined || process.getuid?.() !== 0)
    throw new PeerMissing(`${names[0]} is not in PATH, and this user cannot install it`);
  await runApt(apt, ['install', '-y', '-qq', '--no-install-recommends', packageName], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  const installed = find();
  if (installed === undefined)
    throw new PeerMissing(`the package ${packageName} has no ${names[0]}`);
  return installed;
};

/**
 * Returns the path of a program: the one in `PATH`, else that of the Debian package of the same name. The package is unpacked once for each
 * user and not installed, which needs no rights and starts no service.
 * @throws {PeerMissing} when there is none
 */
export const resolveDebianProgram = async (name: string): Promise<string> => {
  const present = findProgram(name);
  if (present !== undefined) return present;
  return openCachedFolder(name, async (draft) => {
    const apt = findProgram('apt-get');
    if (apt === undefined) throw new PeerMissing(`${name} is not in PATH`);
    const folder = dirname(draft);
    await runApt(apt, ['download', '-qq', name], { cwd: folder });
    const found = (await readdir(folder)).find((file) => file.endsWith('.deb'));
    if (found === undefined) throw new PeerMissing(`there is no package ${name}`);
    const files = join(folder, 'files');
    await runProgram('dpkg-deb', ['-x', join(folder, found), files]);
    const program = join(files, 'usr/bin', name);
    if (!existsSync(program)) throw new PeerMissing(`the package ${name} has no ${name}`);
    await rename(program, draft);
  });
};

/** A program that is built from a Go module whose libraries `go.sum` pins. */
export interface GoProgram {
  readonly name: string;
  readonly module: string;
  readonly target: string;
  /** The Go files of the module's own, by their names. */
  readonly sources?: readonly string[];
  /** Further flags of the linker. */
  readonly linkFlags?: readonly string[];
}

const BUILD_ENV = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local' };

const listFlags = ({ linkFlags = [] }: GoProgram): readonly string[] => [
  '-trimpath',
  '-buildvcs=false',
  '-mod=readonly',
  `-ldflags=${['-s', '-w', ...linkFlags].join(' ')}`,
];

/** Returns the name of the built file for the sources, the libraries and the flags. */
const computeCacheKey = async (program: GoProgram): Promise<string> => {
  const { name, module, target, sources = [] } = program;
  const facts = [target, listFlags(program), process.platform, process.arch];
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
export const buildGoProgram = async (program: GoProgram): Promise<string> =>
  openCachedFolder(await computeCacheKey(program), async (draft) => {
    const go = findProgram('go');
    if (go === undefined) throw new PeerMissing('Go 1.24 or later is not in PATH');
    const args = ['build', ...listFlags(program), '-o', draft, program.target];
    await runNicely(go, args, { cwd: program.module, env: BUILD_ENV });
  });

/**
 * Makes peers ready and prints one JSON object: the reason for each peer that this machine cannot have.
 * @param peers makes a peer ready or rejects, by the name that test files have in their file names
 * @param names the peers to make ready; all when empty
 */
export const reportMissing = async (
  peers: Readonly<Record<string, () => Promise<unknown>>>,
  names: readonly string[],
): Promise<void> => {
  const missing: Record<string, string> = {};
  for (const [name, prepare] of Object.entries(peers)) {
    if (names.length > 0 && !names.includes(name)) continue;
    try {
      await prepare();
    } catch (error) {
      missing[name] = error instanceof Error ? error.message : String(error);
    }
  }
  process.stdout.write(`${JSON.stringify(missing)}\n`);
};
