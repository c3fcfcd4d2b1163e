import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const READY_MS = 60_000;
const STOP_MS = 10_000;
const TICKS_PER_SECOND = 100;

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

/** Processor time of a process in milliseconds; `undefined` when the system does not report it. */
const cpuMs = (pid) => {
  const file = `/proc/${String(pid)}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000;
};

const isReady = async (url) => {
  try {
    const answer = await fetch(`${url}/readyz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
};

/** Starts a service in a process of its own, on a port of its own, and waits until it is ready. */
export const startService = async (cli, args) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [cli, 'serve', '--port', String(port), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    words = (words + text).slice(-4_000);
  });
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() - started > READY_MS) {
      child.kill('SIGKILL');
      throw new Error(`${cli} does not become ready: ${words}`);
    }
    await wait(10);
  }
  return {
    url,
    readyMs: performance.now() - started,
    cpuMs: () => cpuMs(child.pid),
    words: () => words,
    stop: async () => {
      child.kill();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(timer);
    },
  };
};
