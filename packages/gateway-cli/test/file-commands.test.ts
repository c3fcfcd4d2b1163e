import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createTestConfigDirectory } from '@gateway/repo-checks';
import { runCommand } from './run-command.ts';

const directory = createTestConfigDirectory();
directory.server('good', { type: 'stdio', command: 'true' });
directory.server('bad', { type: 'stdio', timeout: 301 });
directory.workflow('plain', { steps: [{ id: 'a', tool: 'x_a', store: true }] });

afterAll(() => {
  directory.remove();
});

const validate = ['validate', '--config-dir', directory.path];

describe('gateway validate', () => {
  it('prints one JSON document, with positions and conditions', async () => {
    const { code, stdout, stderr } = await runCommand([...validate, '--output', 'json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const file = `${directory.path}/mcpservers/bad.yaml`;
    const { healthy, checks } = JSON.parse(stdout) as { healthy: boolean; checks: object[] };
    expect(healthy).toBe(false);
    expect(checks).toMatchObject([
      { code: 'file-refused', facts: { file, line: 6, column: 1, kind: 'MCPServer', name: 'bad' } },
      {
        code: 'file-refused',
        verdict: 'problem',
        facts: { file, line: 8, column: 3, reason: 'spec.timeout: must be at most 300' },
      },
      {
        code: 'workflow',
        verdict: 'ok',
        facts: { name: 'plain', status: { valid: true, stepCount: 1 } },
      },
      { code: 'workflow-warning', verdict: 'note' },
    ]);
  });

  it('uses colours on a terminal only', async () => {
    const { stdout, stderr } = await runCommand(validate, { terminal: 100 });
    expect(stderr).toContain(`${directory.path}/mcpservers/bad.yaml:6:1: spec.`);
    expect(stdout).toContain('\n\u001B[31m2 problems\u001B[39m\n');
    const piped = await runCommand(validate);
    expect(piped.stdout + piped.stderr).not.toContain('\u001B');
  });
});

describe('gateway validate of workflows', () => {
  it('has a line for each with its steps and tools, and the positions of problems', async () => {
    const place = createTestConfigDirectory();
    onTestFinished(() => {
      place.remove();
    });
    place.workflow('bad', {
      steps: [
        { id: 'a', tool: 'x_a', args: { text: '{{ env .input.x }}' } },
        { id: 'a', tool: 'x_b' },
      ],
    });
    place.workflow('good', {
      steps: [
        { id: 'a', tool: 'x_files_read', store: true },
        { id: 'b', parallel: [{ id: 'c', tool: 'core_service_list' }] },
      ],
    });
    const { code, stdout, stderr } = await runCommand(['validate', '--config-dir', place.path]);
    const folder = `${place.path}/workflows`;
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 2,
      lines: expect.arrayContaining([
        `note     files: ${folder}/bad.yaml: not valid, 2 steps, tools: x_a, x_b`,
        `ok       files: ${folder}/good.yaml: valid, 2 steps, tools: core_service_list, x_files_read`,
        '2 problems',
      ]) as unknown,
    });
    expect(stdout).toContain(
      `note     files: ${folder}/good.yaml: Workflow "good" uses the deprecated 'store' flag on: a. `,
    );
    expect(stderr).toMatch(/^(?:\S+workflows\/bad\.yaml:\d+:\d+: spec\.steps.*\n){2}$/u);
  });
});

