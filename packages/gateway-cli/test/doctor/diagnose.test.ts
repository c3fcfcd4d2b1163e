import { createTestConfigDirectory } from '@gateway/repo-checks';
import { createBufferedIo, runCli } from '@gateway/gateway-cli';
import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const prepared = (config: string): ReturnType<typeof createTestConfigDirectory> => {
  const directory = createTestConfigDirectory();
  onTestFinished(() => {
    directory.remove();
  });
  writeFileSync(`${directory.path}/config.yaml`, config);
  return directory;
};

const refuse = () => Promise.resolve('refused' as const);

const diagnose = async (
  directory: string,
  {
    args = [],
    stateProblem,
  }: {
    readonly args?: readonly string[];
    readonly stateProblem?: string;
  } = {},
) => {
  const io = createBufferedIo();
  const code = await runCli(['diagnose', '--config-dir', directory, ...args], io, {
    serve: refuse,
    serveStdio: refuse,
    stateProblem: () => Promise.resolve(stateProblem),
    toolsetProblem: () => undefined,
    probeServers: () => Promise.reject(new Error('no command of this test')),
  });
  return { code, ...io.written };
};

// No gateway listens there.
const UNUSED = 'http: {port: 9}\n';
const NOT_STARTED =
  'note     server: The states of the servers are not known: no gateway answers at http://127.0.0.1:9/';

describe('gateway diagnose of files', () => {
  it('finds nothing in a correct directory whose gateway was not started', async () => {
    const { path } = prepared(UNUSED);
    const { code, stdout, stderr } = await diagnose(path);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(NOT_STARTED);
    expect(stdout).toMatch(/\nno problems\n$/u);
  });

  it('names files that are not used, each in one line with the next step', async () => {
    const directory = prepared(UNUSED);
    directory.server('bad', { type: 'stdio', command: 'true', timeout: 301 });
    const { code, stdout } = await diagnose(directory.path);
    expect(code).toBe(1);
    expect(stdout).toContain('bad.yaml:9:3: spec.timeout: must be at most 300');
    expect(stdout).toContain('Correct the file; gateway validate --config-dir checks it again.\n');
    expect(stdout).toMatch(/\n1 problem\n$/u);
  });

  it('reports a named gateway that does not answer as a problem', async () => {
    const { path } = prepared(UNUSED);
    const { code, stdout } = await diagnose(path, { args: ['--url', 'http://127.0.0.1:9/mcp'] });
    expect(code).toBe(1);
    expect(stdout).toContain(
      'problem  server: The states of the servers are not known: no gateway answers',
    );
  });

  it.each([
    ['http://127.0.0.1:9/other', 'no gateway answers at http://127.0.0.1:9/other '],
    ['localhost', 'GATEWAY_URL: It must be an http or https URL, such as '],
  ])('notes that GATEWAY_URL names no gateway: %s', async (url, reason) => {
    const { path } = prepared(UNUSED);
    vi.stubEnv('GATEWAY_URL', url);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { code, stdout } = await diagnose(path);
    expect(code).toBe(0);
    expect(stdout).toContain(`note     server: The states of the servers are not known: ${reason}`);
    expect(stdout).toMatch(/\nno problems\n$/u);
  });

  it('checks nothing else when config.yaml is refused', async () => {
    const { path } = prepared('htpp: {}\n');
    const { code, stdout } = await diagnose(path, { args: ['--output', 'json'] });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      healthy: false,
      checks: [
        {
          area: 'configuration',
          code: 'configuration-refused',
          verdict: 'problem',
          message: `${path}/config.yaml:1:1: htpp: unknown key`,
        },
        { area: 'configuration', code: 'unchecked', verdict: 'note' },
      ],
    });
  });

  it('reports a state store that cannot be used', async () => {
    const { path } = prepared(UNUSED);
    const stateProblem = 'The state store is not available: it does not answer.';
    const { code, stdout } = await diagnose(path, { stateProblem });
    expect(code).toBe(1);
    expect(stdout).toContain(
      `problem  state: ${stateProblem}\n         Check state in config.yaml: `,
    );
  });
});

describe('gateway diagnose of a cluster', () => {
  it('reports a kubeconfig that cannot be read', async () => {
    const directory = prepared('kubernetes: {kubeconfig: missing}\n');
    directory.server('unused', { type: 'stdio', command: 'true' });
    const { code, stdout } = await diagnose(directory.path, { args: ['--kubernetes'] });
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'note     files: 1 file in mcpservers/ and workflows/ not used, because kubernetes is enabled.',
        '         Create the resources as objects of the cluster, or delete the files.',
        `problem  cluster: No cluster can be used: the kubeconfig ${directory.path}/missing cannot be read (ENOENT).`,
        '         Set kubernetes.kubeconfig in config.yaml or KUBECONFIG, or run the command in the pod of the gateway.',
        '1 problem\n',
      ].join('\n'),
    );
  });
});
