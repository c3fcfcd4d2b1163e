import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { chmodSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { runCli } from '@gateway/gateway-cli';
import { runCommand } from '../run-command.ts';
import { useDirectory } from '../use-directory.ts';

type Probe = Parameters<typeof runCli>[2]['probeServers'];
type Probed = Awaited<ReturnType<Probe>> extends AsyncIterable<infer P> ? P : never;

const directory = useDirectory();

/** A probe that returns these results. */
const probing =
  (...results: readonly Probed[]) =>
  (): ReturnType<Probe> =>
    Promise.resolve(
      (async function* () {
        yield* results;
      })(),
    );

/** Configures the port of a service that answers with this text. */
const startService = async (text = 'MCP gateway 5.13.0\n'): Promise<number> => {
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  directory.config({ http: { port } });
  return port;
};

/** Defines servers that start with the gateway. */
const startedServer = (name: string, command = name) => {
  directory.server(name, { type: 'stdio', command, autoStart: true });
};
const remoteServer = (name: string) => {
  const remote = { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp', autoStart: true };
  directory.server(name, remote);
};

const STARTED = {
  outcome: 'started',
  durationMs: 412,
  isCommandMissing: false,
  isValueMissing: false,
  toolsCount: 14,
} as const;

const runDoctor = (probeServers: Probe = probing(), args: readonly string[] = [], options = {}) =>
  runCommand(
    ['doctor', '--config-dir', directory.path, ...args],
    { env: { PATH: '/nowhere' }, ...options },
    { probeServers },
  );

describe('gateway doctor', () => {
  it('reports each server with its program, protocol, name, tools and time', async () => {
    await startService();
    const program = directory.write('bin/files', '');
    chmodSync(program, 0o755);
    startedServer('files', 'bin/files');
    startedServer('gone', 'no-such-program');
    remoteServer('wiki');
    const facts = { protocolVersion: '2025-11-25', serverName: 'f', serverVersion: '1' };
    const missing = { outcome: 'failed', reason: 'spawn ENOENT', isCommandMissing: true } as const;
    const probe = probing(
      { ...STARTED, name: 'files', ...facts },
      { ...STARTED, name: 'gone', ...missing },
      { ...STARTED, name: 'wiki', outcome: 'auth-required' },
    );
    const { code, stdout } = await runDoctor(probe);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines.filter((line) => !/ port |states of the servers/u.test(line))).toEqual([
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
    startedServer('files');
    await startService();
    const probe = probing({ name: 'files', ...STARTED });
    const { code, stdout } = await runDoctor(probe, ['--output', 'json']);
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
    const port = await startService('<h1>Tomcat</h1>');
    const { code, stdout } = await runDoctor();
    expect(code).toBe(1);
    expect(stdout).toContain(
      `problem  port 127.0.0.1:${port.toString()}: another program uses this port, and it is not a gateway\n` +
        '         End that program, or choose another port with --port or http.port.\n',
    );
  });

  it('reports two addresses of the gateway with one port', async () => {
    directory.config({ http: { port: 9464 } });
    const { code, stdout } = await runDoctor();
    expect(code).toBe(1);
    expect(stdout).toContain(
      'problem  port: --port or http.port and --health-port or health.port are both 9464: choose another port for one of them\n',
    );
    expect(stdout).toContain('\n1 problem\n');
  });

  it.each(['text', 'json'])(
    'ends with code 130 after Ctrl+C, and shows no verdict as %s',
    async (output) => {
      await startService();
      startedServer('files');
      const controller = new AbortController();
      const interrupting: Probe = ({ signal }) => {
        controller.abort();
        return signal.aborted ? probing()() : probing({ name: 'files', ...STARTED })();
      };
      const interrupted = { interrupted: controller.signal };
      const run = await runDoctor(interrupting, ['--output', output], interrupted);
      expect(run).toMatchObject({
        code: 130,
        stderr: 'gateway: interrupted; the servers that were started have been ended\n',
      });
      expect(run.stdout).not.toMatch(/no problems|healthy/u);
    },
  );

  it('starts a server that does not start with the gateway with --all only', async () => {
    await startService();
    directory.server('evil', { type: 'stdio', command: 'evil' });
    startedServer('files');
    const started: string[][] = [];
    const probe: Probe = ({ servers }) => {
      started.push(servers.map(({ metadata }) => metadata.name));
      return probing({ name: 'files', ...STARTED })();
    };
    const { code, stdout } = await runDoctor(probe);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'note     server evil: not started, because it does not start with the gateway (autoStart: false)\n' +
        '         The option --all starts it too, and sends it its secrets.\n',
    );
    expect(stdout).toContain('ok       server files: ');
    await runDoctor(probe, ['--all']);
    expect(started).toEqual([['files'], ['evil', 'files']]);
  });

  it.each([
    [
      true,
      'Correct this value, or what names it: variables are those of the shell of this command, files those of the configuration directory.',
    ],
    [false, 'Check spec.url, and whether the server runs.'],
  ])(
    'has the remedy of the cause of a failure: a missing value is %s',
    async (isValueMissing, remedy) => {
      await startService();
      remoteServer('wiki');
      const failed = { outcome: 'failed', reason: 'x', isValueMissing } as const;
      expect((await runDoctor(probing({ ...STARTED, name: 'wiki', ...failed }))).stdout).toContain(
        `problem  server wiki: x (after 0.4 s)\n         ${remedy}\n`,
      );
    },
  );

  it('starts no server when config.yaml is refused', async () => {
    directory.config({ http: { port: 'x' } });
    const { code, stdout } = await runDoctor(() =>
      Promise.reject(new Error('a server was started')),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('problem  configuration: ');
    expect(stdout).toContain('config.yaml');
  });
});
