// Runs the whole product with sign-in: an OpenID provider with two users on 127.0.0.1:8092, which also serves an MCP server that requires
// tokens, agent-manager, the gateway in front of them, and the portal. Options are those of `npm start`, for example `--port 9000`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { choosePorts } from '../ports.mjs';
import { USERS } from './users.mjs';

const PROVIDER_PORT = '8092';
const DEFAULT_PORT = '8090';
const example = dirname(fileURLToPath(import.meta.url));
const app = resolve(example, '../..');
const PATH = [resolve(app, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);

const children = [];
let stopping = false;

/** Starts a program whose lines are printed with its name. */
const run = (name, args) => {
  const child = spawn(process.execPath, args, {
    cwd: example,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) =>
      console.error(`${name.padEnd('agent-manager'.length)} | ${line}`),
    );
  child.on('exit', (code) => {
    if (!stopping && code !== 0) console.error(`The ${name} ended. Stop with Ctrl+C.`);
  });
  return child;
};

/** Resolves to the address that a program reports; undefined when it ended. */
const addressOf = async (child) => {
  const ended = once(child, 'exit').then(() => [{}]);
  const [{ listening, url = listening }] = await Promise.race([once(child, 'message'), ended]);
  return url;
};

const stop = (signal) => {
  stopping = true;
  for (const child of children) child.kill(signal);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => (children.length === 0 ? process.exit(1) : stop(signal)));
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

// The parent process may end without a signal. Then the example stops all its processes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stop('SIGTERM');
}, 500).unref();

const given = process.argv.slice(2).filter((option) => option !== '--sign-in');
const { ports, notes, rest } = await choosePorts(given, ['agents', 'portal']).catch((error) => {
  console.error(error.message);
  process.exit(2);
});
for (const note of notes) console.error(note);
const portOption = rest.indexOf('--port');
const port = portOption === -1 ? DEFAULT_PORT : rest[portOption + 1];

const program = (name) => resolve(app, '..', name, 'dist/cli.js');
run('provider', ['provider.mjs', PROVIDER_PORT, `http://127.0.0.1:${port}`]);
// It cannot verify tokens of the gateway: it listens on this machine alone, and the portal in front of it requires the sign-in.
const agents = run('agent-manager', [
  ...[program('agent-manager'), 'serve', '--port', String(ports.agents)],
  ...['--store', '../agents', '--log-format', 'text'],
]);
const gateway = run('gateway', [
  ...[resolve(app, 'dist/cli.js'), 'serve', '--config-dir', example, '--log-format', 'text'],
  ...rest,
]);
gateway.on('exit', (code, signal) => {
  stop('SIGTERM');
  process.exit(signal === null ? (code ?? 1) : 1);
});
const [manager, url] = await Promise.all([agents, gateway].map(addressOf));
const portal = run('portal', [
  ...[program('portal'), 'serve', '--port', String(ports.portal), '--log-level', 'warn'],
  ...['--gateway', `${url}/mcp`, '--metrics', `${url}/metrics`],
  ...(manager === undefined ? [] : ['--agent-manager', manager]),
  ...['--issuer', url, '--client-id', 'portal', '--resource', `${url}/mcp`],
  ...['--scopes', 'openid offline_access mcp:read mcp:admin'],
]);
const page = await addressOf(portal);

const users = [...USERS].map(
  ([name, { password, claims, sees }]) =>
    `  ${name}, password ${password} (${claims.groups.join(', ')}): ${sees}`,
);
const command = 'node apps/gateway/dist/cli.js';
console.log(
  [
    '',
    `Open the portal in a browser: ${page}`,
    `The gateway serves at ${url}/mcp and requires a sign-in. Users to try:`,
    '',
    ...users,
    '',
    'Sign in, in a second terminal (the page of the gateway then asks which permissions to give; --scope mcp:read asks for fewer):',
    '',
    `  ${command} auth login ${url}/mcp`,
    '',
    'The server "diary" requires a sign-in of its own. The first command prints a link to open, the second one uses the diary:',
    '',
    `  ${command} tools call core_auth_login server=diary --url ${url}/mcp`,
    `  ${command} tools call x_diary_write --url ${url}/mcp`,
    '',
    'Alice may do this, and Bob reads who grants it:',
    '',
    `  ${command} servers restart everything --url ${url}/mcp`,
    '',
    `Or point any MCP client with sign-in at ${url}/mcp. Stop with Ctrl+C.`,
    '',
  ].join('\n'),
);
