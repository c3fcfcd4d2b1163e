import { isJsonObject } from '@gateway/call-contract';
import { formatSecretPath, type StoredSecret } from '@gateway/client-config';
import {
  createFileAtomically,
  formatWriteFailure,
  ignoreMissing,
  parseYaml,
  readErrorCode,
  readTextFile,
  replaceFileAtomically,
  returnOn,
} from '@gateway/files';
import { lstat, mkdir, readdir, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { parseYamlBasename } from './scan-directory.ts';
import { NOTHING_WRITTEN, type WrittenSecrets } from '../port/resource-store.ts';

const PRIVATE_FILE = { mode: 0o600, isDurable: true, hasOwnMode: true } as const;
const PRIVATE_DIRECTORY = 0o700;

const MAX_SECRET_BYTES = 65_536;

/** Returns the text of a value. Readers remove one line break at the end; a value without one is written as it is. */
export const formatSecretText = (value: string): string =>
  value.endsWith('\n') ? `${value}\n` : value;

/** A file of a secret that a change writes. */
export interface SecretFileChange {
  /** Relative to the configuration directory, with `/`. */
  readonly path: string;
  readonly after: string;
  /** Absent for a new file. */
  readonly before?: string;
}

/** The files of secrets that a change writes, or the reasons for which it writes none of them. */
interface SecretFileChanges {
  readonly changes: readonly SecretFileChange[];
  readonly problems: readonly string[];
}

const findRealPath = async (path: string): Promise<string | undefined> => {
  const facts = await lstat(path).catch(returnOn('ENOENT', undefined));
  return facts === undefined ? undefined : realpath(path);
};

const isBelow = (root: string, path: string): boolean => path.startsWith(join(root, sep));

/** Returns why a path may not be written; a link out of the configuration directory would be followed. */
const validatePlace = async (
  directory: string,
  path: string,
  kind: 'directory' | 'file',
): Promise<string | undefined> => {
  try {
    const real = await findRealPath(join(directory, path));
    if (real === undefined) return undefined;
    if (!isBelow(await realpath(directory), real))
      return `${path} leads out of the configuration directory: replace the link by a ${kind}`;
    const facts = await stat(real);
    return (kind === 'directory' ? facts.isDirectory() : facts.isFile())
      ? undefined
      : `${path} is not a ${kind}`;
  } catch (error) {
    return `${path} cannot be used (${readErrorCode(error)})`;
  }
};

const findProblem = async (
  directory: string,
  path: string,
  text: string,
): Promise<string | undefined> => {
  if (Buffer.byteLength(text) > MAX_SECRET_BYTES)
    return `${path} would have more than ${MAX_SECRET_BYTES.toLocaleString('en')} bytes`;
  const folder = dirname(path);
  return (
    (await validatePlace(directory, dirname(folder), 'directory')) ??
    (await validatePlace(directory, folder, 'directory')) ??
    (await validatePlace(directory, path, 'file'))
  );
};

/** Returns the files of secrets that do not have their values, and why secrets cannot be written. Writes nothing. */
export const computeSecretChanges = async (
  directory: string,
  server: string,
  secrets: readonly StoredSecret[],
): Promise<SecretFileChanges> => {
  const files = secrets.map(({ key, value }) => ({
    path: formatSecretPath(server, key),
    value,
    after: formatSecretText(value),
  }));
  const found = await Promise.all(
    files.map(({ path, after }) => findProblem(directory, path, after)),
  );
  const problems = [...new Set(found.flatMap((problem) => problem ?? []))];
  if (problems.length > 0) return { changes: [], problems };
  const changes = await Promise.all(
    files.map(async ({ path, value, after }): Promise<readonly SecretFileChange[]> => {
      const read = await readTextFile(join(directory, path), { within: directory });
      if (read.kind === 'absent') return [{ path, after }];
      if (read.kind !== 'text') {
        problems.push(`${path} ${read.kind === 'unsettled' ? 'is being written' : read.message}`);
        return [];
      }
      const before = read.text;
      const isEqual = before === after || before.replace(/\r?\n$/u, '') === value;
      return isEqual ? [] : [{ path, after, before }];
    }),
  );
  return { changes: changes.flat(), problems };
};

/** Writes a file, or returns why it could not be written. */
const writeFile = async (
  directory: string,
  { path, before, after }: SecretFileChange,
): Promise<string | undefined> => {
  const file = join(directory, path);
  try {
    await mkdir(dirname(file), { recursive: true, mode: PRIVATE_DIRECTORY });
    if (before !== undefined) await replaceFileAtomically(file, after, PRIVATE_FILE);
    else if (!(await createFileAtomically(file, after, PRIVATE_FILE)))
      return 'another program has created it';
    return undefined;
  } catch (error) {
    return formatWriteFailure(error);
  }
};

const writeFiles = async (
  directory: string,
  changes: readonly SecretFileChange[],
): Promise<WrittenSecrets> => {
  const done: SecretFileChange[] = [];
  const undo = async (): Promise<void> => {
    for (const { path, before } of done) {
      const file = join(directory, path);
      await (
        before === undefined ? unlink(file) : replaceFileAtomically(file, before, PRIVATE_FILE)
      ).catch(() => undefined);
    }
    const [first] = changes;
    if (first !== undefined) await removeEmptyFolder(join(directory, first.path));
  };
  for (const change of changes) {
    const reason = await writeFile(directory, change);
    if (reason !== undefined) {
      await undo();
      return { ok: false, text: `cannot write ${change.path}: ${reason}` };
    }
    done.push(change);
  }
  return { ok: true, undo, own: () => Promise.resolve() };
};

/** Removes the folder of a file when it is empty. A link to a folder stays. */
const removeEmptyFolder = async (file: string): Promise<void> => {
  await rmdir(dirname(file)).catch(() => undefined);
};

/**
 * Writes files of secrets, which only their owner can read. A new server replaces no value. Never rejects; a failure leaves the files as they
 * were.
 */
export const writeSecretFiles = async (
  directory: string,
  server: string,
  secrets: readonly StoredSecret[],
  { isNew }: { readonly isNew: boolean },
): Promise<WrittenSecrets> => {
  if (secrets.length === 0) return NOTHING_WRITTEN;
  const { changes, problems } = await computeSecretChanges(directory, server, secrets);
  const existing = isNew ? changes.filter(({ before }) => before !== undefined) : [];
  const refusals = [
    ...problems,
    ...existing.map(
      ({ path }) => `${path} exists with another value: delete it, or use another name`,
    ),
  ];
  return refusals.length > 0
    ? { ok: false, text: refusals.join('; ') }
    : writeFiles(directory, changes);
};

export interface ServerSecret {
  /** Relative to the configuration directory, with `/`. */
  readonly path: string;
  /** A sentence about another file that uses it or may use it; absent when none does. */
  readonly use?: string;
}

/** A server whose secrets are searched. */
export interface SecretsQuestion {
  readonly directory: string;
  readonly name: string;
  /** The file of the server, whose references do not count. */
  readonly own?: string | undefined;
}

/** A document of the configuration; `value` is absent when it cannot be read. */
interface ConfigurationFile {
  readonly path: string;
  readonly value?: unknown;
  /** The files that its texts and placeholders name, without links. */
  readonly named: ReadonlySet<string>;
}

interface SecretName {
  readonly folder: string;
  readonly key: string;
}

/** A file with a secret: its path without links, and all names that lead to it. */
interface KeptSecret {
  readonly real: string;
  readonly names: readonly SecretName[];
}

const SECRET_REFERENCE = /secret(?:key)?ref$/iu;
const SEPARATORS = /[\\/]+(?:\.[\\/]+)*/gu;
const PLACEHOLDER = /\$\{file:([^{}]+)\}/gu;
const NEXT_IN_NAME = /^[-.\w]/u;

/** Returns whether a text has the path of the file, or ends with that of its folder. */
const hasPath = (text: string, { folder, key }: SecretName): boolean => {
  const path = text.replaceAll(SEPARATORS, '/');
  const parts = path.split(`secrets/${folder}/${key}`).slice(1);
  return (
    // The name of another file can begin with this one.
    parts.some((rest) => !NEXT_IN_NAME.test(rest)) ||
    path.replace(/\/$/u, '').endsWith(`secrets/${folder}`)
  );
};

/** Returns whether an object names the file as a Secret and one of its keys, or as a whole Secret. */
const isReference = (value: unknown, { folder, key }: SecretName): boolean =>
  isJsonObject(value) &&
  value['name'] === folder &&
  (typeof value['key'] !== 'string' || value['key'] === key);

const isUsedIn = (value: unknown, name: SecretName): boolean => {
  if (typeof value === 'string') return hasPath(value, name);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([field, part]) =>
      (SECRET_REFERENCE.test(field) && isReference(part, name)) || isUsedIn(part, name),
  );
};

