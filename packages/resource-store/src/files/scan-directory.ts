import path from 'node:path';
import { readErrorCode, toFingerprint, isLink, mountPoints } from '@gateway/files';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareTexts, type ResourceProblem, type ResourceProblemKind } from '../port/resources.ts';

/** The maximum number of files of one resource kind. */
export const MAX_RESOURCE_FILES = 4_096;

/** The role of a file in the configuration directory. */
export type FileRole =
  | { readonly kind: 'Configuration' }
  | {
      readonly kind: 'MCPServer' | 'Workflow';
      /** The base name of the file, which must equal the name of the resource. */
      readonly name: string;
    };

const YAML_FILE = /^([^.].*)\.ya?ml$/s;

/** Returns the base name of a YAML file; undefined for other files and for hidden ones, which editors and mounts create. */
export const parseYamlBasename = (fileName: string): string | undefined =>
  YAML_FILE.exec(fileName)?.[1];

/** The folder of each kind in the configuration directory. @spec §1.5 */
export const RESOURCE_DIRECTORIES = { MCPServer: 'mcpservers', Workflow: 'workflows' } as const;

export const listResourceDirectories = (directory: string): readonly string[] =>
  Object.values(RESOURCE_DIRECTORIES).map((name) => path.join(directory, name));

/** A file of the configuration directory and its role. */
export interface NamedFile {
  readonly file: string;
  readonly role: FileRole;
}

/** A file that exists, and its version. */
export interface Sighting extends NamedFile {
  readonly fingerprint: string;
  /** The file has this one name and is no link, so that a watch of its directory reports its changes. */
  readonly isPlain: boolean;
}

/** The content of the directory at one moment, from listings and file attributes only. */
export interface DirectoryScan {
  /** By file. */
  readonly sightings: ReadonlyMap<string, Sighting>;
  /** The problems that prevent files from being found. */
  readonly problems: readonly ResourceProblem[];
  /** The kinds whose directories could not be listed; their files may exist. */
  readonly unseen: ReadonlySet<ResourceProblemKind>;
}

type ResourceKind = keyof typeof RESOURCE_DIRECTORIES;

const RESOURCE_KINDS = Object.keys(RESOURCE_DIRECTORIES) as readonly ResourceKind[];

interface Entry {
  readonly name: string;
  readonly isFile: boolean;
}

/** A file before its attributes are read. */
interface ListedFile extends NamedFile {
  readonly isFile: boolean;
}

type Listing =
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly message: string };

const FAILURES: Readonly<Record<string, string>> = { ENOTDIR: 'is not a directory' };

const list = async (directory: string): Promise<Listing> => {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return {
      kind: 'entries',
      entries: entries.map((entry) => ({ name: entry.name, isFile: entry.isFile() })),
    };
  } catch (error) {
    const code = readErrorCode(error);
    return code === 'ENOENT'
      ? { kind: 'missing' }
      : { kind: 'failed', message: FAILURES[code] ?? `cannot be listed: ${code}` };
  }
};

/**
 * Returns the version of a file, following links; undefined for a file that was deleted after the listing. An entry that is not a readable
 * file has a version too, so that reading it reports the problem.
 */
const inspectFile = async ({ file, role, isFile }: ListedFile): Promise<Sighting | undefined> => {
  try {
    const stats = await stat(file, { bigint: true });
    const fingerprint = stats.isFile() ? toFingerprint(stats) : 'not a file';
    return { file, role, fingerprint, isPlain: isFile && stats.nlink === 1n };
  } catch (error) {
    const code = readErrorCode(error);
    const isGone = code === 'ENOENT' && !(await isLink(file));
    return isGone ? undefined : { file, role, fingerprint: `unreadable: ${code}`, isPlain: false };
  }
};

const inspectFiles = async (files: readonly ListedFile[]): Promise<readonly Sighting[]> => {
  const sightings = await Promise.all(files.map(inspectFile));
  return sightings.filter((sighting) => sighting !== undefined);
};

