import { retryAssertion } from '@gateway/repo-checks';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, callTool, textOf } from '../harness/answers.ts';
import { connect as connectClient, type TestClient } from '../harness/clients.ts';
import { REPOSITORY, startExample, type RunningExample } from '../harness/example-copy.ts';
import { setUp } from '../harness/lifetime.ts';
import { descendantsOf, isRunning } from '../harness/living-process.ts';

interface OpenApi {
  readonly paths: {
    readonly '/api/v1/agents': {
      readonly post: {
        readonly requestBody: {
          readonly content: { readonly 'application/json': { readonly example: object } };
        };
      };
    };
  };
  readonly components: { readonly schemas: object };
}

let example: RunningExample;

setUp(async () => {
  example = await startExample();
  await example.line((line) => line.startsWith('Or point any MCP client at'));
});

describe('node example/start.mjs', () => {
  it('prints the served addresses and five commands to try', () => {
    const lines = example.stdout.map((line) =>
      line
        .replaceAll(example.url, 'URL')
        .replaceAll(example.managerUrl, 'MANAGER')
        .replaceAll(example.portalUrl, 'PORTAL')
        .replace(/ready in \d+\.\d s/u, 'ready in N s')
        .trimEnd(),
    );
    expect(lines).toEqual([
      '',
      'Open the portal in a browser: PORTAL',
      '',
      'The gateway serves 100 tools of 6 servers at URL/mcp (ready in N s)',
      '',
      '  agent-manager    Connected  10 tools',
      '  everything       Running    17 tools',
      '  everything-http  Connected  17 tools',
      '  files            Running    14 tools',
      '  memory-home      Running    9 tools',
      '  memory-work      Running    9 tools',
      '',
      '  workflows: daily-note, digest, note-files',
      '  presets: read-only, none, full, agent-platform, assistant, demo, files-read-only, infrastructure, notes, observe',
      '  agents, over REST: MANAGER/api/v1/docs',
      '',
      'Five things to try, in a second terminal:',
      '',
      `  node apps/gateway/example/ask.mjs filter_tools '{"query":"search the notes"}' --url URL/mcp`,
      '  node apps/gateway/example/ask.mjs list_tools --toolset preset:demo --url URL/mcp',
      `  node apps/gateway/example/ask.mjs call_tool '{"name":"x_everything_get-sum","arguments":{"a":2,"b":3}}' --toolset preset:demo --url URL/mcp`,
      `  node apps/gateway/example/ask.mjs call_tool '{"name":"workflow_digest"}' --url URL/mcp`,
      `  node apps/gateway/example/ask.mjs call_tool '{"name":"x_agent-manager_create_agent","arguments":{"name":"scribe","modelConfig":"small","toolset":["preset:notes","server:files"]}}' --url URL/mcp`,
      '',
      'Or point any MCP client at URL/mcp. Stop with Ctrl+C.',
      '',
    ]);
  });

  it('serves the portal in front of the same gateway and agent-manager', async () => {
    const session = await fetch(new URL('session', example.portalUrl));
    const facts = (await session.json()) as { readonly token: string };
    expect(facts).toMatchObject({ signInRequired: false, hasAgentManager: true, hasMetrics: true });
    const headers = { 'x-portal-token': facts.token };
    const agents = await fetch(new URL('agent-manager/api/v1/agents', example.portalUrl), {
      headers,
    });
    expect(agents.status).toBe(200);
    expect((await fetch(new URL('metrics', example.portalUrl))).status).toBe(200);
    expect(await (await fetch(example.portalUrl)).text()).toContain('<base href="/"');
  });

  it('prints commands that work', () => {
    const commands = example.stdout.filter((line) => line.startsWith('  node '));
    const answers = commands.map((command) =>
      execFileSync('sh', ['-c', command], { cwd: REPOSITORY, encoding: 'utf8' }),
    );
    expect(answers[0]).toContain('"name": "x_memory_search_nodes"');
    expect(answers[1]).toContain('"name": "x_everything_get-sum"');
    expect(answers[1]).not.toContain('x_everything_get-env');
    expect(answers[2]).toBe('The sum of 2 and 3 is 5.\n');
    expect(JSON.parse(answers[3] ?? '')).toMatchObject({ files: ['todo.txt', 'welcome.md'] });
    expect(JSON.parse(answers[4] ?? '')).toMatchObject({
      agent: { name: 'scribe', namespace: 'default', toolset: ['preset:notes', 'server:files'] },
      created: { ociRepository: true, helmRelease: true },
    });
  });

  it('serves the same agents over REST and stores them as files', async () => {
    const answer = await fetch(`${example.managerUrl}/api/v1/agents/default/scribe`);
    expect(await answer.json()).toMatchObject({ name: 'scribe', managed: 'helmrelease' });
    const file = join(example.directory, 'agents/releases/default/scribe.yaml');
    expect(readFileSync(file, 'utf8')).toContain('- preset:notes\n');
  });

  it('creates the agent of the OpenAPI document, and has every preset that agent-manager names', async () => {
    const document = parse(
      await (await fetch(`${example.managerUrl}/api/v1/openapi.yaml`)).text(),
    ) as OpenApi;
    const { post } = document.paths['/api/v1/agents'];
    const body = post.requestBody.content['application/json'];
    const created = await fetch(`${example.managerUrl}/api/v1/agents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body.example),
    });
    expect([created.status, await created.json()]).toMatchObject([201, { agent: body.example }]);
    const named = JSON.stringify(document.components.schemas).matchAll(/preset:([a-z-]+)/gu);
    const client = await connectClient(new URL(example.url));
    const { presets } = await ask(client, 'filter_tools', { limit: 1, include_presets: true });
    await client.close();
    const names = (presets as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...named].map(([, name]) => name)));
    expect(names).toContain('infrastructure');
  });

  it('has a preset for every kind of rule, which selects the documented tools', async () => {
    const client = await connectClient(new URL(example.url));
    const select = async (preset: string) => {
      const args = { toolset: [`preset:${preset}`], limit: 1 };
      return (await ask(client, 'filter_tools', args))['total'];
    };
    expect(await select('notes')).toBe(6);
    expect(await select('files-read-only')).toBe(10);
    expect(await select('assistant')).toBe(21);
    expect(await select('observe')).toBe(37);
    await client.close();
  });

  it('exposes its remote server to this machine only, without the environment of the parent process', async () => {
    const command = ['apps/gateway/example/ask.mjs', 'call_tool', '{"name":"x_remote_get-env"}'];
    const env = { ...process.env, GATEWAY_URL: `${example.url}/mcp` };
    const text = execFileSync('node', command, { cwd: REPOSITORY, encoding: 'utf8', env });
    expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(['PATH', 'PORT']);
    // A server that listens on every address would answer at this one too.
    const elsewhere = connect({ host: '127.0.0.2', port: example.remotePort });
    await expect(once(elsewhere, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('names the program that uses its port and the option that changes it, and starts nothing', async () => {
    const second = example.again();
    expect(await second.exited).toEqual({ code: 2, signal: null });
    const { port } = new URL(example.url);
    expect(second.stdout).toEqual([]);
    expect(second.stderr.map((line) => line.replace(/process \d+/u, 'process N'))).toEqual([
      `The gateway cannot use port ${port}: node (process N) uses it. Choose another port: npm start -- --port ${String(Number(port) + 1)}`,
    ]);
  });
});

describe('node example/start.mjs, when other ports are in use,', () => {
  it('names who uses them, and uses servers of its own at free ports', async () => {
    const second = example.again(['--port', '0']);
    await second.line((line) => line.startsWith('Five things to try'));
    const notes = second.stderr
      .filter((line) => !/^\d\d:\d\d:\d\d /u.test(line))
      .map((line) => line.replace(/process \d+/u, 'process N'));
    expect(notes.slice(0, 3)).toEqual(others());
    expect(notes[3]).toMatch(
      /^The files of the example name other ports: the gateway serves a copy/u,
    );
    const [, manager = ''] = /over REST: (http\S+)\/api/u.exec(second.stdout.join('\n')) ?? [];
    expect(manager).not.toBe(example.managerUrl);
    await second.line((line) => /^ {2}agent-manager {4}Connected/u.test(line));
    await second.line((line) => /^ {2}everything-http {2}Connected/u.test(line));
    expect(await second.stop()).toEqual({ code: 0, signal: null });
  });

  it('refuses a given port that is in use', async () => {
    const port = String(example.remotePort);
    const second = example.again(['--port', '0', '--remote-port', port]);
    expect(await second.exited).toEqual({ code: 2, signal: null });
    expect(second.stderr.join('\n')).toMatch(
      new RegExp(
        `^Port ${port} of --remote-port is used by node \\(process \\d+\\); choose another one\\.$`,
        'u',
      ),
    );
  });
});

/** The sentences about the ports of the first example. */
const others = (): readonly string[] => [
  `Port ${new URL(example.managerUrl).port} is used by node (process N): agent-manager uses a free port (--agents-port sets it).`,
  `Port ${String(example.remotePort)} is used by node (process N): the remote server uses a free port (--remote-port sets it).`,
  `Port ${new URL(example.portalUrl).port} is used by node (process N): the portal uses a free port (--portal-port sets it).`,
];

describe('the workflows of the example', () => {
  let client: TestClient;

  beforeAll(async () => {
    client = await connectClient(new URL(example.url));
  });

  const run = async (name: string, args = {}) => {
    const answer = await callTool(client, `workflow_${name}`, args);
    const { execution_id, ...document } = JSON.parse(textOf(answer)) as Record<string, unknown>;
    expect(execution_id).toMatch(/^[0-9a-f-]{36}$/u);
    return { isError: answer.isError ?? false, ...document };
  };

  const TODO = [
    'read docs/quick-start.md',
    'narrow a request with X-Gateway-Toolset',
    'write a preset of your own',
  ];

  it('digest returns the existing notes', async () => {
    expect(await run('digest')).toEqual({
      isError: false,
      todo: TODO,
      files: ['todo.txt', 'welcome.md'],
      graph: 'memory-home',
      notes: 0,
    });
  });

  it('note-files notes each file once', async () => {
    const files = [
      { name: 'welcome.md', entityType: 'file', observations: ['# Welcome'] },
      { name: 'todo.txt', entityType: 'file', observations: ['- read docs/quick-start.md'] },
    ];
    const rest = { isError: false, graph: 'memory-home', files };
    expect(await run('note-files')).toEqual({ ...rest, known: 0, noted: 2 });
    expect(await run('note-files')).toEqual({ ...rest, known: 2, noted: 0 });
  });

  it('daily-note runs digest and stores the result', async () => {
    expect(await run('daily-note', { day: '2026-07-28' })).toEqual({
      isError: false,
      workflow: 'daily-note',
      status: 'completed',
      input: { day: '2026-07-28', graph: 'memory-work' },
      steps: [
        {
          id: 'digest',
          tool: 'workflow_digest',
          status: 'completed',
          result: {
            todo: TODO,
            files: ['todo.txt', 'welcome.md'],
            graph: 'memory-work',
            notes: 0,
            execution_id: expect.any(String) as string,
          },
        },
        { id: 'note', tool: 'x_memory_create_entities', status: 'completed' },
      ],
      template_vars: ['input.graph', 'input.day'],
    });
    const note = { graph: 'memory-work', names: ['2026-07-28'] };
    expect(JSON.parse(textOf(await callTool(client, 'x_memory_open_nodes', note)))).toMatchObject({
      entities: [{ entityType: 'day', observations: ['3 things to do', '2 files'] }],
    });
  });
});

describe('node example/start.mjs, at shutdown,', () => {
  it('stops cleanly on SIGTERM and leaves no process', async () => {
    const family = descendantsOf(example.child.pid ?? 0);
    // The gateway, agent-manager, the remote server, and the four servers over stdio.
    expect(family.length).toBeGreaterThanOrEqual(7);
    const start = performance.now();
    expect(await example.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(5_000);
    for (const pid of family)
      await retryAssertion(() => {
        expect(isRunning(pid)).toBe(false);
      });
    const complaints = example.stderr.filter((line) => !/^\d\d:\d\d:\d\d info /u.test(line));
    expect(complaints.filter((line) => !line.includes('/workflows/broken.yaml:'))).toEqual([]);
  });
});

describe('node example/start.mjs, when it is killed,', () => {
  it('leaves no process', async () => {
    const killed = await startExample();
    await killed.line((line) => line.startsWith('Or point any MCP client at'));
    const family = descendantsOf(killed.child.pid ?? 0);
    expect(family.length).toBeGreaterThanOrEqual(7);
    await killed.stop('SIGKILL');
    for (const pid of family)
      await retryAssertion(() => {
        expect(isRunning(pid)).toBe(false);
      });
  });
});

describe('node example/start.mjs --expose native', () => {
  it('prints the endpoint and a command that works', async () => {
    const native = await startExample(['--expose', 'native']);
    try {
      await native.line((line) => line.startsWith('Or point any MCP client at'));
      const [command = '', ...more] = native.stdout.filter((line) => line.startsWith('  node '));
      expect(more).toEqual([]);
      expect(execFileSync('sh', ['-c', command], { cwd: REPOSITORY, encoding: 'utf8' })).toBe(
        'The sum of 2 and 3 is 5.\n',
      );
      expect(native.stdout[1]?.replace(native.url, 'URL').replace(/\d+\.\d s/u, 'N s')).toBe(
        "The gateway serves its servers' own tools, resources and prompts at URL/mcp (ready in N s)",
      );
    } finally {
      await native.stop();
    }
  });
});