/** Returns the texts of a document that can be paths: whole ones, and those of placeholders. */
const listPaths = (value: unknown): readonly string[] => {
  if (typeof value === 'string')
    return [value, ...Array.from(value.matchAll(PLACEHOLDER), ([, path = '']) => path)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listPaths) : [];
};

const listRealPaths = async (directory: string, value: unknown): Promise<ReadonlySet<string>> => {
  const paths = [...new Set(listPaths(value))];
  const real = paths.map((path) => realpath(resolve(directory, path)).catch(() => ''));
  return new Set(await Promise.all(real));
};

const listFiles = async ({ directory, own }: SecretsQuestion): Promise<ConfigurationFile[]> => {
  const servers = (await readdir(join(directory, 'mcpservers')).catch(ignoreMissing)) ?? [];
  const paths = servers
    .filter((name) => parseYamlBasename(name) !== undefined)
    .map((name) => `mcpservers/${name}`);
  return Promise.all(
    ['config.yaml', ...paths.filter((path) => path !== own).sort()].map(async (path) => {
      const read = await readTextFile(join(directory, path), { within: directory });
      const parsed = read.kind === 'text' ? parseYaml(read.text) : undefined;
      const value = parsed?.ok === true ? parsed.value : null;
      const named = await listRealPaths(directory, value);
      return parsed?.ok === true || read.kind === 'absent'
        ? { path, value, named }
        : { path, named };
    }),
  );
};

