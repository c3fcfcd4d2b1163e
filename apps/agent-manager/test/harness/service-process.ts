import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** `agent-manager serve` in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly stderr: () => string;
  /** Sends a signal and waits for the end. @returns the exit code; `null` after SIGKILL */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Starts a command line and collects its output. */
function start(cli: string, args: readonly string[]) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, stderr: () => text, ended };
}

/** A directory, or a cluster. */
type Place = string | { readonly kubeconfig: string };

const argumentsOf = (place: Place): readonly string[] =>
  typeof place === 'string'
    ? ['--store', place]
    : ['--kubernetes', '--kubeconfig', place.kubeconfig];

/** Starts the service on a free port and waits until it listens. */
export async function startProcess(cli: string, place: Place): Promise<ServiceProcess> {
  const { child, stderr, ended } = start(cli, ['serve', ...argumentsOf(place), '--port', '0']);
  const url = await Promise.race([
    once(child, 'message').then(([message]) => (message as { listening: string }).listening),
    ended.then(() => {
      throw new Error(stderr());
    }),
  ]);
  return {
    child,
    url,
    stderr,
    stop: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs a command line that ends by itself. */
export async function runProcess(cli: string, args: readonly string[]) {
  const { stderr, ended } = start(cli, args);
  return { code: await ended, stderr: stderr() };
}
