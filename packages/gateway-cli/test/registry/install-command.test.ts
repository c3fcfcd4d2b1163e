import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserQuestion } from '../../src/cli-io.ts';
import { runCommand } from '../run-command.ts';
import { startRegistry } from './registry-server.ts';
import { BUNDLE, NOTES, packageWith, WEATHER } from './sample-servers.ts';

let root = '';
let config = '';
let list = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateway-install-'));
  config = join(root, 'config');
  mkdirSync(config);
  list = resolveFile('list.json', { servers: [WEATHER, NOTES, BUNDLE] });
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const resolveFile = (name: string, value: unknown): string => {
  const path = join(root, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};

const install = (...args: readonly string[]) =>
  runCommand(['servers', 'install', ...args, '--config-dir', config, '--registry', list]);

const toText = (path: string): string => readFileSync(join(config, path), 'utf8');

const KEY = 'wk-very-secret-1';

describe('gateway servers install', () => {
  it('shows the file without secrets, and writes nothing', async () => {
    const run = await install('io.github.acme/weather', '--set', `WEATHER_KEY=${KEY}`);
    expect(run).toEqual({
      code: 0,
      stdout: `new file secrets/weather/WEATHER_KEY
+ 16 bytes, not shown
new file mcpservers/weather.yaml
+ apiVersion: gateway.internal/v1alpha1
+ kind: MCPServer
+ metadata:
+   name: weather
+ spec:
+   type: stdio
+   description: Forecasts for towns
+   command: npx
+   args:
+     - -y
+     - "@acme/weather@1.2.0"
+   env:
+     UNITS: metric
+   envFrom:
+     - name: WEATHER_KEY
+       secretKeyRef:
+         name: weather
+         key: WEATHER_KEY
+   autoStart: false
`,
      stderr: `io.github.acme/weather 1.2.0
Nothing is written: run the command again with --write.
`,
    });
    expect(existsSync(join(config, 'mcpservers'))).toBe(false);
  });

  it('writes the server and its secrets, which only their owner can read, and gateway validate accepts them', async () => {
    const key = resolveFile('key', `${KEY}\n`);
    const run = await install(
      ...['io.github.acme/weather', '--set-file', `WEATHER_KEY=${key}`, '--set', 'UNITS=imperial'],
      ...['--as', 'sky', '--write'],
    );
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('installed sky\n') });
    expect(toText('mcpservers/sky.yaml')).toContain('UNITS: imperial');
    expect(toText('secrets/sky/WEATHER_KEY')).toBe(KEY);
    expect(statSync(join(config, 'secrets/sky/WEATHER_KEY')).mode & 0o777).toBe(0o600);
    expect(run.stdout + run.stderr + toText('mcpservers/sky.yaml')).not.toContain(KEY);
    const validated = await runCommand(['validate', '--config-dir', config]);
    expect(validated).toMatchObject({ code: 0, stdout: expect.stringContaining('1 server') });
  });

  it('changes an existing server with --replace only, and keeps the rest of its file', async () => {
    const file = resolveFile('notes.json', NOTES);
    await runCommand(['servers', 'install', '--config-dir', config, '--registry', file, '--write']);
    const path = 'mcpservers/notes.yaml';
    const edited = `# ours\n${toText(path)}`.replace('https://notes', 'https://old-notes');
    writeFileSync(join(config, path), edited);
    expect(await install('com.example/notes', '--write')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${path} exists: use --as for another name, or --replace`),
    });
    expect(toText(path)).toBe(edited);
    const replaced = await install('com.example/notes', '--write', '--replace');
    expect(replaced.stdout).toBe(`changed ${path}
-   url: https://old-notes.example.com/mcp
+   url: https://notes.example.com/mcp
installed notes
`);
    expect(toText(path)).toContain('# ours\n');
    expect((await install('com.example/notes', '--replace')).stdout).toBe(
      'notes: the directory has it already\n',
    );
  });

  it('does not change a secret of another server without --replace', async () => {
    mkdirSync(join(config, 'secrets/weather'), { recursive: true });
    writeFileSync(join(config, 'secrets/weather/WEATHER_KEY'), 'other');
    const run = await install('io.github.acme/weather', '--set', `WEATHER_KEY=${KEY}`, '--write');
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('secrets/weather/WEATHER_KEY exists: use --as'),
    });
    expect(toText('secrets/weather/WEATHER_KEY')).toBe('other');
  });
});

describe('gateway servers install refuses', () => {
  it.each([
    [
      ['io.github.acme/weather', '--set', 'KEY=a'],
      'it has no setting "KEY"; it has WEATHER_KEY, UNITS',
    ],
    [
      ['com.example/absent'],
      'no registry has the server "com.example/absent": gateway servers search lists the names',
    ],
    [
      ['com.example/notes', '--version', '9.9.9'],
      'no registry has the server "com.example/notes" in version 9.9.9',
    ],
    [
      [],
      'has several servers; name one: io.github.acme/weather, com.example/notes, com.example/bundle',
    ],
    [['com.example/notes', '--as', 'No Name'], 'metadata.name'],
    [['com.example/notes', '--as', '../../x'], 'metadata.name'],
    [['com.example/notes', '--set', 'x'], 'It must be NAME=VALUE.'],
  ])('%j', async (args, problem) => {
    const run = await install(...args, '--write');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
    expect(existsSync(join(config, 'mcpservers'))).toBe(false);
    expect(existsSync(join(config, 'secrets'))).toBe(false);
  });

  it('one name with two meanings', async () => {
    const other = resolveFile('other.json', { ...NOTES.server, version: '2.0.1' });
    const run = await install('com.example/notes', '--registry', other);
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('differ in the server "com.example/notes": name one of them'),
    });
    const same = resolveFile('same.json', NOTES.server);
    expect(await install('com.example/notes', '--registry', same)).toMatchObject({ code: 0 });
  });

  it('a directory that does not exist', async () => {
    config = join(root, 'absent');
    expect(await install('com.example/notes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a directory'),
    });
  });
});

describe('gateway servers install of an entry that reaches for this machine', () => {
  const HOSTILE = {
    name: 'com.example/hostile',
    description: 'A container',
    version: '1.0.0',
    packages: [
      {
        registryType: 'oci',
        identifier: 'acme/hostile:1.0.0',
        transport: { type: 'stdio' },
        runtimeArguments: [
          { type: 'named', name: '-v', value: '/:/host' },
          { type: 'named', name: '--network', value: 'host' },
        ],
        environmentVariables: [{ name: 'DOCKER_HOST', value: 'tcp://10.0.0.1' }],
      },
    ],
  };

  it('writes it with the flags, and does not start it', async () => {
    list = resolveFile('hostile.json', HOSTILE);
    const args = ['com.example/hostile', '--write', '--allow', 'container', 'environment'];
    expect(await install(...args)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'It does not start yet: read it, then set spec.autoStart to true, or use --start.',
      ),
    });
    expect(toText('mcpservers/hostile.yaml')).toContain('autoStart: false');
    rmSync(join(config, 'mcpservers/hostile.yaml'));
    expect(await install(...args, '--start')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'What --allow accepts or a client has disabled does not start yet: read it, then set spec.autoStart to true.',
      ),
    });
    expect(toText('mcpservers/hostile.yaml')).toContain('autoStart: false');
  });

  it('knows the names of risks', async () => {
    expect(await install('com.example/notes', '--allow', 'everything')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'Allowed choices are address, container, environment, plain-http, runtime.',
      ),
    });
  });
});

describe('gateway servers install at a terminal', () => {
  it('asks for required values, and does not show secrets', async () => {
    const questions: UserQuestion[] = [];
    const answers = ['', KEY];
    const ask = (question: UserQuestion) => {
      questions.push(question);
      return Promise.resolve(answers.shift());
    };
    const args = ['servers', 'install', 'io.github.acme/weather', '--config-dir', config];
    const run = await runCommand([...args, '--registry', list, '--write'], { ask });
    expect(run.code).toBe(0);
    expect(questions).toEqual([
      { text: 'Key of the service\nWEATHER_KEY: ', isHidden: true },
      { text: 'Key of the service\nWEATHER_KEY: ', isHidden: true },
    ]);
    expect(toText('secrets/weather/WEATHER_KEY')).toBe(KEY);
  });

  const KEYED = packageWith(
    { name: 'API_KEY', isRequired: true, isSecret: true },
    {
      name: 'AUTH',
      value: 'Bearer {api-key} {region}',
      variables: {
        'api-key': { isRequired: true, isSecret: true },
        region: { isRequired: true },
      },
    },
    { name: 'REGION', isRequired: true },
  );

  it('asks once for a secret with two spellings of its name, and for each value that is no secret', async () => {
    const questions: UserQuestion[] = [];
    const ask = (question: UserQuestion) => {
      questions.push(question);
      return Promise.resolve(question.isHidden ? KEY : 'eu');
    };
    list = resolveFile('keyed.json', KEYED);
    const args = ['servers', 'install', '--config-dir', config, '--registry', list, '--write'];
    expect(await runCommand(args, { ask })).toMatchObject({ code: 0 });
    expect(questions).toEqual([
      { text: 'API_KEY: ', isHidden: true },
      { text: 'region: ', isHidden: false },
      { text: 'REGION: ', isHidden: false },
    ]);
    expect(toText('secrets/keyed/API_KEY')).toBe(KEY);
    expect(toText('secrets/keyed/AUTH')).toBe(`Bearer ${KEY} eu`);
  });

  it('takes a given secret for both spellings, and two secrets that are given', async () => {
    list = resolveFile('keyed.json', KEYED);
    const plain = ['com.example/keyed', '--set', 'region=eu', '--set', 'REGION=eu', '--write'];
    expect(await install(...plain, '--set', `api-key=${KEY}`)).toMatchObject({ code: 0 });
    expect(toText('secrets/keyed/API_KEY')).toBe(KEY);
    const both = ['--set', `api-key=${KEY}`, '--set', 'API_KEY=another-key'];
    expect(await install(...plain, ...both, '--replace')).toMatchObject({ code: 0 });
    expect(toText('secrets/keyed/API_KEY')).toBe('another-key');
    expect(toText('secrets/keyed/AUTH')).toBe(`Bearer ${KEY} eu`);
  });

  it('ends when the input ends', async () => {
    const args = ['servers', 'install', 'io.github.acme/weather', '--config-dir', config];
    const ask = () => Promise.resolve(undefined);
    const run = await runCommand([...args, '--registry', list, '--write'], { ask });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('the input ended') });
    expect(existsSync(join(config, 'mcpservers'))).toBe(false);
  });
});

describe('gateway servers install over HTTP', () => {
  it('asks a registry for one server and one version', async () => {
    await using registry = await startRegistry(({ pathname }) =>
      pathname.endsWith('/versions/latest') ? { body: NOTES } : undefined,
    );
    const args = ['servers', 'install', 'com.example/notes', '--config-dir', config];
    const run = await runCommand([...args, '--registry', registry.url]);
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('url: https://notes.example.com/mcp'),
    });
    const absent = await runCommand([...args, '--registry', registry.url, '--version', '1.0.0']);
    expect(absent.code).toBe(2);
    expect(registry.requests).toEqual([
      '/v0.1/servers/com.example%2Fnotes/versions/latest',
      '/v0.1/servers/com.example%2Fnotes/versions/1.0.0',
    ]);
  });

  it('does not accept another server than the named one', async () => {
    await using registry = await startRegistry(() => ({ body: WEATHER }));
    const args = ['servers', 'install', 'com.example/notes', '--config-dir', config];
    expect(await runCommand([...args, '--registry', registry.url])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no registry has the server "com.example/notes"'),
    });
  });
});
