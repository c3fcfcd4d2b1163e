import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { dirname, resolve } from 'node:path';
import { parseYaml } from '@gateway/durable-files';
import type { KubeConfig } from './client-library.ts';

/** The entry of a user's configuration that names the file of its token, as `kubectl` knows it. */
const TOKEN_FILE = 'tokenFile';

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Token files of a kubeconfig by the name of their user, relative ones from where the kubeconfig is. */
const tokenFilesOf = async (path: string): Promise<ReadonlyMap<string, string>> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.includes(TOKEN_FILE)) return new Map();
  const parsed = parseYaml(text);
  const users = parsed.ok ? field(parsed.value, 'users') : undefined;
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
 * Lets users ask with the token that their `tokenFile` holds at the time, which the official client passes over. Of several
 * kubeconfigs the first that knows a user counts.
 */
export const takeTokenFiles = async (
  kubeConfig: KubeConfig,
  paths: readonly string[],
): Promise<void> => {
  const files = new Map<string, string>();
  for (const path of [...paths].reverse())
    for (const [name, file] of await tokenFilesOf(path)) files.set(name, file);
  if (files.size === 0) return;
  kubeConfig.users = kubeConfig.users.map((user) => {
    if (!files.has(user.name)) return user;
    const { token: _inFavourOfTheFile, ...rest } = user;
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
