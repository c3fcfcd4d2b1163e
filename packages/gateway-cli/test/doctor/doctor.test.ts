import { createTestConfigDirectory } from '@gateway/repo-checks';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { runCli } from '@gateway/gateway-cli';
import { runCommand } from '../run-command.ts';

type Probe = Parameters<typeof runCli>[2]['probeServers'];
type Probed = Awaited<ReturnType<Probe>> extends AsyncIterable<infer P> ? P : never;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const newDirectory = () => {
  const directory = createTestConfigDirectory();
  cleanUps.push(directory.remove);
  return directory;
};

/** A probe that returns these results. */
const probing =
  (...results: readonly Probed[]) =>
  (): ReturnType<Probe> =>
    Promise.resolve(
      (async function* () {
        yield* results;
      })(),
    );

/** A service at a port of its own. */
const serviceAt = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  return (server.address() as AddressInfo).port;
};

const gatewayPort = () => serviceAt((_, response) => response.end('MCP gateway 5.13.0\n'));

/** Starts with the gateway. */
const ON = { autoStart: true } as const;

const STARTED = {
  outcome: 'started',
  durationMs: 412,
  isCommandMissing: false,
  isValueMissing: false,
  toolsCount: 14,
} as const;

const runDoctor = async (path: string, probe: Probe = probing(), ...args: readonly string[]) =>
  runCommand(['doctor', '--config-dir', path, ...args], { env: { PATH: '/nowhere' } }, probe);

describe('gateway doctor', () => {
  it('reports each server with its program, protocol, name, tools and time', async () => {
    const directory = newDirectory();
    directory.config({ http: { port: await gatewayPort() } });
    mkdirSync(join(directory.path, 'bin'));
    const program = join(directory.path, 'bin/files');
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    directory.server('files', { type: 'stdio', command: 'bin/files', ...ON });
    directory.server('gone', { type: 'stdio', command: 'no-such-program', ...ON });
    directory.server('wiki', { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp', ...ON });
    const probe = probing(
      {
        name: 'files',
        ...STARTED,
        protocolVersion: '2025-11-25',
        serverName: 'f',
        serverVersion: '1',
      },
      {
        ...STARTED,
        name: 'gone',
        outcome: 'failed',
        reason: 'spawn ENOENT',
        isCommandMissing: true,
      },
      { ...STARTED, name: 'wiki', outcome: 'auth-required' },
    );
    const { code, stdout } = await runDoctor(directory.path, probe);
    expect(code).toBe(1);
    expect(
      stdout.split('\n').filter((line) => !/ port |states of the servers/u.test(line)),
    ).toEqual([
      `ok       node: ${process.versions.node}`,
      `ok       files: ${directory.path}: 3 servers, 0 workflows`,
      `ok       server files: ${program}, started in 0.4 s, protocol 2025-11-25, f 1, 14 tools`,
      'problem  server gone: spawn ENOENT (after 0.4 s)',
      '         Install no-such-program, or write its absolute path; PATH of the gateway has no such program.',
      'note     server wiki: requires a sign-in, and was not checked further',
      '         Each user signs in with core_auth_login.',
      '1 problem',
      '',
    ]);
  });

  it('prints the facts for programs with --output json', async () => {
    const directory = newDirectory();
    directory.server('files', { type: 'stdio', command: 'files', ...ON });
    directory.config({ http: { port: await gatewayPort() } });
    const { code, stdout } = await runDoctor(
      directory.path,
      probing({ name: 'files', ...STARTED }),
      ...['--output', 'json'],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      healthy: true,
      checks: [
        { area: 'node', code: 'node', verdict: 'ok' },
        { area: 'files', code: 'files', verdict: 'ok' },
        { area: 'port', code: 'port-gateway', verdict: 'ok', message: 'a gateway serves here' },
        { area: 'server', code: 'gateway-unavailable', verdict: 'note' },
        { code: 'probe-started', subject: 'files', facts: { durationMs: 412, toolsCount: 14 } },
      ],
    });
  });

  it('tells a gateway at the port from another program', async () => {
    const directory = newDirectory();
    const port = await serviceAt((_, response) => response.end('<h1>Tomcat</h1>'));
    directory.config({ http: { port } });
    const { code, stdout } = await runDoctor(directory.path);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `problem  port 127.0.0.1:${port.toString()}: another program uses this port, and it is not a gateway\n` +
        '         End that program, or choose another port with --port or http.port.\n',
    );
  });

  it('reports two addresses of the gateway with one port', async () => {
    const directory = newDirectory();
    directory.config({ http: { port: 9464 } });
    const { code, stdout } = await runDoctor(directory.path);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'problem  port: --port or http.port and --health-port or health.port are both 9464: choose another port for one of them\n',
    );
    expect(stdout).toContain('\n1 problem\n');
  });

  it.each(['text', 'json'])(
    'ends with code 130 after Ctrl+C, and shows no verdict as %s',
    async (output) => {
      const directory = newDirectory();
      directory.config({ http: { port: await gatewayPort() } });
      directory.server('files', { type: 'stdio', command: 'files', ...ON });
      const controller = new AbortController();
      const interrupting: Probe = ({ signal }) => {
        controller.abort();
        return signal.aborted ? probing()() : probing({ name: 'files', ...STARTED })();
      };
      const { code, stdout, stderr } = await runCommand(
        ['doctor', '--config-dir', directory.path, '--output', output],
        { interrupted: controller.signal },
        interrupting,
      );
      expect(code).toBe(130);
      expect(stdout).not.toMatch(/no problems|healthy/u);
      expect(stderr).toBe('gateway: interrupted; the servers that were started have been ended\n');
    },
  );

  it('starts a server that does not start with the gateway with --all only', async () => {
    const directory = newDirectory();
    directory.config({ http: { port: await gatewayPort() } });
    directory.server('evil', { type: 'stdio', command: 'evil' });
    directory.server('files', { type: 'stdio', command: 'files', ...ON });
    const started: string[][] = [];
    const probe: Probe = ({ servers }) => {
      started.push(servers.map(({ metadata }) => metadata.name));
      return probing({ name: 'files', ...STARTED })();
    };
    const { code, stdout } = await runDoctor(directory.path, probe);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'note     server evil: not started, because it does not start with the gateway (autoStart: false)\n' +
        '         The option --all starts it too, and sends it its secrets.\n',
    );
    expect(stdout).toContain('ok       server files: ');
    await runDoctor(directory.path, probe, '--all');
    expect(started).toEqual([['files'], ['evil', 'files']]);
  });

  it.each([
    [
      { isValueMissing: true },
      'Correct this value, or what names it: variables are those of the shell of this command, files those of the configuration directory.',
    ],
    [{ isValueMissing: false }, 'Check spec.url, and whether the server runs.'],
  ])('has the remedy of the cause of a failure: %j', async (cause, remedy) => {
    const directory = newDirectory();
    directory.config({ http: { port: await gatewayPort() } });
    directory.server('wiki', { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp', ...ON });
    const probe = probing({ ...STARTED, ...cause, name: 'wiki', outcome: 'failed', reason: 'x' });
    expect((await runDoctor(directory.path, probe)).stdout).toContain(
      `problem  server wiki: x (after 0.4 s)\n         ${remedy}\n`,
    );
  });

  it('starts no server when config.yaml is refused', async () => {
    const directory = newDirectory();
    directory.config({ http: { port: 'x' } });
    const { code, stdout } = await runDoctor(directory.path, () =>
      Promise.reject(new Error('a server was started')),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('problem  configuration: ');
    expect(stdout).toContain('config.yaml');
  });
});
