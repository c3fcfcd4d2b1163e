import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { MAX_RESOURCE_FILES } from '../limits.ts';
import type { ResourceProblem, ResourceProblemKind } from '../resource-problem.ts';
import { errorCodeOf } from './error-code.ts';
import { yamlBasename, type FileRole } from './file-role.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { NamedFile } from './interpret-file.ts';
import { isLink } from './is-link.ts';

/** A file that is there, and which version of it. */
export interface Sighting extends NamedFile {
  readonly fingerprint: string;
}

/** What is in the directory at one moment. Nothing is opened or read. */
export interface DirectoryScan {
  /** By file. */
  readonly sightings: ReadonlyMap<string, Sighting>;
  /** What keeps files from being found. */
  readonly problems: readonly ResourceProblem[];
  /** False when a directory could not be listed: files may then be there without having been seen. */
  readonly complete: boolean;
}

/** The directory of `MCPServer` files inside the configuration directory. @spec §1.5 */
export const MCP_SERVERS_DIRECTORY = 'mcpservers';

type Listing =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly message: string };

const FAILURES: Readonly<Record<string, string>> = { ENOTDIR: 'is not a directory' };

const list = async (directory: string): Promise<Listing> => {
  try {
    return { kind: 'names', names: await readdir(directory) };
  } catch (error) {
    const code = errorCodeOf(error);
    return code === 'ENOENT'
      ? { kind: 'missing' }
      : { kind: 'failed', message: FAILURES[code] ?? `cannot be listed: ${code}` };
  }
};

/**
 * Follows links; undefined for a file that went since it was listed. What is there but is no readable file has a version
 * too: reading it says what is wrong.
 */
const sight = async (file: string, role: FileRole): Promise<Sighting | undefined> => {
  try {
    const stats = await stat(file, { bigint: true });
    return { file, role, fingerprint: stats.isFile() ? fingerprintOf(stats) : 'not a file' };
  } catch (error) {
    const code = errorCodeOf(error);
    const isGone = code === 'ENOENT' && !(await isLink(file));
    return isGone ? undefined : { file, role, fingerprint: `unreadable: ${code}` };
  }
};

const sightAll = async (files: readonly NamedFile[]): Promise<readonly Sighting[]> => {
  const sightings = await Promise.all(files.map(({ file, role }) => sight(file, role)));
  return sightings.filter((sighting) => sighting !== undefined);
};

const configFiles = (directory: string, names: readonly string[]): readonly NamedFile[] =>
  names
    .filter((name) => yamlBasename(name) === 'config')
    .map((name) => ({ file: path.join(directory, name), role: { kind: 'Configuration' } }));

const serverFiles = (directory: string, names: readonly string[]): readonly NamedFile[] =>
  names.flatMap((fileName): NamedFile[] => {
    const name = yamlBasename(fileName);
    if (name === undefined) return [];
    return [{ file: path.join(directory, fileName), role: { kind: 'MCPServer', name } }];
  });

const problem = (kind: ResourceProblemKind, file: string, message: string): ResourceProblem => ({
  file,
  kind,
  message,
});

const rootProblems = (directory: string, root: Listing): readonly ResourceProblem[] => {
  if (root.kind === 'names') return [];
  const message = root.kind === 'missing' ? 'the directory does not exist' : root.message;
  return [problem('Configuration', directory, message)];
};

const serversProblems = (
  directory: string,
  servers: Listing,
  count: number,
): readonly ResourceProblem[] => {
  if (servers.kind === 'failed') return [problem('MCPServer', directory, servers.message)];
  if (count <= MAX_RESOURCE_FILES) return [];
  const limit = String(MAX_RESOURCE_FILES);
  const message = `holds more than ${limit} resource files; only the first ${limit} by name are read`;
  return [problem('MCPServer', directory, message)];
};

const namesOf = (listing: Listing): readonly string[] =>
  listing.kind === 'names' ? listing.names : [];

/** Looks at the configuration directory once. Never throws. @spec §1.5 */
export const scanDirectory = async (directory: string): Promise<DirectoryScan> => {
  const serversDirectory = path.join(directory, MCP_SERVERS_DIRECTORY);
  const root = await list(directory);
  // Below something that is no directory there is nothing to add to what is wrong with it.
  const servers = root.kind === 'names' ? await list(serversDirectory) : root;
  const resources = root.kind === 'names' ? serverFiles(serversDirectory, namesOf(servers)) : [];
  const files = [
    ...configFiles(directory, namesOf(root)),
    ...[...resources].sort((a, b) => (a.file < b.file ? -1 : 1)).slice(0, MAX_RESOURCE_FILES),
  ];
  const sightings = await sightAll(files);
  return {
    sightings: new Map(sightings.map((sighting) => [sighting.file, sighting])),
    problems: [
      ...rootProblems(directory, root),
      ...(root.kind === 'names'
        ? serversProblems(serversDirectory, servers, resources.length)
        : []),
    ],
    complete: root.kind === 'names' && servers.kind !== 'failed',
  };
};
