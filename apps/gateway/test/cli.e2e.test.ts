import { retryAssertion } from '@gateway/repo-checks';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BufferedIoOptions } from '@gateway/gateway-cli';
import { runCommand, type CommandRun } from './harness/cli.ts';
import { fixture } from './harness/fixture.ts';
import { findFreePort } from '@gateway/test-peers';
import { runGateway, startGateway, type RunningGateway } from './harness/gateway.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';

const directory = testDirectory();
const family = { name: 'kin', instanceArg: 'which' };
const journal = join(directory.path, 'journal');
let gateway: RunningGateway;

setUp(async () => {
  directory.server('demo', { ...fixture('plain'), description: 'a demo' }, { team: 'demo' });
  directory.server('kin-a', { ...fixture('workflow'), family });
  const env = { JOURNAL: journal };
  directory.server('kin-b', { ...fixture('workflow', { env }), family });
  directory.server('far', { type: 'streamable-http', url: 'http://127.0.0.1:9/mcp' });
  directory.workflow('greet', {
    description: 'says it',
    args: { tone: { type: 'string' }, text: { type: 'string', required: true } },
    steps: [{ id: 'say', tool: 'x_demo_echo', args: { text: '{{ .input.text }}' } }],
    output: { said: '{{ .results.say }}' },
  });
  directory.config({
    toolsetPresets: {
      talk: { include: [{ label: 'team=demo' }], exclude: [{ pattern: '*_hang' }] },
    },
  });
  gateway = await startGateway(directory.path);
});

/** Runs a command against the gateway. */
const ask = (args: readonly string[], world?: BufferedIoOptions): Promise<CommandRun> =>
  runCommand([...args, '--url', gateway.url.href], world);

const json = async (...args: readonly string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await ask([...args, '--output', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe('gateway tools', () => {
  it('lists, searches and filters by toolset', async () => {
    const { stdout } = await ask(['tools', 'list', '--pattern', 'x_demo_*e[ct]*']);
    expect(stdout.split('\n')).toEqual([
      'NAME         KIND  SERVER  HINT  SUMMARY',
      'x_demo_echo  tool  demo          The tool echo',
      'x_demo_meta  tool  demo          The tool meta',
      '',
    ]);
    expect(await json('tools', 'list', '--toolset', 'tool:x_demo_pid')).toEqual([
      {
        name: 'x_demo_pid',
        summary: 'The tool pid',
        server: 'demo',
        kind: 'tool',
        signature: '',
      },
    ]);
    expect(await json('tools', 'list', '--query', 'workflow', '--limit', '2')).toHaveLength(2);
    const none = { code: 0, stdout: 'no tools\n', stderr: '' };
    expect(await ask(['tools', 'list', '--toolset', 'preset:none'])).toEqual(none);
    expect(await ask(['tools', 'list', '--query', 'zzzqqq'])).toEqual(none);
    expect(await ask(['tools', 'list', '--query', 'xworgflowx'])).toEqual({
      ...none,
      stdout: 'no tools; the closest word is workflow\n',
    });
  });

  it('describes a tool with its arguments', async () => {
    const { stdout } = await ask(['tools', 'describe', 'x_kin_write']);
    expect(stdout).toMatch(/^x_kin_write {2}tool, kin\n/u);
    expect(stdout).toMatch(/^which +kin-a\|kin-b +yes/mu);
  });

  it('calls a tool and exits with its outcome', async () => {
    expect(await ask(['tools', 'call', 'x_demo_echo', 'text=007'])).toEqual({
      code: 0,
      stdout: '007\n',
      stderr: '',
    });
    const failed = ['tools', 'call', 'x_kin_fail', '--json', '{"which":"kin-a","text":"no luck"}'];
    expect(await ask(failed)).toEqual({ code: 1, stdout: '', stderr: 'no luck\n' });
    const asJson = await ask([...failed, '--output', 'json']);
    expect(asJson).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(asJson.stdout)).toMatchObject({ isError: true });
  });

  it.each([
    [['tools', 'call', 'x_demo_ecko'], 'x_demo_echo'],
    [['tools', 'call', 'x_demo_ecko', 'text=a'], 'x_demo_echo'],
    [['tools', 'describe', 'x_demo_ecko'], 'x_demo_echo'],
    [['servers', 'get', 'dmeo'], 'demo'],
    [['servers', 'restart', 'demmo'], 'demo'],
  ])('names the similar name when there is none: %j', async (words, similar) => {
    const { code, stderr } = await ask(words);
    expect(code).toBe(1);
    expect(stderr).toContain(`\nDid you mean ${similar}?\n`);
  });

  it('shows progress on stderr only', async () => {
    const piped = await ask(['tools', 'call', 'x_demo_progress']);
    expect(piped).toEqual({
      code: 0,
      stdout: 'done\n',
      stderr: 'progress: 0.5\nprogress: 1/3\nprogress: 3/3 almost\n',
    });
    const { stderr } = await ask(['tools', 'call', 'x_demo_progress'], { terminal: 80 });
    expect(stderr).toContain('\r\u001B[K0 s  3/3 almost');
    expect(stderr.endsWith('\r\u001B[K')).toBe(true);
  });

  it('cancels the call when it is interrupted', async () => {
    const controller = new AbortController();
    const running = ask(['tools', 'call', 'x_kin_hang', 'which=kin-b'], {
      interrupted: controller.signal,
    });
    await retryAssertion(() => {
      expect(readFileSync(journal, 'utf8')).toContain('hang');
    });
    controller.abort();
    expect(await running).toEqual({
      code: 130,
      stdout: '',
      stderr: 'gateway: interrupted; the call was cancelled\n',
    });
    await retryAssertion(async () => {
      const { stdout } = await ask(['tools', 'call', 'x_kin_cancelled', 'which=kin-b']);
      expect(JSON.parse(stdout)).toHaveLength(1);
    });
  });

  it('fails after --timeout', async () =>
    expect(
      await ask(['tools', 'call', 'x_kin_hang', '--json', '{"which":"kin-a"}', '--timeout', '1']),
    ).toEqual({
      code: 1,
      stdout: '',
      stderr: 'gateway: no answer in time; --timeout <seconds> sets how long to wait\n',
    }));
});

describe('gateway toolset', () => {
  it('shows the rule that selects each tool, the tools that are excluded and the selectors without a match', async () => {
    const { code, stdout } = await ask([
      'toolset',
      'explain',
      'preset:talk, server:kin-a,server:x',
    ]);
    expect(code).toBe(0);
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/gu, ' | '));
    expect(lines).toContain('x_demo_echo | preset:talk > talk include[0] label: team=demo');
    expect(lines).toContain('x_kin_echo | server:kin-a');
    expect(lines).toContain(
      'x_demo_hang | preset:talk | taken out by talk exclude[0] pattern: *_hang',
    );
    expect(stdout).toContain('selectors that match nothing\n  server:x\n');
    expect(stdout).toContain('server:kin-a names a member of the family kin');
  });

  it('refuses with the text of the grammar', async () =>
    expect(await ask(['toolset', 'explain', 'servers:demo'])).toMatchObject({
      code: 1,
      stderr:
        'gateway: toolset [servers:demo] selector "servers:demo" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>\n',
    }));

  it('lists the presets', async () => {
    const { stdout } = await ask(['toolset', 'presets']);
    expect(stdout).toMatch(/^talk +config\.yaml/mu);
    expect(stdout).toMatch(/^none +built in +No tools$/mu);
  });
});

