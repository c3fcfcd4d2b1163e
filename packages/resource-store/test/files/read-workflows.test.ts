import { defineRequirements } from '@gateway/repo-checks';
import { chmod, mkdir, symlink, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import type { StoreState } from '../../src/index.ts';
import {
  readAgain,
  readFiles,
  serverText,
  writeManyEmpty,
  type Files,
} from './configuration-directory.ts';
import { invalidOf, validOf, toWorkflowFile } from './workflow-documents.ts';

const requirement = defineRequirements(requirements);

const A = 'workflows/a.yaml';

/** Reads a directory with these files under workflows/. */
const readWorkflows = (files: Files) =>
  readFiles(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`workflows/${file}`, text])),
  );

const errorsOf = (state: StoreState, name: string): readonly string[] =>
  invalidOf(state, name).status.validationErrors;

/** Returns a workflow file with one more line after its name. */
const withMetadata = (line: string): string =>
  toWorkflowFile('a').replace('name: a', `name: a\n  ${line}`);

requirement('1.5/workflows-directory', () => {
  it('reads .yaml and .yml files, by name, and ignores others', async () => {
    const read = await readWorkflows({
      'b.yaml': toWorkflowFile('b', 'x_s_b'),
      'a.yml': toWorkflowFile('a', 'x_s_a'),
      'a-2.yaml': toWorkflowFile('a-2', 'x_s_a2'),
      '.a.yaml': toWorkflowFile('a'),
      'notes.txt': 'b',
      '.gateway-0123abcd-1-0123456789abcdef.tmp': toWorkflowFile('c'),
    });
    expect(read).toMatchObject({ content: ['a=x_s_a', 'a-2=x_s_a2', 'b=x_s_b'], lines: [] });
  });
  it('applies the schema of the resource, with file, line and column in every refusal', async () => {
    const text = toWorkflowFile('a').replace('tool: x_s_run', 'toool: x_s_run');
    const { state, lines } = await readWorkflows({ 'a.yaml': text });
    expect(lines).toEqual([
      `${A}:8:7: spec.steps[0]: one of tool, forEach, or parallel is required`,
      `${A}:9:7: spec.steps[0].toool: unknown field`,
    ]);
    expect(errorsOf(state, 'a')).toEqual([
      'spec.steps[0].toool: unknown field',
      'spec.steps[0]: one of tool, forEach, or parallel is required',
    ]);
  });
  it('refuses a server under workflows/, and a workflow under mcpservers/', async () => {
    const files = { [A]: serverText('a'), 'mcpservers/b.yaml': toWorkflowFile('b') };
    const { state, lines } = await readFiles(files);
    expect(lines).toContain(`${A}:2:1: kind: must be Workflow`);
    expect(lines).toContain('mcpservers/b.yaml:2:1: kind: must be MCPServer');
    expect(state.servers).toEqual([]);
  });
  it('takes the API group as a parameter', async () => {
    const files = { [A]: toWorkflowFile('a').replace('gateway.internal', 'example.com') };
    const { lines, directory } = await readFiles(files);
    expect(lines).toEqual([`${A}:1:1: apiVersion: must be gateway.internal/v1alpha1`]);
    const { content } = await readAgain(directory, { apiGroup: 'example.com' });
    expect(content).toEqual(['a=x_s_run']);
  });
  it('shows a broken file with its status and its problems, and reads the others', async () => {
    const files = { [A]: toWorkflowFile('a'), 'workflows/c.yaml': 'kind: [\n' };
    const { state, content, at } = await readFiles({
      ...files,
      'mcpservers/s.yaml': serverText('s'),
    });
    expect(content).toEqual(['s=run', 'a=x_s_run', 'c!']);
    expect(invalidOf(state, 'c')).toMatchObject({
      source: at('workflows/c.yaml'),
      text: '',
      problems: state.problems,
      status: {
        valid: false,
        referencedTools: [],
        stepCount: 0,
        conditions: [{ type: 'Valid', status: 'False', reason: 'ValidationFailed' }],
      },
    });
    expect(state.problems).toMatchObject([{ kind: 'Workflow', name: 'c', line: 2, column: 1 }]);
  });
});

