// Chooses the ports of the example: the given ones, or the usual ones, or free ones where another program has the usual one.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename } from 'node:path';

const HOST = '127.0.0.1';

/** What listens in the example besides the gateway, with its option, its variable and its usual port. */
const SERVICES = {
  agents: {
    title: 'agent-manager',
    option: '--agents-port',
    variable: 'EXAMPLE_AGENTS_PORT',
    usual: 8080,
  },
  remote: {
    title: 'the remote server',
    option: '--remote-port',
    variable: 'EXAMPLE_REMOTE_PORT',
    usual: 8091,
  },
  portal: {
    title: 'the portal',
    option: '--portal-port',
    variable: 'EXAMPLE_PORTAL_PORT',
    usual: 8070,
  },
};

/** The usual ports, which the files of the example name. */
export const USUAL = Object.fromEntries(
  Object.entries(SERVICES).map(([name, { usual }]) => [name, usual]),
);

/** Takes `--name value` or `--name=value` out of the options. */
const takeOption = (options, name) => {
  // The last one counts, as for the gateway.
  const at = options.findLastIndex((option) => option === name || option.startsWith(`${name}=`));
  if (at === -1) return undefined;
  const [, value] = options[at].split('=', 2);
  const [, next] = options.splice(at, value === undefined ? 2 : 1);
  return value ?? next ?? '';
};

const portOf = (text, origin) => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`${origin} must be a port from 0 to 65535, and is "${text}"`);
  return port;
};

/** Returns whether a program listens on a port of this machine. */
const isTaken = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen({ host: HOST, port, exclusive: true }, () => server.close(() => resolve(false)));
  });

/** The inode of the socket that listens on a port, in Linux. */
const listeningInode = (port) => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === '0A' && local.endsWith(suffix)) return inode;
    }
  return undefined;
};

const holdsSocket = (pid, inode) => {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(
      (fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`,
    );
  } catch {
    // A process of another user, or one that has ended.
    return false;
  }
};

const holderInLinux = (port) => {
  const inode = listeningInode(port);
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsSocket(name, inode));
  const [program = ''] = pid ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1) : [];
  return pid && { pid, command: basename(program) };
};

const holderByLsof = (port) => {
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'];
  const text = execFileSync('lsof', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, pid] = /^p(\d+)/m.exec(text) ?? [];
  const [, command] = /^c(.+)/m.exec(text) ?? [];
  return pid && { pid, command };
};

/** Returns the program at a port as a user names it. */
const holderOf = (port) => {
  try {
    const holder = process.platform === 'linux' ? holderInLinux(port) : holderByLsof(port);
    // Names of programs may have control characters.
    if (holder) return `${holder.command.replaceAll(/[^ -~]/g, '?')} (process ${holder.pid})`;
  } catch {
    // The system does not say.
  }
  return 'another program';
};

const choose = async ({ title, option, variable, usual }, given, notes) => {
  const origin = given.option === undefined ? variable : option;
  const text = given.option ?? given.variable;
  const port = text === undefined ? usual : portOf(text, origin);
  if (port === 0 || !(await isTaken(port))) return port;
  const holder = holderOf(port);
  if (text !== undefined)
    throw new Error(`Port ${port} of ${origin} is used by ${holder}; choose another one.`);
  notes.push(`Port ${port} is used by ${holder}: ${title} uses a free port (${option} sets it).`);
  return 0;
};

/** The usual port of the gateway, and the option that changes it. */
const GATEWAY = { option: '--port', usual: 8090 };

/** Throws when another program uses the port of the gateway. */
const checkGatewayPort = async (options) => {
  const { option, usual } = GATEWAY;
  const port = portOf(takeOption([...options], option) ?? String(usual), option);
  if (port !== 0 && (await isTaken(port)))
    throw new Error(
      `The gateway cannot use port ${port}: ${holderOf(port)} uses it. Choose another port: npm start -- ${option} ${port + 1}`,
    );
};

/**
 * Returns the ports (0 for any free one), sentences about ports that others use, and the remaining options.
 * @throws {Error} for a given port that cannot be used
 */
export async function choosePorts(options, names = Object.keys(SERVICES), env = process.env) {
  const rest = [...options];
  const ports = {};
  const notes = [];
  for (const name of names) {
    const service = SERVICES[name];
    const given = { option: takeOption(rest, service.option), variable: env[service.variable] };
    ports[name] = await choose(service, given, notes);
  }
  await checkGatewayPort(rest);
  return { ports, notes, rest };
}