/** Returns all names of the files in `secrets`, by their paths without links. */
const groupSecretNames = async (directory: string): Promise<ReadonlyMap<string, SecretName[]>> => {
  const root = join(directory, 'secrets');
  const found = new Map<string, SecretName[]>();
  for (const folder of (await readdir(root).catch(ignoreMissing)) ?? [])
    for (const key of await readdir(join(root, folder)).catch(() => [])) {
      const real = await toRealPath(join(root, folder, key));
      found.set(real, [...(found.get(real) ?? []), { folder, key }]);
    }
  return found;
};

const toRealPath = (path: string): Promise<string> => realpath(path).catch(() => path);

const findUse = (
  { real, names }: KeptSecret,
  files: readonly ConfigurationFile[],
): string | undefined => {
  const user = files.find(
    ({ value, named }) => named.has(real) || names.some((name) => isUsedIn(value, name)),
  );
  if (user !== undefined) return `${user.path} uses it`;
  const unknown = files.find(({ value }) => value === undefined);
  return unknown && `${unknown.path} cannot be read and may use it`;
};

/** Returns the files with secrets of a server, by name, and which other files of the configuration use them. */
export const listServerSecrets = async (
  question: SecretsQuestion,
): Promise<readonly ServerSecret[]> => {
  const { directory, name } = question;
  const root = join(directory, 'secrets');
  if (!((await readdir(root).catch(ignoreMissing)) ?? []).includes(name)) return [];
  const entries = await readdir(join(root, name), { withFileTypes: true }).catch(
    returnOn('ENOTDIR', []),
  );
  const files = await listFiles(question);
  const names = await groupSecretNames(directory);
  const keys = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    keys.sort().map(async (key) => {
      const real = await toRealPath(join(root, name, key));
      const use = findUse({ real, names: names.get(real) ?? [{ folder: name, key }] }, files);
      return { path: formatSecretPath(name, key), ...(use !== undefined && { use }) };
    }),
  );
};

/**
 * Deletes the files with secrets of a server that no other file uses, and their folder when it is empty. Returns why a file could not be
 * deleted. Never rejects.
 */
export const removeSecretFiles = async (question: SecretsQuestion): Promise<string | undefined> => {
  const { directory, name } = question;
  const problem =
    (await validatePlace(directory, 'secrets', 'directory')) ??
    (await validatePlace(directory, `secrets/${name}`, 'directory'));
  if (problem !== undefined) return problem;
  const secrets = await listServerSecrets(question);
  for (const { path, use } of secrets) {
    if (use !== undefined) continue;
    const error = await unlink(join(directory, path)).catch((reason: unknown) => reason);
    if (error !== undefined) return `${path} cannot be deleted (${readErrorCode(error)})`;
  }
  if (secrets.length > 0) await removeEmptyFolder(join(directory, formatSecretPath(name, '_')));
  return undefined;
};
