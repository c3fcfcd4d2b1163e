// Runs the example: one remote MCP server on 127.0.0.1:8091 and the gateway in front of everything in this folder.
// Options are those of `gateway serve`, for example `--port 9000`.
import { spawn } from 'node:child_process';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.mjs';

const REMOTE_PORT = '8091';
const example = dirname(fileURLToPath(import.meta.url));
const app = dirname(example);
const PATH = [resolve(app, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);

// The remote server shows its environment to whoever asks: it gets none of ours.
const remote = spawn(process.execPath, ['servers/everything-http.mjs', REMOTE_PORT], {
  cwd: example,
  env: { PATH },
  stdio: 'ignore',
});
const gateway = spawn(
  process.execPath,
  [
    resolve(app, 'dist/cli.js'),
    ...['serve', '--config-dir', example, '--log-format', 'text'],
    ...process.argv.slice(2),
  ],
  { cwd: example, env: { ...process.env, PATH }, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
);

remote.on('exit', (code) => {
  if (code)
    console.error(
      `The remote example server ended: is port ${REMOTE_PORT} taken? The rest serves on without it.`,
    );
});
gateway.on('message', ({ listening }) => {
  const alive = () => gateway.exitCode === null;
  announce({ url: listening, alive }).catch((error) => {
    if (alive()) console.error(`The gateway serves at ${listening}/mcp (${error.message})`);
  });
});
gateway.on('exit', (code, signal) => {
  remote.kill();
  process.exit(signal === null ? (code ?? 1) : 1);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => gateway.kill(signal));
process.on('exit', () => {
  remote.kill('SIGKILL');
  gateway.kill('SIGKILL');
});

// Whoever started this may be ended without a word; then nothing of it stays behind.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) gateway.kill('SIGTERM');
}, 500).unref();
