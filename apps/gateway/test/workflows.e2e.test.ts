import { retryAssertion } from '@gateway/repo-checks';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ask, callTool, textOf, toolNames } from './harness/answers.ts';
import { connect, HTTP_CLIENTS, type Progress, type TestClient } from './harness/clients.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';

const directory = testDirectory();
const journal = join(directory.path, 'journal.txt');
const gate = (name: string) => join(directory.path, `${name}.gate`);
let gateway: RunningGateway;
let client: TestClient;

const step = (id: string, tool: string, args: object = {}, more: object = {}) => ({
  id,
  tool,
  args,
  ...more,
});

const echo = (id: string, value: unknown, more: object = {}) =>
  step(id, 'x_box_echo', { value }, more);

/** Returns the result of a run without values that differ between runs. */
async function run(
  name: string,
  args: Record<string, unknown> = {},
  asking: TestClient = client,
): Promise<Record<string, unknown>> {
  const answer = await callTool(asking, `workflow_${name}`, args);
  const { execution_id: id, ...document } = JSON.parse(textOf(answer)) as Record<string, unknown>;
  expect(id).toMatch(/^[0-9a-f-]{36}$/u);
  return { isError: answer.isError ?? false, ...document };
}

const core = async <T = Record<string, unknown>>(
  tool: string,
  args: Record<string, unknown> = {},
): Promise<T> => JSON.parse(textOf(await callTool(client, tool, args))) as T;

const text = async (tool: string, args: Record<string, unknown> = {}): Promise<string> =>
  textOf(await callTool(client, tool, args));

const journalLines = (): readonly string[] =>
  existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : [];

const started = async (call: string): Promise<void> => {
  await retryAssertion(() => {
    expect(journalLines()).toContain(call);
  });
};

const start = async (): Promise<void> => {
  gateway = await startGateway(directory.path);
  client = await connect(gateway.url);
};

setUp(async () => {
  directory.config({
    workflows: { executionsDirectory: 'runs' },
  });
  directory.server('box', fixture('workflow', { env: { JOURNAL: journal } }));
  directory.server('frail', fixture('workflow'));
  directory.workflow('query', {
    description: 'Only reads',
    args: { n: { type: 'integer', default: 1 } },
    steps: [echo('a', { n: '{{ .input.n }}' }), step('b', 'core_workflow_list')],
    output: { n: '{{ .results.a.n }}' },
  });
  directory.workflow('writer', {
    steps: [echo('a', 1, { output: true }), step('b', 'x_box_write', { value: 2 })],
  });
  directory.workflow('outer', {
    steps: [
      step('inner', 'workflow_query', { n: 7 }, { output: true }),
      step('last', 'workflow_writer', {}),
    ],
    output: { n: '{{ .results.inner.n }}', written: '{{ .results.last.written }}' },
  });
  directory.workflow('deploy', { steps: [step('a', 'x_missing_tool')] });
  directory.write(
    'workflows/broken.yaml',
    'apiVersion: gateway.internal/v1alpha1\nkind: Workflow\nmetadata: { name: broken }\nspec:\n  steps:\n    - id: a\n      tool: x_box_echo\n      args: { value: "{{ env .input.x }}" }\n',
  );
  await start();
});

describe('a workflow', () => {
  it('is one tool of the catalog, with the schema of its arguments and the hint that it only reads', async () => {
    const names = (await toolNames(client)).filter((name) => name.startsWith('workflow_'));
    // One that is broken is none; one that misses a tool is listed, and refused.
    expect(names).toEqual([
      'workflow_deploy',
      'workflow_outer',
      'workflow_query',
      'workflow_writer',
    ]);
    const shown = await ask(client, 'describe_tool', { name: 'workflow_query' });
    expect(shown).toMatchObject({
      kind: 'workflow',
      description: 'Only reads',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
    });
    expect(await ask(client, 'describe_tool', { name: 'workflow_writer' })).not.toHaveProperty(
      'annotations.readOnlyHint',
      true,
    );
  });

  it.each(Object.entries(HTTP_CLIENTS))('answers with its document: %s', async (_kind, open) => {
    const asking = await open(gateway.url);
    expect(await run('query', { n: 5 }, asking)).toEqual({ isError: false, n: 5 });
  });

  it('runs others as its steps', async () => {
    expect(await run('outer')).toEqual({ isError: false, n: 7, written: 2 });
  });
});

