import { resolve } from 'node:path';
import type { StdioServerSpec } from '@gateway/crd-schemas';

/**
 * Returns the absolute working directory of a stdio server, from which its relative command and arguments count: `spec.cwd`, resolved
 * against the base directory, or the base directory itself. `undefined` without both: the process inherits the directory of the gateway.
 *
 * @spec §2.6 `cwd`
 */
export const childDirectory = (
  { cwd }: Pick<StdioServerSpec, 'cwd'>,
  baseDirectory?: string,
): string | undefined =>
  cwd === undefined && baseDirectory === undefined
    ? undefined
    : resolve(baseDirectory ?? '.', cwd ?? '.');

const POSIX_NAMES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TERM', 'USER', 'SHELL'];
const WINDOWS_NAMES = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/**
 * Returns the environment of a stdio server: a fixed subset of the gateway's variables, overridden by `spec.env`. The gateway's secrets are
 * not passed on.
 *
 * @spec §2.6 `env`
 */
export const childEnvironment = (
  own: Readonly<Record<string, string | undefined>>,
  specEnv: Readonly<Record<string, string>>,
  platform: string = process.platform,
): Record<string, string> => {
  const environment = new Map<string, string>();
  for (const name of platform === 'win32' ? WINDOWS_NAMES : POSIX_NAMES) {
    const value = own[name];
    if (value !== undefined) environment.set(name, value);
  }
  for (const [name, value] of Object.entries(specEnv)) environment.set(name, value);
  return Object.fromEntries(environment);
};
