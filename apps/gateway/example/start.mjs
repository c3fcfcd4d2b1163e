// Runs the example: agent-manager on 127.0.0.1:8080, one remote MCP server on 127.0.0.1:8091, the gateway in front of both and of
// everything in this folder, and the portal on 127.0.0.1:8070. --agents-port, --remote-port and --portal-port (or EXAMPLE_AGENTS_PORT,
// EXAMPLE_REMOTE_PORT, EXAMPLE_PORTAL_PORT) change these ports; the other options are those of `gateway serve`, for example `--port 9000`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { announce } from './announce.mjs';
import { configurationFor } from './own-copy.mjs';
import { choosePorts } from './ports.mjs';

const PATIENCE_MS = 10_000;
const example = dirname(fileURLToPath(import.meta.url));
const app = dirname(example);
const PATH = [resolve(app, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
const END_WITH_PARENT = pathToFileURL(resolve(example, 'end-with-parent.mjs')).href;

const children = [];
let stopping = false;
/** The gateway was started: its end is the end of the example. */
let isServing = false;
const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

const run = (args, { env = process.env, stdio }) => {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, ...args], {
    cwd: example,
    env: { ...env, PATH, EXAMPLE_CHILD: 'yes' },
    stdio: [...stdio, 'ipc'],
  });
  children.push(child);
  return child;
};

/** Ends the example before it has started. */
const refuse = (sentence, code = 1) => {
  console.error(sentence);
  process.exit(code);
};

/** Resolves to the address or port that a program reports; undefined when it ended. Only then does the program own its port. */
const listeningOf = async (child) => {
  const ended = once(child, 'exit').then(() => [{}]);
  const [{ listening, url }] = await Promise.race([once(child, 'message'), ended]);
  return url ?? listening;
};

const warnWhenEnded = (child, name) =>
  child.on('exit', (code) => {
    if (!stopping && code !== 0)
      console.error(`${name} ended. The gateway serves on without it; stop with Ctrl+C.`);
  });

const stop = (signal) => {
  stopping = true;
  for (const child of children) child.kill(signal);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => (isServing ? stop(signal) : process.exit(1)));
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

// The parent process may end without a signal. Then the example stops all its processes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 500).unref();

const { ports, notes, rest } = await choosePorts(process.argv.slice(2)).catch((error) =>
  refuse(error.message, 2),
);
for (const note of notes) console.error(note);

// The remote server shows its environment to every client, so its environment is empty.
const remote = run(['servers/everything-http.mjs', String(ports.remote)], {
  env: {},
  stdio: ['ignore', 'ignore', 'ignore'],
});
const agents = run(
  [
    resolve(app, '../agent-manager/dist/cli.js'),
    ...['serve', '--port', String(ports.agents), '--store', 'agents', '--log-format', 'text'],
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
// The gateway starts when both have their ports: it never connects to a program of somebody else.
const [remotePort, manager] = await Promise.all([remote, agents].map(listeningOf));
if (remotePort === undefined) refuse('The remote example server did not start.');
if (manager === undefined) refuse('agent-manager did not start.');
warnWhenEnded(remote, 'The remote example server');
warnWhenEnded(agents, 'agent-manager');

const agentsPort = Number(new URL(manager).port);
const configuration = configurationFor(example, { remote: remotePort, agents: agentsPort });
if (configuration !== example)
  console.error(
    `The files of the example name other ports: the gateway serves a copy of them, ${relative(process.cwd(), configuration)}.`,
  );
isServing = true;
const gateway = run(
  [
    resolve(app, 'dist/cli.js'),
    ...['serve', '--config-dir', configuration, '--log-format', 'text'],
    ...rest,
  ],
  { stdio: ['inherit', 'inherit', 'inherit'] },
);

/** The portal calls meta-tools. */
const hasMetaTools = !/(?:^| )--expose[= ]native(?: |$)/.test(rest.join(' '));
/** The portal starts when the address of the gateway is known. Resolves to its address, or to undefined when it has ended. */
const startPortal = async (url) => {
  const portal = run(
    [
      resolve(app, '../portal/dist/cli.js'),
      ...['serve', '--port', String(ports.portal), '--log-level', 'warn'],
      ...['--gateway', `${url}/mcp`, '--agent-manager', manager, '--metrics', `${url}/metrics`],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  warnWhenEnded(portal, 'The portal');
  return listeningOf(portal);
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
