import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { failure, runCommand, success } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const directory = useDirectory();

const validate = (...args: readonly string[]) =>
  runCommand(['validate', '--config-dir', directory.path, ...args]);

describe('gateway validate', () => {
  beforeEach(() => {
    directory.server('good', { type: 'stdio', command: 'true' });
    directory.server('bad', { type: 'stdio', timeout: 301 });
    directory.workflow('plain', { steps: [{ id: 'a', tool: 'x_a', store: true }] });
  });

  it('prints one JSON document, with positions and conditions', async () => {
    const { code, stdout, stderr } = await validate('--output', 'json');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const file = directory.resolve('mcpservers/bad.yaml');
    const reason = 'spec.timeout: must be at most 300';
    const { healthy, checks } = JSON.parse(stdout) as { healthy: boolean; checks: object[] };
    expect(healthy).toBe(false);
    expect(checks).toMatchObject([
      { code: 'file-refused', facts: { file, line: 6, column: 1, kind: 'MCPServer', name: 'bad' } },
      { code: 'file-refused', verdict: 'problem', facts: { file, line: 8, column: 3, reason } },
      {
        code: 'workflow',
        verdict: 'ok',
        facts: { name: 'plain', status: { valid: true, stepCount: 1 } },
      },
      { code: 'workflow-warning', verdict: 'note' },
    ]);
  });

  it('uses colours on a terminal only', async () => {
    const command = ['validate', '--config-dir', directory.path];
    const { stdout, stderr } = await runCommand(command, { terminal: 100 });
    expect(stderr).toContain(`${directory.path}/mcpservers/bad.yaml:6:1: spec.`);
    expect(stdout).toContain('\n\u001B[31m2 problems\u001B[39m\n');
    const piped = await validate();
    expect(piped.stdout + piped.stderr).not.toContain('\u001B');
  });

  it('warns about files that it does not read', async () => {
    const run = await validate('--config-dir', directory.resolve('mcpservers'));
    expect(run).toMatchObject(
      success(': has neither config.yaml nor mcpservers/ nor workflows/\n'),
    );
    expect(run.stdout).toContain('/mcpservers/good.yaml: is not read; here only config.yaml');
  });
});

it('gateway validate exits with 2 where there is no directory', async () => {
  expect(await validate('--config-dir', '/nonexistent/config')).toEqual({
    code: 2,
    stdout: '1 problem\n',
    stderr: '/nonexistent/config: the directory does not exist\n',
  });
});

it('gateway validate has a line for each workflow with its steps and tools, and the positions of problems', async () => {
  const args = { text: '{{ env .input.x }}' };
  directory.workflow('bad', {
    steps: [
      { id: 'a', tool: 'x_a', args },
      { id: 'a', tool: 'x_b' },
    ],
  });
  const parallel = [{ id: 'c', tool: 'core_service_list' }];
  directory.workflow('good', {
    steps: [
      { id: 'a', tool: 'x_files_read', store: true },
      { id: 'b', parallel },
    ],
  });
  const { code, stdout, stderr } = await validate();
  const folder = directory.resolve('workflows');
  expect(code).toBe(2);
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      `note     files: ${folder}/bad.yaml: not valid, 2 steps, tools: x_a, x_b`,
      `ok       files: ${folder}/good.yaml: valid, 2 steps, tools: core_service_list, x_files_read`,
      '2 problems',
    ]),
  );
  expect(stdout).toContain(
    `note     files: ${folder}/good.yaml: Workflow "good" uses the deprecated 'store' flag on: a. `,
  );
  expect(stderr).toMatch(/^(?:\S+workflows\/bad\.yaml:\d+:\d+: spec\.steps.*\n){2}$/u);
});

it('gateway validate warns of a pattern in exclude whose star stops at a slash, with the names that the configuration and the last run know', async () => {
  const exclude = (pattern: string) => {
    const include = [{ pattern: '*' }, { tool: 'x_s_admin/delete' }];
    directory.config({ toolsetPresets: { safe: { include, exclude: [{ pattern }] } } });
  };
  exclude('*delete*');
  directory.server('files', { type: 'stdio', command: 'true' });
  directory.workflow('clean', { steps: [{ id: 'a', tool: 'x_s_a/delete' }] });
  const digest = `${'a'.repeat(43)}....`;
  const tools = [
    ['x/delete', digest, null],
    ['list', digest, 1],
  ];
  directory.write('state/declared-tools.json', { version: 1, servers: [['files', tools]] });
  const warning = `${directory.path}/config.yaml: preset "safe" exclude[0] pattern "*delete*" does not exclude "x_s_admin/delete", "x_s_a/delete", "x_files_x/delete", because * stops at /; write the / in the pattern, or exclude tools by a rule "tool"`;
  expect(await validate()).toMatchObject(success(`${warning}\n`));
  const check = expect.objectContaining({ code: 'preset-warning', message: warning }) as unknown;
  expect(JSON.parse((await validate('--output', 'json')).stdout)).toMatchObject({
    healthy: true,
    checks: expect.arrayContaining([check]) as unknown,
  });
  exclude('*/*delete*');
  expect((await validate()).stdout).not.toContain('does not exclude');
});

describe('gateway crds', () => {
  const listDefinitions = async (...args: readonly string[]) => {
    const { stdout } = await runCommand(['crds', ...args]);
    return parseAllDocuments(stdout).map((document) => {
      const { kind, metadata } = document.toJS() as { kind: string; metadata: { name: string } };
      return `${kind} ${metadata.name}`;
    });
  };

  it('prints all definitions, or one, in the API group', async () => {
    expect(await listDefinitions()).toEqual([
      'CustomResourceDefinition mcpservers.gateway.internal',
      'CustomResourceDefinition workflows.gateway.internal',
      'CustomResourceDefinition workflowexecutions.gateway.internal',
    ]);
    expect(await listDefinitions('workflow', '--api-group', 'a.example')).toEqual([
      'CustomResourceDefinition workflows.a.example',
    ]);
    const { stdout } = await runCommand(['crds', '--output', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'List', items: [{}, {}, {}] });
  });

  it.each([
    [['crds', 'agent'], "error: command-argument value 'agent' is invalid"],
    [['crds', '--api-group', 'internal'], 'It must be a DNS name such as gateway.example.com.'],
    [['crds', '--api-group', 'A.example'], 'It must be a DNS name such as gateway.example.com.'],
    [['schema'], "missing required argument 'kind'"],
    [['schema', 'configuration'], "command-argument value 'configuration' is invalid"],
  ])('refuses %j', async (args, text) => {
    expect(await runCommand(args)).toMatchObject({ ...failure(text), stdout: '' });
  });
});

describe('gateway schema', () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';

  it('prints the schema of one kind', async () => {
    const { stdout } = await runCommand(['schema', 'mcpserver', '--api-group', 'a.example']);
    const apiVersion = { const: 'a.example/v1alpha1' };
    expect(JSON.parse(stdout)).toMatchObject({ $schema, properties: { apiVersion } });
  });

  it('prints the schema of config.yaml that is also shipped as a file', async () => {
    const file = new URL('../../gateway-config/config.schema.json', import.meta.url);
    const { code, stdout } = await runCommand(['schema', 'config']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: readFileSync(file, 'utf8') });
    const port = { type: 'integer', default: 8090 };
    expect(JSON.parse(stdout)).toMatchObject({
      $schema,
      additionalProperties: false,
      properties: { http: { properties: { port } } },
    });
  });
});
