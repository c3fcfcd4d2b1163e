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