requirement('2.7/store-warning-reconciler', () => {
  it.each([
    [
      'store',
      [expect.stringMatching(/^Workflow "a" uses the deprecated 'store' flag on: one\. [^\n]*$/u)],
    ],
    ['output', []],
  ])('has one line that names the steps of a file that uses store: %s', async (flag, warnings) => {
    const text = toWorkflowFile('a').replace('tool: x_s_run', `tool: x_s_run\n      ${flag}: true`);
    const { state } = await readWorkflows({ 'a.yaml': text });
    expect(validOf(state, 'a').warnings).toEqual(warnings);
  });
});

describe('a workflow that can be used', () => {
  it('has its text, its times and its status', async () => {
    const text = toWorkflowFile('a');
    const { directory, at } = await readFiles({ [A]: text });
    await chmod(at(A), 0o600);
    const modifiedAt = Date.UTC(2026, 0, 2, 3, 4, 5);
    await utimes(at(A), modifiedAt / 1000, modifiedAt / 1000);
    const { workflow, ...resource } = validOf((await readAgain(directory)).state, 'a');
    expect(workflow.metadata.name).toBe('a');
    const condition = {
      type: 'Valid',
      status: 'True',
      reason: 'ValidationSucceeded',
      message: 'The workflow is valid.',
      lastTransitionTime: '2026-01-02T03:04:05.000Z',
    };
    expect(resource).toEqual({
      name: 'a',
      source: at(A),
      text,
      createdAt: modifiedAt,
      modifiedAt,
      valid: true,
      status: {
        valid: true,
        validationErrors: [],
        referencedTools: ['x_s_run'],
        stepCount: 1,
        conditions: [condition],
      },
      warnings: [],
    });
  });
  it.each<readonly [string, number]>([
    ['2025-03-04T05:06:07Z', Date.UTC(2025, 2, 4, 5, 6, 7)],
    ['"2025-03-04T05:06:07+02:00"', Date.UTC(2025, 2, 4, 3, 6, 7)],
    ...['null', '5', 'yesterday', '2025-13-45T99:99:99Z', '{}'].map(
      (written) => [written, 1_000_000] as const,
    ),
  ])('was created at its creationTimestamp %s, or with its file', async (written, created) => {
    const { directory, at } = await readFiles({
      [A]: withMetadata(`creationTimestamp: ${written}`),
    });
    await utimes(at(A), 1000, 1000);
    expect(validOf((await readAgain(directory)).state, 'a').createdAt).toBe(created);
  });
  it('may have been changed at any time that a file can have', async () => {
    const { directory, at } = await readFiles({ [A]: toWorkflowFile('a') });
    for (const seconds of [-5_000_000_000, 15_000_000_000]) {
      await utimes(at(A), seconds, seconds);
      const { modifiedAt } = validOf((await readAgain(directory)).state, 'a');
      expect(modifiedAt).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a file of workflows/ that cannot be used', () => {
  it('shows the parts that could be read', async () => {
    const text = toWorkflowFile('b').replace('Runs it.', 'x'.repeat(1001));
    const { state } = await readWorkflows({ 'a.yaml': text });
    expect(invalidOf(state, 'a').status).toMatchObject({
      referencedTools: ['x_s_run'],
      stepCount: 1,
      validationErrors: [
        'metadata.name: must equal the name of the file, a',
        expect.stringMatching(/^spec.description: .*1000/),
      ],
    });
  });
  it('is shown with its text only when it is a Workflow, and with its errors', async () => {
    const near = 'kind: Workflow\nspec: {}\n';
    const { state } = await readWorkflows({
      'bytes.yaml': Uint8Array.of(0x61, 0xff),
      'empty.yaml': '',
      'large.yaml': '#'.repeat(131_073),
      'near.yaml': near,
      'repeated.yaml': 'a: 1\na: 2\n',
      'server.yaml': serverText('server'),
      'text.yaml': 'PASSWORD=hunter2\n',
      'unclosed.yaml': 'kind: Workflow\nspec: {a: "hunter2\n',
    });
    expect(state.workflows.map(({ name, text }) => [name, text])).toEqual([
      ...[
        ['bytes', ''],
        ['empty', ''],
        ['large', ''],
        ['near', near],
        ['repeated', ''],
      ],
      ...[
        ['server', ''],
        ['text', ''],
        ['unclosed', ''],
      ],
    ]);
    expect(['bytes', 'empty', 'large', 'repeated'].map((name) => errorsOf(state, name))).toEqual([
      ['is not valid UTF-8'],
      ['the file is empty'],
      ['is larger than 131072 bytes'],
      ['line 2, column 1: a key is repeated'],
    ]);
    expect(invalidOf(state, 'large').modifiedAt).toBeGreaterThan(0);
    expect(JSON.stringify(state.problems)).not.toContain('hunter2');
  });
  it('is shown when it cannot be opened, since 1970', async () => {
    const { directory, at } = await readWorkflows({});
    await mkdir(at('workflows/folder.yaml'), { recursive: true });
    await symlink('nowhere', at('workflows/link.yaml'));
    const { state } = await readAgain(directory);
    expect(errorsOf(state, 'link')).toEqual(['is a link to a file that does not exist']);
    expect(errorsOf(state, 'folder')).toEqual(['is not a regular file']);
    expect(invalidOf(state, 'folder').modifiedAt).toBe(0);
  });
  it('is one of two files of the same workflow; none of them is used', async () => {
    const text = toWorkflowFile('a', 'x_s_two');
    const files = { 'a.yaml': toWorkflowFile('a'), 'a.yml': text, 'b.yaml': toWorkflowFile('b') };
    const { state, content, lines, at } = await readWorkflows(files);
    const message = 'a.yaml and a.yml define the same resource; keep one of them';
    expect([content, lines]).toEqual([['a!', 'b=x_s_run'], [`workflows/a.yml: ${message}`]]);
    expect(errorsOf(state, 'a')).toEqual([message]);
    expect(invalidOf(state, 'a')).toMatchObject({ source: at('workflows/a.yml'), text });
  });
  it('may have any name', async () => {
    const names = ['__proto__', 'constructor', 'A b', '\u{1F600}', 'x\ny', '-'];
    const files = Object.fromEntries(names.map((name) => [`${name}.yaml`, toWorkflowFile('a')]));
    const { state } = await readWorkflows(files);
    expect(state.workflows.map(({ name }) => name)).toEqual([...names].sort());
    expect(errorsOf(state, '__proto__')).toEqual([
      'metadata.name: must equal the name of the file, __proto__',
    ]);
  });
});

describe('the directory workflows/', () => {
  it('may be missing', async () => {
    expect(await readFiles({})).toMatchObject({ content: [], lines: [] });
  });
  it('may have 4096 files and as many servers; of more, the first by name are read', async () => {
    const configuration = await readFiles({ 'mcpservers/s.yaml': serverText('s') });
    await mkdir(configuration.at('workflows'));
    const files = Array.from({ length: 4097 }, (_, n) => `w${String(n).padStart(4, '0')}.yaml`);
    await writeManyEmpty(configuration, 'workflows', files);
    const { content, lines } = await readAgain(configuration.directory);
    expect([content.length, content[0], content.at(-1)]).toEqual([4097, 's=run', 'w4095!']);
    expect(lines[0]).toBe(
      'workflows: holds more than 4096 resource files; only the first 4096 by name are read',
    );
  });
  it('is reported when it is a file, and servers are still read', async () => {
    const { state, content } = await readFiles({
      workflows: '',
      'mcpservers/s.yaml': serverText('s'),
    });
    expect(content).toEqual(['s=run']);
    expect(state.problems).toMatchObject([{ kind: 'Workflow', message: 'is not a directory' }]);
  });
});