const listConfigFiles = (directory: string, entries: readonly Entry[]): readonly ListedFile[] =>
  entries
    .filter(({ name }) => parseYamlBasename(name) === 'config')
    .map(({ name, isFile }) => ({
      file: path.join(directory, name),
      isFile,
      role: { kind: 'Configuration' },
    }));

const listResourceFiles = (
  kind: ResourceKind,
  directory: string,
  entries: readonly Entry[],
): readonly ListedFile[] =>
  entries
    .flatMap((entry): ListedFile[] => {
      const name = parseYamlBasename(entry.name);
      if (name === undefined) return [];
      const file = path.join(directory, entry.name);
      return [{ file, role: { kind, name }, isFile: entry.isFile }];
    })
    .sort((a, b) => compareTexts(a.file, b.file));

const createProblem = (
  kind: ResourceProblemKind,
  source: string,
  message: string,
): ResourceProblem => ({
  source,
  kind,
  message,
});

const listRootProblems = (
  directory: string,
  root: Exclude<Listing, { kind: 'entries' }>,
): readonly ResourceProblem[] => {
  const message = root.kind === 'missing' ? 'the directory does not exist' : root.message;
  return [createProblem('Configuration', directory, message)];
};

const readEntries = (listing: Listing): readonly Entry[] =>
  listing.kind === 'entries' ? listing.entries : [];

interface ResourceScan {
  readonly kind: ResourceKind;
  readonly files: readonly ListedFile[];
  readonly problems: readonly ResourceProblem[];
  readonly isListed: boolean;
}

/** Lists the files of one kind. A missing directory is an empty one. */
const scanResources = async (root: string, kind: ResourceKind): Promise<ResourceScan> => {
  const directory = path.join(root, RESOURCE_DIRECTORIES[kind]);
  const listing = await list(directory);
  if (listing.kind === 'failed') {
    const problems = [createProblem(kind, directory, listing.message)];
    return { kind, files: [], problems, isListed: false };
  }
  const files = listResourceFiles(kind, directory, readEntries(listing));
  if (files.length <= MAX_RESOURCE_FILES) return { kind, files, problems: [], isListed: true };
  const limit = String(MAX_RESOURCE_FILES);
  const message = `holds more than ${limit} resource files; only the first ${limit} by name are read`;
  return {
    kind,
    files: files.slice(0, MAX_RESOURCE_FILES),
    problems: [createProblem(kind, directory, message)],
    isListed: true,
  };
};

/** Lists the configuration directory once. Never throws. @spec §1.5 */
export const scanDirectory = async (directory: string): Promise<DirectoryScan> => {
  const root = await list(directory);
  if (root.kind !== 'entries') {
    // The problem of the root covers everything below it.
    const problems = listRootProblems(directory, root);
    return {
      sightings: new Map(),
      problems,
      unseen: new Set(['Configuration', ...RESOURCE_KINDS]),
    };
  }
  const resources = await Promise.all(RESOURCE_KINDS.map((kind) => scanResources(directory, kind)));
  const files = [
    ...listConfigFiles(directory, root.entries),
    ...resources.flatMap((resource) => resource.files),
  ];
  const sightings = await inspectFiles(files);
  return {
    sightings: new Map(sightings.map((sighting) => [sighting.file, sighting])),
    problems: resources.flatMap(({ problems }) => problems),
    unseen: new Set(resources.flatMap(({ kind, isListed }) => (isListed ? [] : [kind]))),
  };
};

const isMounted = async (files: readonly string[]): Promise<boolean> => {
  const points = await mountPoints();
  const folders = new Set(files.map((file) => path.dirname(file)));
  const places = new Map(
    await Promise.all(
      [...folders].map(async (folder) => [folder, await realpath(folder)] as const),
    ),
  );
  return files.some((file) => {
    const place = places.get(path.dirname(file));
    return place === undefined || points.has(path.join(place, path.basename(file)));
  });
};

