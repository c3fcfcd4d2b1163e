import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const STOP_MS = 10_000;
const START_MS = 60_000;

/**
 * Starts a server under test in a process of its own. It reports its URL over IPC: `{ listening: url }`.
 *
 * @param options.through a command and its arguments that end in running the command behind them, in the same process
 * @param options.preload one or more modules to load before the server
 * @param options.env variables beside those of this process
 * @returns its `url`, its `pid`, its end (`exited`), measurements of its process (`ask`), `tell` for messages to it, and `stop`
 */
export const startServer = async (file, args = [], { through = [], preload, env = {} } = {}) => {
  const modules = [join(import.meta.dirname, 'probe.mjs'), ...[preload ?? []].flat()];
  const [command, ...given] = [...through, process.execPath];
  const child = fork(file, args, {
    execPath: command,
    execArgv: [...given, '--expose-gc', ...modules.flatMap((module) => ['--import', module])],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  const words = lastWords(child.stderr);
  const url = await listening(child, exited, words);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(timer);
  };
  return {
    url,
    pid: child.pid,
    exited,
    words,
    stop,
    ask: asker(child, exited, words),
    tell: (message) => child.send(message),
  };
};

const lastWords = (stream) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    text = (text + chunk).slice(-2_000);
  });
  return () => text;
};

const listening = (child, exited, words) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`does not listen: ${words()}`)), START_MS);
    const take = (message) => {
      if (message.listening === undefined) return;
      clearTimeout(timer);
      child.off('message', take);
      resolve(message.listening);
    };
    child.on('message', take);
    void exited.then(() => reject(new Error(`ended by itself: ${words()}`)));
  });

const asker = (child, exited, words) => {
  const waiting = new Map();
  let questions = 0;
  child.on('message', ({ answerTo, value }) => {
    waiting.get(answerTo)?.resolve(value);
    waiting.delete(answerTo);
  });
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`died: ${words()}`));
  });
  return (ask) =>
    new Promise((resolve, reject) => {
      const question = (questions += 1);
      waiting.set(question, { resolve, reject });
      child.send({ ask, question }, (error) => error && reject(error));
    });
};
