// Runs the example: agent-manager on 127.0.0.1:8080, one remote MCP server on 127.0.0.1:8091, the gateway in front of both and of
// everything in this folder, and the portal on 127.0.0.1:8070. Options are those of `gateway serve`, for example `--port 9000`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.mjs';

const AGENTS_PORT = '8080';
const REMOTE_PORT = '8091';
const PORTAL_PORT = '8070';
const PATIENCE_MS = 10_000;
const example = dirname(fileURLToPath(import.meta.url));
const app = dirname(example);
const PATH = [resolve(app, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);

const run = (args, { env = process.env, stdio }) =>
  spawn(process.execPath, args, { cwd: example, env: { ...env, PATH }, stdio });

// The remote server shows its environment to every client, so its environment is empty.
const remote = run(['servers/everything-http.mjs', REMOTE_PORT], { env: {}, stdio: 'ignore' });
const agents = run(
  [
    resolve(app, '../agent-manager/dist/cli.js'),
    ...['serve', '--port', AGENTS_PORT, '--store', 'agents', '--log-format', 'text'],
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
const gateway = run(
  [
    resolve(app, 'dist/cli.js'),
    ...['serve', '--config-dir', example, '--log-format', 'text'],
    ...process.argv.slice(2),
  ],
  { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
);
const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

let stopping = false;
const warnWhenEnded = (child, name, port) =>
  child.on('exit', (code) => {
    if (!stopping && code !== 0)
      console.error(
        `${name} ended: is port ${port} taken? The gateway serves on without it; stop with Ctrl+C.`,
      );
  });
warnWhenEnded(remote, 'The remote example server', REMOTE_PORT);
warnWhenEnded(agents, 'agent-manager', AGENTS_PORT);

const manager = `http://127.0.0.1:${AGENTS_PORT}`;
/** The portal calls meta-tools. */
const hasMetaTools = !/(?:^| )--expose[= ]native(?: |$)/.test(process.argv.slice(2).join(' '));
let portal;
/** The portal starts when the address of the gateway is known. Resolves to its address, or to undefined when it has ended. */
const startPortal = async (url) => {
  portal = run(
    [
      resolve(app, '../portal/dist/cli.js'),
      ...['serve', '--port', PORTAL_PORT, '--log-level', 'warn'],
      ...['--gateway', `${url}/mcp`, '--agent-manager', manager, '--metrics', `${url}/metrics`],
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  warnWhenEnded(portal, 'The portal', PORTAL_PORT);
  const ended = once(portal, 'exit').then(() => [{}]);
  const [{ url: address }] = await Promise.race([once(portal, 'message'), ended]);
  return address;
};

gateway.on('message', async ({ listening }) => {
  const alive = () => !hasEnded(gateway);
  const servesAgents = () => !hasEnded(agents);
  const page = hasMetaTools ? await startPortal(listening) : undefined;
  announce({ url: listening, page, manager, alive, servesAgents }).catch((error) => {
    if (alive()) console.error(`The gateway serves at ${listening}/mcp (${error.message})`);
  });
});

/** The example ends with the gateway. */
gateway.on('exit', async (code, signal) => {
  stop('SIGTERM');
  if (!hasEnded(agents))
    await Promise.race([once(agents, 'exit'), new Promise((end) => setTimeout(end, PATIENCE_MS))]);
  process.exit(signal === null ? (code ?? 1) : 1);
});

function stop(signal) {
  stopping = true;
  remote.kill();
  agents.kill(signal);
  portal?.kill(signal);
  gateway.kill(signal);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
process.on('exit', () => {
  for (const child of [remote, agents, portal, gateway]) child?.kill('SIGKILL');
});

// The parent process may end without a signal. Then the example stops all its processes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stop('SIGTERM');
}, 500).unref();
