import { readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  errorCodeOf,
  ignoreMissing,
  isMapping,
  parseYaml,
  readTextFile,
  returnOn,
} from '@gateway/files';
import { CommandFailure } from '../failure.ts';
import { placeProblem } from './secret-writes.ts';
import { isYamlName } from './yaml-name.ts';

/** A file with a secret of a server. */
export interface ServerSecret {
  /** Relative to the configuration directory, with `/`. */
  readonly path: string;
  /** A sentence about another file that uses it or may use it; absent when none does. */
  readonly use?: string;
}

/** A server whose secrets are searched. */
export interface SecretsQuestion {
  /** The configuration directory, as an absolute path. */
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

/** A folder of `secrets` and a file in it. */
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
  isMapping(value) &&
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
const pathsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string')
    return [value, ...Array.from(value.matchAll(PLACEHOLDER), ([, path = '']) => path)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
};

const realPaths = async (directory: string, value: unknown): Promise<ReadonlySet<string>> => {
  const paths = [...new Set(pathsIn(value))];
  const real = paths.map((path) => realpath(resolve(directory, path)).catch(() => ''));
  return new Set(await Promise.all(real));
};

const filesOf = async ({ directory, own }: SecretsQuestion): Promise<ConfigurationFile[]> => {
  const servers = (await readdir(join(directory, 'mcpservers')).catch(ignoreMissing)) ?? [];
  const paths = servers.filter(isYamlName).map((name) => `mcpservers/${name}`);
  return Promise.all(
    ['config.yaml', ...paths.filter((path) => path !== own).sort()].map(async (path) => {
      const read = await readTextFile(join(directory, path), { within: directory });
      const parsed = read.kind === 'text' ? parseYaml(read.text) : undefined;
      const value = parsed?.ok === true ? parsed.value : null;
      const named = await realPaths(directory, value);
      return parsed?.ok === true || read.kind === 'absent'
        ? { path, value, named }
        : { path, named };
    }),
  );
};

/** Returns all names of the files in `secrets`, by their paths without links. */
const namesByFile = async (directory: string): Promise<ReadonlyMap<string, SecretName[]>> => {
  const root = join(directory, 'secrets');
  const found = new Map<string, SecretName[]>();
  for (const folder of (await readdir(root).catch(ignoreMissing)) ?? [])
    for (const key of await readdir(join(root, folder)).catch(() => [])) {
      const real = await realOf(join(root, folder, key));
      found.set(real, [...(found.get(real) ?? []), { folder, key }]);
    }
  return found;
};

const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

const useOf = (
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
export const secretsOfServer = async (
  question: SecretsQuestion,
): Promise<readonly ServerSecret[]> => {
  const { directory, name } = question;
  const root = join(directory, 'secrets');
  if (!((await readdir(root).catch(ignoreMissing)) ?? []).includes(name)) return [];
  const entries = await readdir(join(root, name), { withFileTypes: true }).catch(
    returnOn('ENOTDIR', []),
  );
  const files = await filesOf(question);
  const names = await namesByFile(directory);
  const keys = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    keys.sort().map(async (key) => {
      const real = await realOf(join(root, name, key));
      const use = useOf({ real, names: names.get(real) ?? [{ folder: name, key }] }, files);
      return { path: `secrets/${name}/${key}`, ...(use !== undefined && { use }) };
    }),
  );
};

/**
 * Checks that the secrets of a server can be deleted.
 *
 * @throws CommandFailure when their folder is a link out of the configuration directory
 */
export const requireOwnSecrets = async ({ directory, name }: SecretsQuestion): Promise<void> => {
  const problem =
    (await placeProblem(directory, 'secrets', 'directory')) ??
    (await placeProblem(directory, `secrets/${name}`, 'directory'));
  if (problem !== undefined) throw new CommandFailure('refused', problem);
};

/**
 * Deletes files with secrets of a server, and their folder when it is empty.
 *
 * @throws CommandFailure when a file cannot be deleted
 */
export const deleteSecrets = async (
  { directory, name }: SecretsQuestion,
  secrets: readonly ServerSecret[],
): Promise<void> => {
  for (const { path } of secrets)
    await unlink(join(directory, path)).catch((error: unknown) => {
      throw new CommandFailure('failed', `${path} cannot be deleted (${errorCodeOf(error)})`);
    });
  // A folder with other files stays, and so does a link.
  await rmdir(join(directory, 'secrets', name)).catch(() => undefined);
};
