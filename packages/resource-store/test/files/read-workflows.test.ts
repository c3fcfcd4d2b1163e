import { defineRequirements } from '@gateway/repo-checks';
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { readDirectory, type StoreState } from '../../src/index.ts';
import {
  configurationDirectory,
  problemLines,
  serverText,
  writeManyEmpty,
} from './configuration-directory.ts';
import { invalidOf, toolsOf, validOf, toWorkflowFile } from './workflow-documents.ts';

const requirement = defineRequirements(requirements);

/** A directory with these files under workflows/, read. */
const directoryWith = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const configuration = await configurationDirectory();
  await mkdir(configuration.at('workflows'));
  for (const [file, text] of Object.entries(files)) {
    await configuration.write(`workflows/${file}`, text);
  }
  const state = await readDirectory(configuration.directory);
  return { ...configuration, state, lines: problemLines(state, configuration.directory) };
};

const errorsOf = (state: StoreState, name: string): readonly string[] =>
  invalidOf(state, name).status.validationErrors;

requirement('1.5/workflows-directory', () => {
  it('reads .yaml and .yml files, by name', async () => {
    const { state, lines } = await directoryWith({
      'b.yaml': toWorkflowFile('b', 'x_s_b'),
      'a.yml': toWorkflowFile('a', 'x_s_a'),
      'a-2.yaml': toWorkflowFile('a-2', 'x_s_a2'),
    });
    expect(toolsOf(state)).toEqual(['a=x_s_a', 'a-2=x_s_a2', 'b=x_s_b']);
    expect(lines).toEqual([]);
  });
  it('applies the schema of the resource, with file, line and column in every refusal', async () => {
    const text = toWorkflowFile('a').replace('tool: x_s_run', 'toool: x_s_run');
    const { state, lines } = await directoryWith({ 'a.yaml': text });
    expect(lines).toEqual([
      'workflows/a.yaml:8:7: spec.steps[0]: one of tool, forEach, or parallel is required',
      'workflows/a.yaml:9:7: spec.steps[0].toool: unknown field',
    ]);
    expect(errorsOf(state, 'a')).toEqual([
      'spec.steps[0].toool: unknown field',
      'spec.steps[0]: one of tool, forEach, or parallel is required',
    ]);
  });
  it('refuses a server under workflows/, and a workflow under mcpservers/', async () => {
    const { directory, write, lines } = await directoryWith({ 'a.yaml': serverText('a') });
    expect(lines).toContain('workflows/a.yaml:2:1: kind: must be Workflow');
    await write('mcpservers/b.yaml', toWorkflowFile('b'));
    const state = await readDirectory(directory);
    expect(problemLines(state, directory)).toContain(
      'mcpservers/b.yaml:2:1: kind: must be MCPServer',
    );
    expect(state.servers).toEqual([]);
  });
  it('takes the API group as a parameter', async () => {
    const { directory, lines } = await directoryWith({
      'a.yaml': toWorkflowFile('a').replace('gateway.internal', 'example.com'),
    });
    expect(lines).toEqual(['workflows/a.yaml:1:1: apiVersion: must be gateway.internal/v1alpha1']);
    expect(toolsOf(await readDirectory(directory, { apiGroup: 'example.com' }))).toEqual([
      'a=x_s_run',
    ]);
  });
  it('shows a broken file with its status and its problems, and reads the others', async () => {
    const { directory, write, at } = await directoryWith({
      'a.yaml': toWorkflowFile('a'),
      'b.yaml': toWorkflowFile('b'),
      'c.yaml': 'kind: [\n',
    });
    await write('mcpservers/s.yaml', serverText('s'));
    const state = await readDirectory(directory);
    expect(state.servers).toHaveLength(1);
    expect(state.workflows.map(({ name, valid }) => [name, valid])).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
    expect(invalidOf(state, 'c')).toMatchObject({
      source: at('workflows/c.yaml'),
      text: '',
      status: {
        valid: false,
        referencedTools: [],
        stepCount: 0,
        conditions: [{ type: 'Valid', status: 'False', reason: 'ValidationFailed' }],
      },
    });
    expect(state.problems).toEqual(invalidOf(state, 'c').problems);
    expect(state.problems).toMatchObject([{ kind: 'Workflow', name: 'c', line: 2, column: 1 }]);
  });
});