describe('gateway validate of a pattern in exclude whose star stops at a slash', () => {
  const TEXT = (names: string): string =>
    `preset "safe" exclude[0] pattern "*delete*" does not exclude ${names}, because * stops at /; write the / in the pattern, or exclude tools by a rule "tool"`;
  const exclude = (pattern: string, tool: string) => ({
    toolsetPresets: { safe: { include: [{ pattern: '*' }, { tool }], exclude: [{ pattern }] } },
  });

  it('warns with the names that the configuration and the last run know', async () => {
    const place = createTestConfigDirectory();
    onTestFinished(() => {
      place.remove();
    });
    place.config(exclude('*delete*', 'x_s_admin/delete'));
    place.server('files', { type: 'stdio', command: 'true' });
    place.workflow('clean', { steps: [{ id: 'a', tool: 'x_s_a/delete' }] });
    const digest = `${'a'.repeat(43)}....`;
    mkdirSync(join(place.path, 'state'));
    writeFileSync(
      join(place.path, 'state/declared-tools.json'),
      JSON.stringify({
        version: 1,
        servers: [
          [
            'files',
            [
              ['x/delete', digest, null],
              ['list', digest, 1],
            ],
          ],
        ],
      }),
    );
    const run = ['validate', '--config-dir', place.path];
    const { code, stdout } = await runCommand(run);
    const names = '"x_s_admin/delete", "x_s_a/delete", "x_files_x/delete"';
    expect(stdout).toContain(`config.yaml: ${TEXT(names)}\n`);
    expect(code).toBe(0);
    const json = JSON.parse((await runCommand([...run, '--output', 'json'])).stdout) as object;
    expect(json).toMatchObject({
      healthy: true,
      checks: expect.arrayContaining([
        expect.objectContaining({
          code: 'preset-warning',
          message: `${place.path}/config.yaml: ${TEXT(names)}`,
        }),
      ]) as unknown,
    });
    place.config(exclude('*/*delete*', 'x_s_admin/delete'));
    expect((await runCommand(run)).stdout).not.toContain('does not exclude');
  });
});

describe('gateway validate of the wrong directory', () => {
  it('exits with 2 where there is none', async () => {
    expect(await runCommand(['validate', '--config-dir', '/nonexistent/config'])).toEqual({
      code: 2,
      stdout: '1 problem\n',
      stderr: '/nonexistent/config: the directory does not exist\n',
    });
  });

  it('warns about files that it does not read', async () => {
    const { code, stdout } = await runCommand([
      'validate',
      '--config-dir',
      `${directory.path}/mcpservers`,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain(': has neither config.yaml nor mcpservers/ nor workflows/\n');
    expect(stdout).toContain('/mcpservers/good.yaml: is not read; here only config.yaml');
  });
});

describe('gateway crds', () => {
  const kinds = (yaml: string) =>
    parseAllDocuments(yaml).map((document) => {
      const { kind, metadata } = document.toJS() as { kind: string; metadata: { name: string } };
      return `${kind} ${metadata.name}`;
    });

  it('prints all definitions, or one, in the API group', async () => {
    const all = await runCommand(['crds']);
    expect({ code: all.code, kinds: kinds(all.stdout) }).toEqual({
      code: 0,
      kinds: [
        'CustomResourceDefinition mcpservers.gateway.internal',
        'CustomResourceDefinition workflows.gateway.internal',
        'CustomResourceDefinition workflowexecutions.gateway.internal',
      ],
    });
    const one = await runCommand(['crds', 'workflow', '--api-group', 'a.example']);
    expect(kinds(one.stdout)).toEqual(['CustomResourceDefinition workflows.a.example']);
    const list = await runCommand(['crds', '--output', 'json']);
    expect(JSON.parse(list.stdout)).toMatchObject({ kind: 'List', items: [{}, {}, {}] });
  });

  it.each([
    [['crds', 'agent'], "error: command-argument value 'agent' is invalid"],
    [['crds', '--api-group', 'internal'], 'It must be a DNS name such as gateway.example.com.'],
    [['crds', '--api-group', 'A.example'], 'It must be a DNS name such as gateway.example.com.'],
  ])('refuses %j', async (args, text) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(text);
  });
});

describe('gateway schema', () => {
  it('prints the schema of one kind', async () => {
    const { stdout } = await runCommand(['schema', 'mcpserver', '--api-group', 'a.example']);
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { apiVersion: { const: 'a.example/v1alpha1' } },
    });
  });
  it('requires the kind', async () =>
    expect(await runCommand(['schema'])).toMatchObject({ code: 2, stdout: '' }));
});
