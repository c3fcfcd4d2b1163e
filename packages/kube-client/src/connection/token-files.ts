import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import type { KubeConfig } from './client-library.ts';

/** The field of a kubeconfig user that names a token file, as in `kubectl`. */
const TOKEN_FILE = 'tokenFile';

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const yamlOf = (text: string): unknown => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the token file of each user of a kubeconfig; relative paths start at the kubeconfig. */
const tokenFilesOf = async (path: string): Promise<ReadonlyMap<string, string>> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.includes(TOKEN_FILE)) return new Map();
  const users = field(yamlOf(text), 'users');
  return new Map(
    (Array.isArray(users) ? (users as readonly unknown[]) : []).flatMap((entry) => {
      const name = field(entry, 'name');
      const file = field(field(entry, 'user'), TOKEN_FILE);
      return typeof name === 'string' && typeof file === 'string' && file !== ''
        ? [[name, resolve(dirname(path), file)] as const]
        : [];
    }),
  );
};

/**
 * Authenticates users with the current content of their `tokenFile`, which the official client ignores. The first of several kubeconfigs that
 * has a user takes precedence.
 */
export const useTokenFiles = async (
  kubeConfig: KubeConfig,
  paths: readonly string[],
): Promise<void> => {
  const files = new Map<string, string>();
  for (const path of [...paths].reverse())
    for (const [name, file] of await tokenFilesOf(path)) files.set(name, file);
  if (files.size === 0) return;
  kubeConfig.users = kubeConfig.users.map((user) => {
    if (!files.has(user.name)) return user;
    const { token: _replacedByFile, ...rest } = user;
    return rest;
  });
  kubeConfig.addAuthenticator({
    isAuthProvider: ({ name }) => files.has(name),
    applyAuthentication: async ({ name }, options: RequestOptions) => {
      const token = (await readFile(files.get(name) ?? '', 'utf8')).trim();
      const headers = options.headers as OutgoingHttpHeaders | undefined;
      options.headers = { ...headers, Authorization: `Bearer ${token}` };
    },
  });
};
