import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const START_MS = 60_000;
const STOP_MS = 5_000;
const PRELOAD = join(import.meta.dirname, 'preload');

const environment = () => {
  const { NODE_COMPILE_CACHE: _cache, NODE_OPTIONS: _options, ...env } = process.env;
  return env;
};

const running = new Set();

/** Ends every process that has been started and not stopped. */
export const stopAll = () => Promise.all([...running].map((stop) => stop()));

const stopper = (child) => {
  const exited = once(child, 'exit').catch(() => undefined);
  const stop = async () => {
    running.delete(stop);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(timer);
  };
  running.add(stop);
  return stop;
};

const errorsOf = (stream) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    text = (text + chunk).slice(-500);
  });
  return () => text.trim();
};

const listening = (child, errors) =>
  new Promise((resolve, reject) => {
    const fail = (reason) => reject(new Error(`${reason} ${errors()}`.trim()));
    const timer = setTimeout(() => fail('it does not listen after 60 s'), START_MS);
    const settle = (then) => (value) => {
      clearTimeout(timer);
      then(value);
    };
    child.on('message', (message) => {
      if (message.listening !== undefined) settle(resolve)(message.listening);
    });
    child.once(
      'error',
      settle(({ message }) => fail(message)),
    );
    child.once(
      'exit',
      settle((code) => fail(`it ended with code ${code}.`)),
    );
  });

/**
 * Starts a program of Node, which reports its address over IPC as `{ listening: url }`.
 *
 * @param program.node the Node that runs it
 * @param program.args its file and arguments
 * @param program.isPeer has it listen on a free port of the loopback address and report that
 * @returns its `pid`, its `url`, `startedAt` on the clock of `performance`, `tell` for messages to it, and `stop`
 * @throws {Error} when it ends or does not listen; then it does not run any more
 */
export const startMeasured = async ({ node, args, isPeer = false }) => {
  const modules = ['end-with-bench.cjs', ...(isPeer ? ['loopback.cjs'] : [])];
  const preload = modules.flatMap((module) => ['--require', join(PRELOAD, module)]);
  const startedAt = performance.now();
  const child = spawn(node, [...preload, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment(),
  });
  const stop = stopper(child);
  try {
    const url = await listening(child, errorsOf(child.stderr));
    return { pid: child.pid, url, startedAt, stop, tell: (message) => child.send(message) };
  } catch (error) {
    await stop();
    throw error;
  }
};