describe('while a workflow runs', () => {
  it('an edit changes the next run and not the current one', async () => {
    const spec = (version: number) => ({
      steps: [step('wait', 'x_box_gate', { file: gate('edit') })],
      output: { version },
    });
    directory.workflow('edited', spec(1));
    await retryAssertion(async () => {
      expect(await toolNames(client)).toContain('workflow_edited');
    });
    const running = run('edited');
    await started(`gate ${JSON.stringify({ file: gate('edit') })}`);
    directory.workflow('edited', { ...spec(2), description: 'The second version' });
    await retryAssertion(async () => {
      const shown = await ask(client, 'describe_tool', { name: 'workflow_edited' });
      expect(shown['description']).toBe('The second version');
    });
    directory.write('edit.gate', '');
    expect(await running).toEqual({ isError: false, version: 1 });
    expect(await run('edited')).toEqual({ isError: false, version: 2 });
  });

  it('a cancellation reaches the running call, skips further steps and runs the handlers', async () => {
    directory.workflow('hanging', {
      steps: [step('hang', 'x_frail_hang'), echo('never', 'never')],
      onFailure: [echo('handler', 'cleaned after a cancellation')],
    });
    await retryAssertion(async () => {
      expect(await toolNames(client)).toContain('workflow_hanging');
    });
    const cancelling = new AbortController();
    const call = { name: 'workflow_hanging', arguments: {} };
    const running = client.call('call_tool', call, { signal: cancelling.signal });
    running.catch(() => undefined);
    await retryAssertion(async () => {
      const list = await core('core_workflow_execution_list', { workflow_name: 'hanging' });
      expect(list['executions']).toMatchObject([{ status: 'inprogress' }]);
    });
    cancelling.abort('too slow');
    await expect(running).rejects.toThrow();
    await retryAssertion(async () => {
      expect(JSON.parse(await text('x_frail_cancelled'))).toHaveLength(1);
      const list = await core('core_workflow_execution_list', { workflow_name: 'hanging' });
      expect(list['executions']).toMatchObject([{ status: 'failed' }]);
    });
    expect(journalLines()).toContain('echo {"value":"cleaned after a cancellation"}');
    expect(journalLines()).not.toContain('echo {"value":"never"}');
  });

  it('progress goes to a caller that asked for it', async () => {
    directory.workflow('three', { steps: [echo('a', 1), echo('b', 2), echo('c', 3)] });
    await retryAssertion(async () => {
      expect(await toolNames(client)).toContain('workflow_three');
    });
    const reports: Progress[] = [];
    await client.call(
      'call_tool',
      { name: 'workflow_three' },
      { onProgress: (report) => reports.push(report) },
    );
    expect(reports.map(({ progress, total }) => [progress, total])).toEqual(
      expect.arrayContaining([
        [1, 3],
        [2, 3],
      ]),
    );
  });
});

describe('the core tools', () => {
  const definition = (value: number) => ({
    name: 'made',
    description: `Made by a tool, ${value.toString()}`,
    steps: [{ id: 'a', tool: 'x_box_echo', args: { value }, output: true }],
  });
  const file = join(directory.path, 'workflows/made.yaml');

  it('create a workflow that serves at once', async () => {
    expect(await text('core_workflow_create', definition(1))).toBe('Workflow created successfully');
    expect(await run('made')).toMatchObject({ steps: [{ id: 'a', result: 1 }] });
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      kind: 'Workflow',
      metadata: { name: 'made' },
    });
    expect(await text('core_workflow_create', definition(2))).toContain('already exists');
  });
});

describe('warnings', () => {
  it('about deprecated and inert flags are logged once for each version', async () => {
    const spec = {
      steps: [echo('a', 1, { store: true })],
      output: { a: '{{ .results.a }}' },
    };
    const warned = () =>
      gateway.logs().filter(({ level, msg }) => level === 'warn' && String(msg).includes('"old"'));
    directory.workflow('old', spec);
    await retryAssertion(() => {
      expect(warned()).toHaveLength(2);
    });
    directory.workflow('other', spec);
    directory.workflow('old', { ...spec, description: 'Another version' });
    await retryAssertion(() => {
      expect(warned()).toHaveLength(4);
    });
    // Found by the tool and again in the file that it writes.
    const given = { name: 'told', steps: [echo('a', 1, { store: true })] };
    expect(await text('core_workflow_create', given)).toMatch(
      /^Workflow created successfully\nWorkflow "told" uses the deprecated 'store' flag on: a\. /u,
    );
    expect(await run('told')).toMatchObject({ status: 'completed' });
    const lines = gateway.logs().filter(({ msg }) => String(msg).includes('"told"'));
    expect(lines).toHaveLength(1);
  });
});

describe('after a restart', () => {
  it('created workflows are served and earlier runs are listed', async () => {
    const runs = async () => {
      const { executions, ...rest } = await core<{
        executions: readonly { execution_id: string }[];
        total: number;
      }>('core_workflow_execution_list', { limit: 1000 });
      // Runs of one millisecond come in any order.
      const byId = new Map(executions.map((one) => [one.execution_id, one]));
      return { ...rest, executions: byId };
    };
    const before = await runs();
    expect(before.total).toBeGreaterThan(5);
    expect(await (await fetch(new URL('/metrics', gateway.url))).text()).toMatch(
      /^gateway_workflow_runs_total\{workflow="edited",outcome="completed"\} 2$/mu,
    );
    await client.close();
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    await start();
    expect(await runs()).toEqual(before);
    expect(await run('made')).toMatchObject({ status: 'completed' });
    for (const execution_id of [...before.executions.keys()].slice(0, 3))
      expect(await core('core_workflow_execution_get', { execution_id })).toMatchObject({
        execution_id,
      });
  });
});

describe('in native mode', () => {
  it('workflows are tools, like those of the servers', async () => {
    await client.close();
    await gateway.stop();
    gateway = await startGateway(directory.path, { args: ['--expose', 'native'] });
    client = await connect(gateway.url);
    const tools = await client.listTools();
    expect(tools.find(({ name }) => name === 'workflow_query')).toMatchObject({
      description: 'Only reads',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    });
    const scoped = await connect(gateway.url, { 'X-Gateway-Toolset': 'workflow:outer' });
    expect((await scoped.listTools()).map(({ name }) => name)).toEqual(['workflow_outer']);
    expect(JSON.parse(textOf(await scoped.call('workflow_outer')))).toMatchObject({ n: 7 });
    expect(textOf(await client.call('workflow_deploy'))).toBe(
      'workflow deploy is not available (missing required tools): x_missing_tool',
    );
  });
});