requirement('2.7/store-warning-reconciler', () => {
  const warningsOf = async (flag: string): Promise<readonly string[]> => {
    const text = toWorkflowFile('a').replace('tool: x_s_run', `tool: x_s_run\n      ${flag}`);
    const { state } = await directoryWith({ 'a.yaml': text });
    return validOf(state, 'a').warnings;
  };

  it('has one line that names the steps of a file that uses store', async () => {
    const warnings = await warningsOf('store: true');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^Workflow "a" uses the deprecated 'store' flag on: one\. [^\n]*$/u,
    );
  });

  it('has no warning about output', async () => {
    expect(await warningsOf('output: true')).toEqual([]);
  });
});

describe('a workflow that can be used', () => {
  it('has its text, its times, its status and its warnings', async () => {
    const text = toWorkflowFile('a').replace('tool: x_s_run', 'tool: x_s_run\n      store: true');
    const { directory, at } = await directoryWith({ 'a.yaml': text });
    const modifiedAt = Date.UTC(2026, 0, 2, 3, 4, 5);
    await utimes(at('workflows/a.yaml'), modifiedAt / 1000, modifiedAt / 1000);
    const { workflow, ...resource } = validOf(await readDirectory(directory), 'a');
    expect(workflow.metadata.name).toBe('a');
    expect(resource).toEqual({
      name: 'a',
      source: at('workflows/a.yaml'),
      text,
      createdAt: modifiedAt,
      modifiedAt,
      valid: true,
      status: {
        valid: true,
        validationErrors: [],
        referencedTools: ['x_s_run'],
        stepCount: 1,
        conditions: [
          {
            type: 'Valid',
            status: 'True',
            reason: 'ValidationSucceeded',
            message: 'The workflow is valid.',
            lastTransitionTime: '2026-01-02T03:04:05.000Z',
          },
        ],
      },
      warnings: [expect.stringContaining(`Workflow "a" uses the deprecated 'store' flag on: one.`)],
    });
  });
  it.each([
    ['2025-03-04T05:06:07Z', Date.UTC(2025, 2, 4, 5, 6, 7)],
    ['"2025-03-04T05:06:07+02:00"', Date.UTC(2025, 2, 4, 3, 6, 7)],
  ])('was created at its metadata.creationTimestamp %s', async (written, at) => {
    const text = toWorkflowFile('a').replace('name: a', `name: a\n  creationTimestamp: ${written}`);
    const { state } = await directoryWith({ 'a.yaml': text });
    expect(validOf(state, 'a').createdAt).toBe(at);
  });
  it.each(['null', '5', 'yesterday', '2025-13-45T99:99:99Z', '{}'])(
    'was created with its file when its creationTimestamp is %s',
    async (written) => {
      const text = toWorkflowFile('a').replace(
        'name: a',
        `name: a\n  creationTimestamp: ${written}`,
      );
      const { directory, at } = await directoryWith({ 'a.yaml': text });
      await utimes(at('workflows/a.yaml'), 1000, 1000);
      expect(validOf(await readDirectory(directory), 'a').createdAt).toBe(1_000_000);
    },
  );
  it('may have been changed at any time that a file can have', async () => {
    const { directory, at } = await directoryWith({ 'a.yaml': toWorkflowFile('a') });
    for (const seconds of [-5_000_000_000, 15_000_000_000]) {
      await utimes(at('workflows/a.yaml'), seconds, seconds);
      const { modifiedAt } = validOf(await readDirectory(directory), 'a');
      expect(modifiedAt).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a file of workflows/ that cannot be used', () => {
  it('shows the parts that could be read', async () => {
    const text = toWorkflowFile('b').replace('Runs it.', 'x'.repeat(1001));
    const { state } = await directoryWith({ 'a.yaml': text });
    expect(invalidOf(state, 'a').status).toMatchObject({
      referencedTools: ['x_s_run'],
      stepCount: 1,
      validationErrors: [
        'metadata.name: must equal the name of the file, a',
        expect.stringMatching(/^spec.description: .*1000/),
      ],
    });
  });
  it('reports the position of invalid YAML', async () => {
    const { state } = await directoryWith({ 'a.yaml': 'a: 1\na: 2\n' });
    expect(errorsOf(state, 'a')).toEqual(['line 2, column 1: a key is repeated']);
  });
  it('is shown without text when it has none', async () => {
    const { state } = await directoryWith({
      'empty.yaml': '',
      'bytes.yaml': Uint8Array.of(0x61, 0xff),
      'large.yaml': '#'.repeat(131_073),
    });
    expect(state.workflows.map(({ name, text }) => [name, text, errorsOf(state, name)])).toEqual([
      ['bytes', '', ['is not valid UTF-8']],
      ['empty', '', ['the file is empty']],
      ['large', '', ['is larger than 131072 bytes']],
    ]);
    expect(invalidOf(state, 'large').modifiedAt).toBeGreaterThan(0);
  });
  it('is shown with its text only when it is a Workflow', async () => {
    const { state } = await directoryWith({
      'near.yaml': 'kind: Workflow\nspec: {}\n',
      'server.yaml': serverText('server'),
      'text.yaml': 'PASSWORD=hunter2\n',
      'unclosed.yaml': 'kind: Workflow\nspec: {a: "hunter2\n',
    });
    expect(state.workflows.map(({ name, text }) => [name, text])).toEqual([
      ['near', 'kind: Workflow\nspec: {}\n'],
      ['server', ''],
      ['text', ''],
      ['unclosed', ''],
    ]);
    expect(JSON.stringify(state.problems)).not.toContain('hunter2');
  });
  it('is shown when it cannot be opened, since 1970', async () => {
    const { directory, at } = await directoryWith({});
    await symlink('nowhere', at('workflows/link.yaml'));
    await mkdir(at('workflows/folder.yaml'));
    const state = await readDirectory(directory);
    expect(errorsOf(state, 'link')).toEqual(['is a link to a file that does not exist']);
    expect(errorsOf(state, 'folder')).toEqual(['is not a regular file']);
    expect(invalidOf(state, 'folder').modifiedAt).toBe(0);
  });
  it('is one of two files of the same workflow; none of them is used', async () => {
    const { state, lines, at } = await directoryWith({
      'a.yaml': toWorkflowFile('a', 'x_s_one'),
      'a.yml': toWorkflowFile('a', 'x_s_two'),
      'b.yaml': toWorkflowFile('b'),
    });
    expect(toolsOf(state)).toEqual(['a!', 'b=x_s_run']);
    expect(errorsOf(state, 'a')).toEqual([
      'a.yaml and a.yml define the same resource; keep one of them',
    ]);
    expect(invalidOf(state, 'a')).toMatchObject({
      source: at('workflows/a.yml'),
      text: toWorkflowFile('a', 'x_s_two'),
    });
    expect(lines).toEqual([
      'workflows/a.yml: a.yaml and a.yml define the same resource; keep one of them',
    ]);
  });
  it('may have any name', async () => {
    const names = ['__proto__', 'constructor', 'A b', '\u{1F600}', 'x\ny', '-'];
    const files = Object.fromEntries(names.map((name) => [`${name}.yaml`, toWorkflowFile('a')]));
    const { state } = await directoryWith(files);
    expect(state.workflows.map(({ name }) => name)).toEqual([...names].sort());
    expect(errorsOf(state, '__proto__')).toEqual([
      'metadata.name: must equal the name of the file, __proto__',
    ]);
  });
});

describe('the directory workflows/', () => {
  it('may be missing', async () => {
    const { directory } = await configurationDirectory();
    const state = await readDirectory(directory);
    expect(state.workflows).toEqual([]);
    expect(problemLines(state, directory)).toEqual([]);
  });
  it('may hold hidden files and others, which are no workflows', async () => {
    const { state, lines } = await directoryWith({
      '.a.yaml': toWorkflowFile('a'),
      'notes.txt': 'b',
      '.gateway-0123abcd-1-0123456789abcdef.tmp': toWorkflowFile('c'),
    });
    expect(state.workflows).toEqual([]);
    expect(lines).toEqual([]);
  });
  it('may have 4096 files and as many servers; of more, the first by name are read', async () => {
    const configuration = await directoryWith({});
    const { directory, at } = configuration;
    const files = Array.from({ length: 4097 }, (_, n) => `w${String(n).padStart(4, '0')}.yaml`);
    await writeManyEmpty(configuration, 'workflows', files);
    await writeFile(at('mcpservers/s.yaml'), serverText('s'));
    const state = await readDirectory(directory);
    expect(state.servers).toHaveLength(1);
    expect([state.workflows.length, state.workflows.at(-1)?.name]).toEqual([4096, 'w4095']);
    expect(problemLines(state, directory)[0]).toBe(
      'workflows: holds more than 4096 resource files; only the first 4096 by name are read',
    );
  });
  it('is reported when it is a file, and servers are still read', async () => {
    const { directory, write } = await configurationDirectory();
    await write('workflows', '');
    await write('mcpservers/s.yaml', serverText('s'));
    const state = await readDirectory(directory);
    expect(state.servers).toHaveLength(1);
    expect(state.problems).toMatchObject([{ kind: 'Workflow', message: 'is not a directory' }]);
  });
});

it('reads files that only their owner may read', async () => {
  const { directory, at } = await directoryWith({ 'a.yaml': toWorkflowFile('a') });
  await chmod(at('workflows/a.yaml'), 0o600);
  expect(toolsOf(await readDirectory(directory))).toEqual(['a=x_s_run']);
});
