import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';

const ROOT = 0;
/** Write permission of the group and of everybody. */
const WRITABLE_BY_OTHERS = 0o022;
/** In a folder with this bit, only the owner of a file can replace it. */
const STICKY = 0o1000;

/** A folder for compiled code. Who writes there decides what later processes run. */
export interface CacheFolder {
  readonly path: string;
  /** True when the folders above are no part of the program, so that their permissions count too. */
  readonly isOutside: boolean;
}

/**
 * Returns the folders in which compiled code of a program may be, the best one first: in the package of the program, which a new version
 * replaces, then in the cache of the user, for a package that the user does not own. Never throws.
 */
export function cacheFolders(
  program: string,
  environment: NodeJS.ProcessEnv = process.env,
  home: () => string = homedir,
): readonly CacheFolder[] {
  const own = { path: join(dirname(program), '..', '.cache', 'code'), isOutside: false };
  const parent = userCache(environment, home);
  return parent === undefined
    ? [own]
    : [own, { path: join(parent, 'gateway-code'), isOutside: true }];
}

function userCache(environment: NodeJS.ProcessEnv, home: () => string): string | undefined {
  const given = environment['XDG_CACHE_HOME'] ?? '';
  const local = process.platform === 'win32' ? (environment['LOCALAPPDATA'] ?? '') : '';
  const named = [given, local].find(isAbsolute);
  if (named !== undefined) return named;
  try {
    const path = join(home(), '.cache');
    return isAbsolute(path) ? path : undefined;
  } catch {
    // A user without an entry in the password file has no home.
    return undefined;
  }
}

/**
 * Returns whether only the owner of the program, the user of this process and root can write in a folder. Windows reports no such
 * permissions; there the result is true.
 *
 * @throws {Error} of the file system, when the folder does not exist
 */
export function isSafeFolder(
  { path, isOutside }: CacheFolder,
  program: string,
  user: number | undefined = process.getuid?.(),
): boolean {
  if (user === undefined) return true;
  const owners = [ROOT, user, statSync(program).uid];
  if (!lstatSync(path).isDirectory()) return false;
  if (!isOwned(path, owners) || !isOwned(dirname(path), owners)) return false;
  return !isOutside || areOwned(foldersAbove(realpathSync(path)), owners);
}

const isOwned = (folder: string, owners: readonly number[], allowed = 0): boolean => {
  const { uid, mode } = lstatSync(folder);
  return owners.includes(uid) && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & allowed) !== 0);
};

const areOwned = (folders: readonly string[], owners: readonly number[]): boolean =>
  folders.every((folder) => isOwned(folder, owners, STICKY));

const foldersAbove = (path: string): readonly string[] => {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...foldersAbove(parent)];
};

/**
 * Creates a folder that only the user of this process can access, and returns whether the user may write there: in a package that
 * the user owns, or outside it where all folders belong to the user or root. Root otherwise leaves folders that their owner cannot
 * change. Never throws.
 */
export function prepareFolder(
  folder: CacheFolder,
  program: string,
  user: number | undefined = process.getuid?.(),
): boolean {
  try {
    // A package that was removed meanwhile must not appear again.
    const owner = statSync(program).uid;
    if (user !== undefined && !(folder.isOutside ? isPlaceOf(folder.path, user) : owner === user))
      return false;
    mkdirSync(folder.path, { recursive: true, mode: 0o700 });
    return isSafeFolder(folder, program, user);
  } catch {
    return false;
  }
}

/** Returns whether what exists of a path, and all above it, belongs to a user or to root. */
function isPlaceOf(path: string, user: number): boolean {
  const existing = [path, ...foldersAbove(path)].find((folder) => existsSync(folder)) ?? path;
  const real = realpathSync(existing);
  return areOwned([real, ...foldersAbove(real)], [ROOT, user]);
}
