import { readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  errorCodeOf,
  ignoreMissing,
  isMapping,
  parseYaml,
  readTextFile,
  returnOn,
} from '@gateway/durable-files';
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
}

/** The names that a folder of `secrets` has, and the name of a file in it. */
interface SecretNames {
  readonly folders: readonly string[];
  readonly key: string;
}

const SECRET_REFERENCE = /secret(?:key)?ref$/iu;
const SEPARATORS = /[\\/]+(?:\.[\\/]+)*/gu;
const NEXT_IN_NAME = /^[-.\w]/u;

/** Returns whether a text has the path of the file, or ends with that of its folder. */
const hasPath = (text: string, { folders, key }: SecretNames): boolean => {
  const path = text.replaceAll(SEPARATORS, '/');
  return folders.some((folder) => {
    const parts = path.split(`secrets/${folder}/${key}`).slice(1);
    return (
      // The name of another file can begin with this one.
      parts.some((rest) => !NEXT_IN_NAME.test(rest)) ||
      path.replace(/\/$/u, '').endsWith(`secrets/${folder}`)
    );
  });
};

/** Returns whether an object names the file as a Secret and one of its keys, or as a whole Secret. */
const isReference = (value: unknown, { folders, key }: SecretNames): boolean =>
  isMapping(value) &&
  folders.some((folder) => value['name'] === folder) &&
  (typeof value['key'] !== 'string' || value['key'] === key);

const isUsedIn = (value: unknown, names: SecretNames): boolean => {
  if (typeof value === 'string') return hasPath(value, names);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([field, part]) =>
      (SECRET_REFERENCE.test(field) && isReference(part, names)) || isUsedIn(part, names),
  );
};

const filesOf = async ({ directory, own }: SecretsQuestion): Promise<ConfigurationFile[]> => {
  const servers = (await readdir(join(directory, 'mcpservers')).catch(ignoreMissing)) ?? [];
  const paths = servers.filter(isYamlName).map((name) => `mcpservers/${name}`);
  return Promise.all(
    ['config.yaml', ...paths.filter((path) => path !== own).sort()].map(async (path) => {
      const read = await readTextFile(join(directory, path), { within: directory });
      const parsed = read.kind === 'text' ? parseYaml(read.text) : undefined;
      if (read.kind === 'absent') return { path, value: null };
      return parsed?.ok === true ? { path, value: parsed.value } : { path };
    }),
  );
};

/** Returns the names of the folder: links in `secrets` can lead to it. */
const foldersOf = async (directory: string, name: string): Promise<readonly string[]> => {
  const root = join(directory, 'secrets');
  const target = (folder: string) => realpath(join(root, folder)).catch(() => folder);
  const real = await target(name);
  const folders = (await readdir(root).catch(ignoreMissing)) ?? [];
  const targets = await Promise.all(folders.map(target));
  return folders.filter((_folder, at) => targets[at] === real);
};

const useOf = (names: SecretNames, files: readonly ConfigurationFile[]): string | undefined => {
  const user = files.find(({ value }) => value !== undefined && isUsedIn(value, names));
  if (user !== undefined) return `${user.path} uses it`;
  const unknown = files.find(({ value }) => value === undefined);
  return unknown && `${unknown.path} cannot be read and may use it`;
};

/** Returns the files with secrets of a server, by name, and which other files of the configuration use them. */
export const secretsOfServer = async (
  question: SecretsQuestion,
): Promise<readonly ServerSecret[]> => {
  const { directory, name } = question;
  const folders = await foldersOf(directory, name);
  if (!folders.includes(name)) return [];
  const entries = await readdir(join(directory, 'secrets', name), { withFileTypes: true }).catch(
    returnOn('ENOTDIR', []),
  );
  const files = await filesOf(question);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((key) => {
      const use = useOf({ folders, key }, files);
      return { path: `secrets/${name}/${key}`, ...(use !== undefined && { use }) };
    });
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
