import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../run-command.ts';
import { useDirectory } from '../use-directory.ts';

const directory = useDirectory();
beforeEach(() => {
  // No gateway listens there.
  directory.config({ http: { port: 9 } });
});

/** Runs the command, and expects the exit code and these parts of the output. */
const expectDiagnosis = async (
  code: number,
  parts: readonly string[],
  args: readonly string[] = [],
  stateProblem?: string,
) => {
  const command = ['diagnose', '--config-dir', directory.path, ...args];
  const ports = { stateProblem: () => Promise.resolve(stateProblem) };
  const run = await runCommand(command, {}, ports);
  expect(run).toMatchObject({ code, stderr: '' });
  for (const part of parts) expect(run.stdout).toContain(part);
  return run.stdout;
};

const UNKNOWN = 'server: The states of the servers are not known:';

describe('gateway diagnose of files', () => {
  it('finds nothing in a correct directory whose gateway was not started', () =>
    expectDiagnosis(0, [
      `note     ${UNKNOWN} no gateway answers at http://127.0.0.1:9/`,
      '\nno problems\n',
    ]));

  it('names files that are not used, each in one line with the next step', () => {
    directory.server('bad', { type: 'stdio', command: 'true', timeout: 301 });
    return expectDiagnosis(1, [
      'bad.yaml:9:3: spec.timeout: must be at most 300',
      'Correct the file; gateway validate --config-dir checks it again.\n',
      '\n1 problem\n',
    ]);
  });

  it('reports a named gateway that does not answer as a problem', () =>
    expectDiagnosis(
      1,
      [`problem  ${UNKNOWN} no gateway answers`],
      ['--url', 'http://127.0.0.1:9/mcp'],
    ));

  it.each([
    ['http://127.0.0.1:9/other', 'no gateway answers at http://127.0.0.1:9/other '],
    ['localhost', 'GATEWAY_URL: It must be an http or https URL, such as '],
  ])('notes that GATEWAY_URL names no gateway: %s', async (url, reason) => {
    vi.stubEnv('GATEWAY_URL', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expectDiagnosis(0, [`note     ${UNKNOWN} ${reason}`, '\nno problems\n']);
  });

  it('checks nothing else when config.yaml is refused', async () => {
    directory.write('config.yaml', 'htpp: {}\n');
    const stdout = await expectDiagnosis(1, [], ['--output', 'json']);
    const area = 'configuration';
    const message = `${directory.path}/config.yaml:1:1: htpp: unknown key`;
    expect(JSON.parse(stdout)).toMatchObject({
      healthy: false,
      checks: [
        { area, code: 'configuration-refused', verdict: 'problem', message },
        { area, code: 'unchecked', verdict: 'note' },
      ],
    });
  });

  it('reports a state store that cannot be used', () => {
    const problem = 'The state store is not available: it does not answer.';
    const text = `problem  state: ${problem}\n         Check state in config.yaml: `;
    return expectDiagnosis(1, [text], [], problem);
  });
});

it('gateway diagnose of a cluster reports a kubeconfig that cannot be read', async () => {
  directory.config({ kubernetes: { kubeconfig: 'missing' } });
  directory.server('unused', { type: 'stdio', command: 'true' });
  expect(await expectDiagnosis(1, [], ['--kubernetes'])).toBe(
    [
      'note     files: 1 file in mcpservers/ and workflows/ not used, because kubernetes is enabled.',
      '         Create the resources as objects of the cluster, or delete the files.',
      `problem  cluster: No cluster can be used: the kubeconfig ${directory.path}/missing cannot be read (ENOENT).`,
      '         Set kubernetes.kubeconfig in config.yaml or KUBECONFIG, or run the command in the pod of the gateway.',
      '1 problem\n',
    ].join('\n'),
  );
});
