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
  /** Starts the same copy once more, at the same address. */
  again(): RunningProcess;
  /** Removes the copy. */
  remove(): void;
}

/**
 * Starts a copy of the example whose remote server has a free port in place of 8091, so that the test does not depend on
 * who else uses that port and leaves no file in the repository. `options` are further ones of `gateway serve`.
 */
export async function startExample(options: readonly string[] = []): Promise<RunningExample> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-example-')));
  const example = join(home, 'example');
  cpSync(join(APP, 'example'), example, {
    recursive: true,
    filter: (source) => basename(source) !== 'data',
  });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(APP, name), join(home, name));
  const remotePort = String(await freePort());
  for (const file of ['start.mjs', 'mcpservers/everything-http.yaml']) {
    const text = readFileSync(join(example, file), 'utf8');
    if (!text.includes('8091')) throw new Error(`${file} does not name port 8091`);
    writeFileSync(join(example, file), text.replaceAll('8091', remotePort));
  }
  const port = String(await freePort());
  const command = [join(example, 'start.mjs'), '--port', port, ...options];
  const running = startNode(command);
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    directory: example,
    remotePort: Number(remotePort),
    again: () => startNode(command),
    remove: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}
