import { spawn } from 'node:child_process';
import process from 'node:process';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the browser of the user, without a shell. Failures are ignored: the URL is printed too. */
export const openBrowser = (url: URL): void => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const [program, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};