/**
 * Returns whether watches of their directories report every change of these files, on a file system that reports changes. Links, files with
 * several names and files that are mounted by themselves change elsewhere.
 */
export const areReported = async (sightings: Iterable<Sighting>): Promise<boolean> => {
  const files = [...sightings];
  if (!files.every(({ isPlain }) => isPlain)) return false;
  try {
    return !(await isMounted(files.map(({ file }) => file)));
  } catch {
    return false;
  }
};

/** A file or folder that looks like configuration and is not read. */
export interface OverlookedFile {
  readonly file: string;
  readonly message: string;
}

const MAX_OVERLOOKED_FILES = 100;
const READ_NAMES = new Set(['config.yaml', 'mcpservers', 'workflows']);
/** Common wrong names of the two folders, in letters only. */
const MISNAMED = new Map([
  ['mcpserver', 'mcpservers'],
  ['mcpservers', 'mcpservers'],
  ['server', 'mcpservers'],
  ['servers', 'mcpservers'],
  ['workflow', 'workflows'],
  ['workflows', 'workflows'],
]);

const listEntries = (directory: string): Promise<readonly Dirent[] | undefined> =>
  readdir(directory, { withFileTypes: true }).catch(() => undefined);

const explainRootEntry = (entry: Dirent): string | undefined => {
  const { name } = entry;
  if (READ_NAMES.has(name) || name.startsWith('.')) return undefined;
  if (entry.isDirectory()) {
    const expected = MISNAMED.get(name.toLowerCase().replaceAll(/[^a-z]/gu, ''));
    return expected === undefined ? undefined : `is not read; resources are read from ${expected}/`;
  }
  return parseYamlBasename(name) === undefined
    ? undefined
    : 'is not read; here only config.yaml is, resources are read from mcpservers/ and workflows/';
};

const explainFolderEntry = (entry: Dirent): string | undefined => {
  const { name } = entry;
  if (name.startsWith('.')) return undefined;
  if (entry.isDirectory()) return 'is not read; folders in here are left out';
  return /\.(?:json|ya?ml)$/iu.test(name) && parseYamlBasename(name) === undefined
    ? 'is not read; names of files end in .yaml or .yml'
    : undefined;
};

const listUnreadFiles = (
  directory: string,
  entries: readonly Dirent[],
  textOf: (entry: Dirent) => string | undefined,
): readonly OverlookedFile[] =>
  entries.flatMap((entry) => {
    const message = textOf(entry);
    return message === undefined ? [] : [{ file: join(directory, entry.name), message }];
  });

/**
 * Returns the entries of a configuration directory that look like configuration and are not read: a folder with a similar name, a resource
 * in the wrong folder or with another extension, or a directory without any configuration. Returns at most 100, sorted by file. Hidden
 * files are ignored.
 *
 * @spec §1.5
 */
export const listOverlookedFiles = async (
  directory: string,
): Promise<readonly OverlookedFile[]> => {
  const rootEntries = await listEntries(directory);
  if (rootEntries === undefined) return [];
  const folderFiles = await Promise.all(
    ['mcpservers', 'workflows'].map(async (name) => {
      const folder = join(directory, name);
      return listUnreadFiles(folder, (await listEntries(folder)) ?? [], explainFolderEntry);
    }),
  );
  const nothing = rootEntries.some(({ name }) => READ_NAMES.has(name))
    ? []
    : [{ file: directory, message: 'has neither config.yaml nor mcpservers/ nor workflows/' }];
  const rest = [
    ...listUnreadFiles(directory, rootEntries, explainRootEntry),
    ...folderFiles.flat(),
  ];
  return [...nothing, ...rest.toSorted((a, b) => compareTexts(a.file, b.file))].slice(
    0,
    MAX_OVERLOOKED_FILES,
  );
};
