// Runs the example with sign-in: an OpenID provider with two users on 127.0.0.1:8092, which also serves an MCP server that requires
// tokens, and the gateway in front of it. Options are those of `gateway serve`, for example `--port 9000`.
import { spawn } from 'node:child_process';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { USERS } from './users.mjs';

const PROVIDER_PORT = '8092';
const DEFAULT_PORT = '8090';
const example = dirname(fileURLToPath(import.meta.url));
const app = resolve(example, '../..');
const PATH = [resolve(app, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);

const options = process.argv.slice(2).filter((option) => option !== '--sign-in');
const portOption = options.indexOf('--port');
const port = portOption === -1 ? DEFAULT_PORT : options[portOption + 1];

const run = (args, stdio) =>
  spawn(process.execPath, args, { cwd: example, env: { ...process.env, PATH }, stdio });

const provider = run(['provider.mjs', PROVIDER_PORT, `http://127.0.0.1:${port}`], 'ignore');
const gateway = run(
  [
    resolve(app, 'dist/cli.js'),
    ...['serve', '--config-dir', example, '--log-format', 'text'],
    ...options,
  ],
  ['inherit', 'inherit', 'inherit', 'ipc'],
);

let stopping = false;
provider.on('exit', (code) => {
  if (!stopping && code !== 0)
    console.error(`The provider ended: is port ${PROVIDER_PORT} taken? Stop with Ctrl+C.`);
});

gateway.on('message', ({ listening }) => {
  const users = [...USERS].map(
    ([name, { password, claims }]) =>
      `  ${name}, password ${password} (${claims.groups.join(', ')})`,
  );
  console.log(
    [
      '',
      `The gateway serves at ${listening}/mcp and requires a sign-in. Users to try:`,
      '',
      ...users,
      '',
      'Sign in, in a second terminal (the page of the gateway then asks for consent):',
      '',
      `  node apps/gateway/dist/cli.js auth login ${listening}/mcp`,
      '',
      'The server "diary" requires a sign-in of its own. The first command prints a link to open, the second one uses the diary:',
      '',
      `  node apps/gateway/dist/cli.js tools call core_auth_login server=diary --url ${listening}/mcp`,
      `  node apps/gateway/dist/cli.js tools call x_diary_write --url ${listening}/mcp`,
      '',
      `Or point any MCP client with sign-in at ${listening}/mcp. Stop with Ctrl+C.`,
      '',
    ].join('\n'),
  );
});

function stop(signal) {
  stopping = true;
  provider.kill();
  gateway.kill(signal);
}
gateway.on('exit', (code, signal) => {
  stop('SIGTERM');
  process.exit(signal === null ? (code ?? 1) : 1);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
process.on('exit', () => {
  for (const child of [provider, gateway]) child.kill('SIGKILL');
});

// The parent process may end without a signal. Then the example stops all its processes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stop('SIGTERM');
}, 500).unref();
