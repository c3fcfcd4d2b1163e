import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ask, callTool, refusalOf, textOf, toolNames } from './harness/answers.ts';
import { connect, HTTP_CLIENTS, type Progress, type TestClient } from './harness/clients.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';

const directory = createTestConfigDirectory();
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

const metricsText = async (): Promise<string> =>
  (await fetch(new URL('/metrics', gateway.url))).text();

const start = async (): Promise<void> => {
  gateway = await startGateway(directory.path);
  client = await connect(gateway.url);
};

beforeAll(async () => {
  directory.config({
    workflows: { executionsDirectory: 'runs', toolTimeoutSeconds: 3, maxDepth: 3 },
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

afterAll(async () => {
  await client.close();
  await gateway.stop();
  directory.remove();
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
    await asking.close();
  });

  it('answers without a template with what each step did', async () => {
    expect(await run('writer')).toEqual({
      isError: false,
      workflow: 'writer',
      status: 'completed',
      input: {},
      steps: [
        { id: 'a', tool: 'x_box_echo', status: 'completed', result: 1 },
        { id: 'b', tool: 'x_box_write', status: 'completed' },
      ],
      template_vars: [],
      written: 2,
    });
  });

  it('runs others as its steps', async () => {
    expect(await run('outer')).toEqual({ isError: false, n: 7, written: 2 });
  });

  it('that calls itself is refused with the chain', async () => {
    directory.workflow('loop', { steps: [step('again', 'workflow_loop')] });
    await retryAssertion(async () => {
      expect(await run('loop')).toMatchObject({
        isError: true,
        error: expect.stringContaining('loop -> loop') as string,
      });
    });
  });

  it('is refused when a required tool is missing, and leaves no record', async () => {
    expect(await refusalOf(client, 'call_tool', { name: 'workflow_deploy' })).toBe(
      'workflow deploy is not available (missing required tools): x_missing_tool',
    );
    expect(await refusalOf(client, 'call_tool', { name: 'workflow_nobody' })).toBe(
      'Tool not found: workflow_nobody',
    );
    const { total } = await core('core_workflow_execution_list', { workflow_name: 'deploy' });
    expect(total).toBe(0);
    expect(await core('core_workflow_available', { name: 'deploy' })).toEqual({
      name: 'deploy',
      available: false,
      missing: ['x_missing_tool'],
    });
  });

  it('is listed with its problems when it is invalid, and does not affect others', async () => {
    const { workflows } = await core<{ workflows: readonly { name: string }[] }>(
      'core_workflow_list',
    );
    expect(workflows.map(({ name }) => name)).toContain('broken');
    const shown = await text('core_workflow_get', { name: 'broken' });
    expect(shown).toContain('{{ env .input.x }}');
    const logged = gateway.logs().filter(({ level }) => level === 'error');
    expect(logged.map(({ msg }) => msg)).toEqual([
      `${directory.path}/workflows/broken.yaml:8:15: spec.steps[0].args.value: template line 1, column 4: function "env" not defined`,
    ]);
  });
});

describe('under a toolset', () => {
  const under = (toolset: string) => connect(gateway.url, { 'X-Gateway-Toolset': toolset });

  it('of read-only tools, the read-only workflow is listed', async () => {
    const scoped = await under('preset:read-only');
    const names = (await toolNames(scoped)).filter((name) => name.startsWith('workflow_'));
    expect(names).toEqual(['workflow_query']);
    await scoped.close();
  });

  it('that selects only the workflow, it runs although its tools are outside', async () => {
    const scoped = await under('workflow:writer');
    expect(await toolNames(scoped)).toEqual(['workflow_writer']);
    expect(await run('writer', {}, scoped)).toMatchObject({ status: 'completed' });
    expect(await refusalOf(scoped, 'call_tool', { name: 'x_box_write' })).toBe(
      'tool "x_box_write" is outside the toolset [workflow:writer]',
    );
    await scoped.close();
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

  it('a tool that does not answer in time fails its step', async () => {
    directory.workflow('slow', { steps: [step('hang', 'x_box_hang')] });
    await retryAssertion(async () => {
      expect(await run('slow')).toMatchObject({
        isError: true,
        status: 'failed',
        error: 'step hang failed: the tool did not answer within 3 s',
      });
    });
  });

  it('a server that dies during a loop ends the loop, and the handlers run', async () => {
    directory.workflow('meal', {
      args: { values: { type: 'array', required: true } },
      steps: [
        {
          id: 'each',
          forEach: {
            items: '{{ .input.values }}',
            steps: [step('eat', 'x_frail_eat', { value: '{{ .vars.item }}' })],
          },
        },
      ],
      onFailure: [echo('tell', 'the meal is over', { output: true })],
    });
    await retryAssertion(async () => {
      expect(await toolNames(client)).toContain('workflow_meal');
    });
    const document = await run('meal', { values: ['bread', 'poison', 'cake'] });
    expect(document).toMatchObject({
      isError: true,
      status: 'failed',
      error: expect.stringContaining('connection to server frail was lost') as string,
      steps: [
        { id: 'eat', status: 'completed' },
        { id: 'eat', status: 'failed' },
        { id: 'tell', status: 'completed', result: '"the meal is over"' },
      ],
    });
    expect(document['steps']).toHaveLength(3);
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

  it('update it: one of two concurrent updates takes effect', async () => {
    const updates = await Promise.all(
      [3, 4, 5, 6].map((value) => text('core_workflow_update', definition(value))),
    );
    expect(new Set(updates)).toEqual(new Set(["Workflow 'made' updated successfully"]));
    const { spec } = parse(readFileSync(file, 'utf8')) as {
      spec: { description: string; steps: readonly { args: { value: number } }[] };
    };
    const value = spec.steps[0]?.args.value ?? 0;
    expect([3, 4, 5, 6]).toContain(value);
    expect(spec.description).toBe(`Made by a tool, ${value.toString()}`);
    expect(await run('made')).toMatchObject({ steps: [{ id: 'a', result: value }] });
  });

  it('delete it', async () => {
    await text('core_workflow_create', { ...definition(7), name: 'gone' });
    expect(await text('core_workflow_delete', { name: 'gone' })).toBe(
      "Workflow 'gone' deleted successfully",
    );
    expect(existsSync(join(directory.path, 'workflows/gone.yaml'))).toBe(false);
    expect(await refusalOf(client, 'call_tool', { name: 'workflow_gone' })).toBe(
      'Tool not found: workflow_gone',
    );
  });

  it('show runs, newest first, with every step', async () => {
    await run('query', { n: 41 });
    await run('query', { n: 42 });
    const { executions } = await core<{
      executions: readonly { execution_id: string; status: string; step_count: number }[];
    }>('core_workflow_execution_list', { workflow_name: 'query', limit: 2 });
    expect(executions).toMatchObject([
      { status: 'completed', step_count: 2 },
      { status: 'completed', step_count: 2 },
    ]);
    const shown = await core('core_workflow_execution_get', {
      execution_id: executions[0]?.execution_id,
    });
    expect(shown).toMatchObject({
      workflow_name: 'query',
      status: 'completed',
      input: { n: 42 },
      steps: [
        { step_id: 'a', tool: 'x_box_echo', input: { value: { n: 42 } }, result: { n: 42 } },
        { step_id: 'b', tool: 'core_workflow_list' },
      ],
    });
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

describe('metrics', () => {
  it('count runs by workflow and outcome, and steps by status', async () => {
    const page = await metricsText();
    expect(page).toMatch(/^gateway_workflow_runs_total\{workflow="meal",outcome="failed"\} 1$/mu);
    expect(page).toMatch(
      /^gateway_workflow_runs_total\{workflow="edited",outcome="completed"\} 2$/mu,
    );
    expect(page).toMatch(/^gateway_workflow_duration_seconds_count\{workflow="edited"\} 2$/mu);
    expect(page).toMatch(/^gateway_workflow_steps_total\{status="failed"\} [1-9]/mu);
    expect(page).not.toContain('workflow="deploy"');
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
    expect(before.total).toBeGreaterThan(15);
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
    await scoped.close();
    expect(textOf(await client.call('workflow_deploy'))).toBe(
      'workflow deploy is not available (missing required tools): x_missing_tool',
    );
  });
});
