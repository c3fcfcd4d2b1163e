import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findFreePort } from '@gateway/test-peers';
import { APP } from './gateway.ts';
import { atEnd } from './lifetime.ts';
import { startNode, type RunningProcess } from './process.ts';

/** The repository's root, from which the commands of the documentation are run. */
export const REPOSITORY = join(APP, '../..');

/** The example as `npm start` runs it, on ports of its own. */
export interface RunningExample extends RunningProcess {
  readonly url: string;
  /** The copy's folder, which is its configuration directory. */
  readonly directory: string;
  /** The port of its remote server. */
  readonly remotePort: number;
  /** URL of its agent-manager. */
  readonly managerUrl: string;
  /** URL of its portal. */
  readonly portalUrl: string;
  /** Starts the same copy again, at the same addresses except for further options. */
  again(options?: readonly string[]): RunningProcess;
}

/** State of earlier runs of the example. */
const STATE: ReadonlySet<string> = new Set(['data', 'releases', 'sources']);

const freePorts = async () => {
  const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort(), findFreePort()]);
  return ports.map(String) as [string, string, string, string];
};

/** Changes a port in files of a copy. */
function replacePort(
  example: string,
  {
    from,
    to,
    files,
  }: { readonly from: string; readonly to: string; readonly files: readonly string[] },
): void {
  for (const path of files.map((file) => join(example, file))) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} does not name port ${from}`);
    writeFileSync(path, text.replaceAll(from, to));
  }
}

/** Copies the example to a folder of its own, so that a test leaves no file in the repository. @returns the folder of the copy */
function copyExample(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-example-')));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  const app = join(home, 'gateway');
  const example = join(app, 'example');
  cpSync(join(APP, 'example'), example, {
    recursive: true,
    filter: (source) => !STATE.has(basename(source)),
  });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(APP, name), join(app, name));
  for (const name of ['agent-manager', 'portal'])
    symlinkSync(join(APP, '..', name), join(home, name));
  return example;
}

/** Starts a copy of the example of `npm start -- --sign-in`, whose provider has a free port in place of 8092. The end stops it. */
export async function startSignInExample(): Promise<RunningProcess & { readonly url: string }> {
  const example = copyExample();
  const [port, providerPort] = await freePorts();
  const files = ['start.mjs', 'config.yaml', 'mcpservers/diary.yaml'].map((file) =>
    join('sign-in', file),
  );
  replacePort(example, { from: '8092', to: providerPort, files });
  const others = ['--agents-port', '0', '--portal-port', '0'];
  const isolated = ['--sign-in', '--port', port, ...others, '--no-health-listener'];
  const running = startNode([join(example, 'sign-in/start.mjs'), ...isolated]);
  atEnd(() => running.stop());
  return { ...running, url: `http://127.0.0.1:${port}` };
}

/**
 * Starts a copy of the example whose other servers have free ports in place of 8070, 8080 and 8091, so that the test does not depend on
 * who else uses that port. `options` are further ones of `gateway serve`. The end stops it.
 */
export async function startExample(options: readonly string[] = []): Promise<RunningExample> {
  const example = copyExample();
  const [port, remotePort, managerPort, portalPort] = await freePorts();
  const servers = {
    'everything-http': ['8091', remotePort],
    'agent-manager': ['8080', managerPort],
  };
  for (const [name, [from = '', to = '']] of Object.entries(servers))
    replacePort(example, { from, to, files: ['ports.mjs', `mcpservers/${name}.yaml`] });
  replacePort(example, { from: '8070', to: portalPort, files: ['ports.mjs'] });
  // Another gateway of the machine may have the default port of health checks.
  const isolated = ['--port', port, '--no-health-listener'];
  const command = [join(example, 'start.mjs'), ...isolated, ...options];
  const running = startNode(command);
  atEnd(() => running.stop());
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    directory: example,
    remotePort: Number(remotePort),
    managerUrl: `http://127.0.0.1:${managerPort}`,
    portalUrl: `http://127.0.0.1:${portalPort}/`,
    again: (more = []) => startNode([...command, ...more]),
  };
}
