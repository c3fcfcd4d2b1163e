// Runs the example: one remote MCP server on 127.0.0.1:8091 and the gateway in front of everything in this folder.
// Options are those of `gateway serve`, for example `--port 9000`.
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.mjs';

const example = dirname(fileURLToPath(import.meta.url));
const app = dirname(example);
const options = process.argv.slice(2);
const port = optionOf('--port') ?? '8090';
const host = optionOf('--host') ?? '127.0.0.1';
const env = {
  ...process.env,
  PATH: [resolve(app, 'node_modules/.bin'), process.env.PATH ?? ''].join(
    process.platform === 'win32' ? ';' : ':',
  ),
};

const remote = spawn(
  process.execPath,
  [
    resolve(app, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
    'streamableHttp',
  ],
  { cwd: example, env: { ...env, PORT: '8091' }, stdio: 'ignore' },
);
const gateway = spawn(
  process.execPath,
  [
    resolve(app, 'dist/cli.js'),
    'serve',
    '--config-dir',
    example,
    '--log-format',
    'text',
    '--log-level',
    'warn',
    ...options,
  ],
  { cwd: example, env, stdio: 'inherit' },
);

remote.on('exit', (code) => {
  if (code)
    console.error(
      'The remote example server ended: is port 8091 taken? The rest serves on without it.',
    );
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => gateway.kill(signal));
gateway.on('exit', (code, signal) => {
  remote.kill();
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
process.on('exit', () => {
  remote.kill('SIGKILL');
  gateway.kill('SIGKILL');
});

await announce({ url: `http://${host}:${port}`, alive: () => gateway.exitCode === null });

function optionOf(name) {
  const at = options.indexOf(name);
  return at === -1 ? undefined : options[at + 1];
}
