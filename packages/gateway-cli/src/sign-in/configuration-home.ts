import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

type Environment = Readonly<Record<string, string | undefined>>;

const homeOf = (environment: Environment): string =>
  environment['HOME'] || environment['USERPROFILE'] || homedir();

const parentOf = (environment: Environment, platform: NodeJS.Platform): string => {
  if (environment['XDG_CONFIG_HOME']) return environment['XDG_CONFIG_HOME'];
  if (platform === 'win32' && environment['APPDATA']) return environment['APPDATA'];
  return platform === 'darwin'
    ? join(homeOf(environment), 'Library', 'Application Support')
    : join(homeOf(environment), '.config');
};

/** Returns the directory of the user's settings for the command line: `XDG_CONFIG_HOME`, otherwise the one of the platform. */
export const configurationHome = (
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string => join(parentOf(environment, platform), 'mcp-gateway');