describe('gateway workflow', () => {
  it('lists the workflows, runs one and prints its document', async () => {
    expect((await ask(['workflow', 'list'])).stdout).toBe(
      'NAME   AVAILABLE  DESCRIPTION\ngreet  yes        says it\n',
    );
    const { code, stdout } = await ask(['workflow', 'run', 'greet', 'text=hello']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('hello');
    expect(
      await ask(['workflow', 'run', 'workflow_greet', '--json', '-'], { stdin: '{}' }),
    ).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('gateway servers', () => {
  it('lists, shows and controls them', async () => {
    const { stdout } = await ask(['servers']);
    expect(stdout).toMatch(/^demo +stdio +Running +8 +a demo$/mu);
    const coloured = await ask(['servers', 'list'], { terminal: 120 });
    expect(coloured.stdout).toContain('\u001B[32mRunning');
    const shown = (await ask(['servers', 'get', 'demo'])).stdout;
    expect(shown).toMatch(/^state +Running$/mu);
    expect(shown).toMatch(
      /^CONDITION +STATUS +REASON +SINCE +MESSAGE\nReady +True +Running +\S+ +The server answers requests\.$/mu,
    );
    expect(shown).not.toContain('{\n');
    expect(await ask(['servers', 'stop', 'kin-b'])).toEqual({
      code: 0,
      stdout: "Successfully stopped service 'kin-b'\n",
      stderr: '',
    });
    expect(await json('servers', 'get', 'kin-b')).toMatchObject({ state: 'Stopped' });
    expect((await ask(['servers', 'start', 'kin-b'])).code).toBe(0);
    expect(await ask(['servers', 'restart', 'nobody'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('are named with their state by a tool that they serve while they are down', async () => {
    const describeTool = async () => (await ask(['tools', 'describe', 'x_demo_pid'])).stdout;
    expect(await describeTool()).toMatch(/^x_demo_pid {2}tool, demo\n\nThe tool pid\n/u);
    await ask(['servers', 'stop', 'demo']);
    expect(await describeTool()).toMatch(
      /^x_demo_pid {2}tool, demo\nnot available: server demo is Stopped\n\nThe tool pid\n/u,
    );
    await ask(['servers', 'start', 'demo']);
    await retryAssertion(async () => {
      expect(await describeTool()).toMatch(/^x_demo_pid {2}tool, demo\n\n/u);
    });
  });

  it.each([[[]], [['--follow']]])('have no lines of a remote server: %j', async (options) => {
    const { code, stderr } = await ask(['servers', 'logs', 'far', ...options]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'far is a remote server (streamable-http): the gateway does not start it, and cannot read its stderr\n',
    );
  });
});

it('gateway export refuses a malformed selector with the text of the grammar', async () => {
  const refused = await runCommand(['export', 'cursor', '--toolset', 'server:demo,presets:x']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^gateway: --toolset: .*"presets:x"/u);
});

describe('gateway events', () => {
  it('shows events, newest last', async () => {
    const { stdout } = await ask(['events', '--kind', 'mcpserver', '--name', 'demo']);
    expect(stdout).toMatch(/^TIME +TYPE +OBJECT +REASON +MESSAGE\n/u);
    expect(stdout).toMatch(
      /Normal +MCPServer\/demo +MCPServerStarted +MCPServer demo service started successfully/u,
    );
    expect(await ask(['events', '--name', 'nobody'])).toMatchObject({ stdout: 'no events\n' });
    expect(await ask(['events', '--since', 'soon'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('follows until it is interrupted', async () => {
    const controller = new AbortController();
    let printed = '';
    const following = ask(['events', '--follow', '--limit', '1', '--output', 'json'], {
      interrupted: controller.signal,
      onStdout: (text) => {
        printed += text;
      },
    });
    await retryAssertion(() => {
      expect(printed).not.toBe('');
    });
    await ask(['servers', 'restart', 'kin-a']);
    await retryAssertion(() => {
      expect(printed).toContain('MCPServerRestarting');
    });
    controller.abort();
    const { code, stdout } = await following;
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(events).toContainEqual(
      expect.objectContaining({ resource_name: 'kin-a', reason: 'MCPServerRestarting' }),
    );
  });
});

it.each([
  ['tool-arguments', 'core_service_status', 'name=\nlogLines=\n'],
  ['workflow-arguments', 'greet', 'text=\ntone=\n'],
  ['tool-arguments', 'x_demo_none', ''],
])(
  'gateway names %s %s prints arguments for completion, required ones first',
  async (kind, name, stdout) => {
    expect(await ask(['names', kind, name])).toEqual({ code: 0, stdout, stderr: '' });
  },
);

describe('without a gateway', () => {
  it('prints the URL and how to start a gateway', async () => {
    const url = `http://127.0.0.1:${String(await findFreePort())}/mcp`;
    expect(await runCommand(['tools', 'list', '--url', url])).toEqual({
      code: 1,
      stdout: '',
      stderr: `gateway: no gateway answers at ${url} (ECONNREFUSED).
Start one with:      gateway serve --config-dir <dir>
Or name another by:  --url <url>, or the environment variable GATEWAY_URL
`,
    });
  });

  it('reports an endpoint that is not a gateway', async () => {
    const wrong = new URL('/nothing', gateway.url).href;
    expect((await runCommand(['servers', '--url', wrong])).stderr).toBe(
      `gateway: ${wrong} answers HTTP 404: there is no MCP endpoint at this address; the path of a gateway is /mcp\n`,
    );
    const server = createServer((socket) => socket.end('SSH-2.0-x\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const other = await runCommand(['servers', '--url', `http://127.0.0.1:${String(port)}`]);
    server.close();
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain(`no gateway answers at http://127.0.0.1:${String(port)}/mcp (`);
  });

  it.each(['ftp://127.0.0.1/mcp', 'localhost', 'http://a:b@127.0.0.1/mcp'])(
    'refuses the address %s',
    async (url) => {
      const { code, stderr } = await runCommand(['servers', '--url', url]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^gateway: --url: It must/u);
    },
  );
});

it('the process reads the address from GATEWAY_URL and prints valid JSON', async () => {
  const env = { ...process.env, GATEWAY_URL: gateway.url.href };
  const { code, stdout } = await runGateway(['servers', '--output', 'json'], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout.join('\n'))).toHaveLength(4);
});
