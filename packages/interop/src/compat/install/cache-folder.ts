import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The folder of the user that keeps installed clients and servers between runs. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gateway-compat');

/** Something that is installed once. */
export interface Installable {
  /** Names the folder. */
  readonly name: string;
  /** The files or folders whose contents decide what is installed. */
  readonly inputs: readonly string[];
  /** Further facts, such as the version of the program that installs. */
  readonly facts?: readonly string[];
  /** Installs into an empty folder. */
  readonly install: (folder: string) => Promise<void>;
}

/**
 * Returns the folder in which something is installed. It is installed once for each user and for each version of its inputs.
 *
 * @throws what `install` throws; then nothing remains
 */
export async function installed(item: Installable): Promise<string> {
  const folder = join(CACHE, `${item.name}-${keyOf(item)}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${String(process.pid)}`;
  mkdirSync(draft, { recursive: true });
  try {
    await item.install(draft);
    // Another process may have installed the same at the same time.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function keyOf({ inputs, facts = [] }: Installable): string {
  const hash = createHash('sha256').update(
    JSON.stringify([process.platform, process.arch, ...facts]),
  );
  for (const file of inputs.flatMap(filesOf)) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function filesOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
