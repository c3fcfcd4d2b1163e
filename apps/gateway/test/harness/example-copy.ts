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
import { freePort } from './free-port.ts';
import { APP } from './gateway.ts';
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
  /** Starts the same copy again, at the same addresses except for further options. */
  again(options?: readonly string[]): RunningProcess;
  /** Removes the copy. */
  remove(): void;
}

/** State of earlier runs of the example. */
const STATE: ReadonlySet<string> = new Set(['data', 'releases', 'sources']);

const freePorts = async () => {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  return ports.map(String) as [string, string, string];
};

/** Changes the port of a server of the copy, in its start command and in its definition. */
function replacePort(
  example: string,
  { from, to, file }: { readonly from: string; readonly to: string; readonly file: string },
): void {
  for (const path of [join(example, 'start.mjs'), join(example, file)]) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} does not name port ${from}`);
    writeFileSync(path, text.replaceAll(from, to));
  }
}

/**
 * Starts a copy of the example whose other servers have free ports in place of 8080 and 8091, so that the test does not depend on
 * who else uses that port and leaves no file in the repository. `options` are further ones of `gateway serve`.
 */
export async function startExample(options: readonly string[] = []): Promise<RunningExample> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-example-')));
  const app = join(home, 'gateway');
  const example = join(app, 'example');
  cpSync(join(APP, 'example'), example, {
    recursive: true,
    filter: (source) => !STATE.has(basename(source)),
  });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(APP, name), join(app, name));
  symlinkSync(join(APP, '../agent-manager'), join(home, 'agent-manager'));
  const [port, remotePort, managerPort] = await freePorts();
  replacePort(example, { from: '8091', to: remotePort, file: 'mcpservers/everything-http.yaml' });
  replacePort(example, { from: '8080', to: managerPort, file: 'mcpservers/agent-manager.yaml' });
  // Another gateway of the machine may have the default port of health checks.
  const isolated = ['--port', port, '--no-health-listener'];
  const command = [join(example, 'start.mjs'), ...isolated, ...options];
  const running = startNode(command);
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    directory: example,
    remotePort: Number(remotePort),
    managerUrl: `http://127.0.0.1:${managerPort}`,
    again: (more = []) => startNode([...command, ...more]),
    remove: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}
