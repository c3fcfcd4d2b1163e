import { beforeEach, describe, expect, it } from 'vitest';
import type { UserQuestion } from '../../src/cli-io.ts';
import { failure, runCommand, success } from '../run-command.ts';
import { useDirectory } from '../use-directory.ts';
import { startRegistry } from './registry-server.ts';
import { BUNDLE, NOTES, packageWith, WEATHER } from './sample-servers.ts';

const root = useDirectory();
const { has, mode, write } = root;
const read = (path: string): string => root.read(`config/${path}`);
let list = '';
beforeEach(() => {
  root.mkdir('config');
  list = write('list.json', { servers: [WEATHER, NOTES, BUNDLE] });
});

const installFrom = (registry: string, ...args: readonly string[]) => {
  const options = ['--config-dir', root.resolve('config'), '--registry', registry];
  return runCommand(['servers', 'install', ...args, ...options]);
};
const install = (...args: readonly string[]) => installFrom(list, ...args);

const KEY = 'wk-very-secret-1';
const SET_KEY = ['--set', `WEATHER_KEY=${KEY}`];

describe('gateway servers install', () => {
  it('shows the file without secrets, and writes nothing', async () => {
    expect(await install('io.github.acme/weather', ...SET_KEY)).toEqual({
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
    expect(has('config/mcpservers')).toBe(false);
  });

  it('writes the server and its secrets, which only their owner can read, and gateway validate accepts them', async () => {
    const secret = ['--set-file', `WEATHER_KEY=${write('key', `${KEY}\n`)}`];
    const options = ['--set', 'UNITS=imperial', '--as', 'sky', '--write'];
    const run = await install('io.github.acme/weather', ...secret, ...options);
    expect(run).toMatchObject(success('installed sky\n'));
    const written = read('mcpservers/sky.yaml');
    expect(written).toContain('UNITS: imperial');
    expect(read('secrets/sky/WEATHER_KEY')).toBe(KEY);
    expect(mode('config/secrets/sky/WEATHER_KEY')).toBe(0o600);
    expect(run.stdout + run.stderr + written).not.toContain(KEY);
    const validated = await runCommand(['validate', '--config-dir', root.resolve('config')]);
    expect(validated).toMatchObject(success('1 server'));
  });

  it('changes an existing server with --replace only, and keeps the rest of its file', async () => {
    await installFrom(write('notes.json', NOTES), '--write');
    const path = 'mcpservers/notes.yaml';
    const edited = `# ours\n${read(path)}`.replace('https://notes', 'https://old-notes');
    write(`config/${path}`, edited);
    expect(await install('com.example/notes', '--write')).toMatchObject(
      failure(`${path} exists: use --as for another name, or --replace`),
    );
    expect(read(path)).toBe(edited);
    const replaced = await install('com.example/notes', '--write', '--replace');
    expect(replaced.stdout).toBe(`changed ${path}
-   url: https://old-notes.example.com/mcp
+   url: https://notes.example.com/mcp
installed notes
`);
    expect(read(path)).toContain('# ours\n');
    const again = await install('com.example/notes', '--replace');
    expect(again.stdout).toBe('notes: the directory has it already\n');
  });

  it('does not change a secret of another server without --replace', async () => {
    write('config/secrets/weather/WEATHER_KEY', 'other');
    expect(await install('io.github.acme/weather', ...SET_KEY, '--write')).toMatchObject(
      failure('secrets/weather/WEATHER_KEY exists: use --as'),
    );
    expect(read('secrets/weather/WEATHER_KEY')).toBe('other');
  });
});

describe('gateway servers install refuses', () => {
  const UNKNOWN_SETTING = 'it has no setting "KEY"; it has WEATHER_KEY, UNITS';
  const ABSENT = 'no registry has the server "com.example/absent": gateway servers search lists';
  const UNNAMED =
    'has several servers; name one: io.github.acme/weather, com.example/notes, com.example/bundle';
  const RISKS = 'Allowed choices are address, container, environment, plain-http, runtime.';
  const VERSION = 'no registry has the server "com.example/notes" in version 9.9.9';

  it.each([
    [['io.github.acme/weather', '--set', 'KEY=a'], UNKNOWN_SETTING],
    [['com.example/absent'], `${ABSENT} the names`],
    [['com.example/notes', '--version', '9.9.9'], VERSION],
    [[], UNNAMED],
    [['com.example/notes', '--as', 'No Name'], 'metadata.name'],
    [['com.example/notes', '--as', '../../x'], 'metadata.name'],
    [['com.example/notes', '--set', 'x'], 'It must be NAME=VALUE.'],
    [['com.example/notes', '--allow', 'everything'], RISKS],
    [['com.example/notes', '--config-dir', '/absent'], 'is not a directory'],
  ])('%j', async (args, problem) => {
    const options = ['--config-dir', root.resolve('config'), '--registry', list, '--write'];
    expect(await runCommand(['servers', 'install', ...options, ...args])).toMatchObject(
      failure(problem),
    );
    expect([has('config/mcpservers'), has('config/secrets')]).toEqual([false, false]);
  });

  it('one name with two meanings', async () => {
    const other = write('other.json', { ...NOTES.server, version: '2.0.1' });
    expect(await install('com.example/notes', '--registry', other)).toMatchObject(
      failure('differ in the server "com.example/notes": name one of them'),
    );
    const same = write('same.json', NOTES.server);
    expect(await install('com.example/notes', '--registry', same)).toMatchObject({ code: 0 });
  });
});

it.each([
  [[], 'It does not start yet: read it, then set spec.autoStart to true, or use --start.'],
  [
    ['--start'],
    'What --allow accepts or a client has disabled does not start yet: read it, then set spec.autoStart to true.',
  ],
])(
  'writes an entry that reaches for this machine with %j, and does not start it',
  async (start, note) => {
    const runtimeArguments = [
      { type: 'named', name: '-v', value: '/:/host' },
      { type: 'named', name: '--network', value: 'host' },
    ];
    const environment = { name: 'DOCKER_HOST', value: 'tcp://10.0.0.1' };
    const keyed = packageWith(environment);
    const image = { registryType: 'oci', identifier: 'acme/keyed:1.0.0', version: undefined };
    const packages = keyed.packages.map((entry) => ({ ...entry, ...image, runtimeArguments }));
    list = write('hostile.json', { ...keyed, packages });
    const allow = ['--allow', 'container', 'environment'];
    const run = await install('com.example/keyed', '--write', ...allow, ...start);
    expect(run).toMatchObject(failure(note, 0));
    expect(read('mcpservers/keyed.yaml')).toContain('autoStart: false');
  },
);

describe('gateway servers install at a terminal', () => {
  const installAtTerminal = async (answer: (isHidden: boolean) => string | undefined) => {
    const questions: UserQuestion[] = [];
    const ask = (question: UserQuestion) => {
      questions.push(question);
      return Promise.resolve(answer(question.isHidden));
    };
    const options = ['--config-dir', root.resolve('config'), '--registry', list, '--write'];
    return { ...(await runCommand(['servers', 'install', ...options], { ask })), questions };
  };

  it('asks for required values, and does not show secrets', async () => {
    list = write('weather.json', WEATHER);
    const answers = ['', KEY];
    const question = { text: 'Key of the service\nWEATHER_KEY: ', isHidden: true };
    expect(await installAtTerminal(() => answers.shift())).toMatchObject({
      code: 0,
      questions: [question, question],
    });
    expect(read('secrets/weather/WEATHER_KEY')).toBe(KEY);
  });

  it('ends when the input ends', async () => {
    list = write('weather.json', WEATHER);
    const ended = await installAtTerminal(() => undefined);
    expect(ended).toMatchObject(failure('the input ended'));
    expect(has('config/mcpservers')).toBe(false);
  });

  const variables = {
    'api-key': { isRequired: true, isSecret: true },
    region: { isRequired: true },
  };
  const KEYED = packageWith(
    { name: 'API_KEY', isRequired: true, isSecret: true },
    { name: 'AUTH', value: 'Bearer {api-key} {region}', variables },
    { name: 'REGION', isRequired: true },
  );

  it('asks once for a secret with two spellings of its name, and for each value that is no secret', async () => {
    list = write('keyed.json', KEYED);
    expect(await installAtTerminal((isHidden) => (isHidden ? KEY : 'eu'))).toMatchObject({
      code: 0,
      questions: [
        { text: 'API_KEY: ', isHidden: true },
        { text: 'region: ', isHidden: false },
        { text: 'REGION: ', isHidden: false },
      ],
    });
    expect(read('secrets/keyed/API_KEY')).toBe(KEY);
    expect(read('secrets/keyed/AUTH')).toBe(`Bearer ${KEY} eu`);
  });

  it('takes a given secret for both spellings, and two secrets that are given', async () => {
    list = write('keyed.json', KEYED);
    const plain = ['com.example/keyed', '--set', 'region=eu', '--set', 'REGION=eu', '--write'];
    expect(await install(...plain, '--set', `api-key=${KEY}`)).toMatchObject({ code: 0 });
    expect(read('secrets/keyed/API_KEY')).toBe(KEY);
    const both = ['--set', `api-key=${KEY}`, '--set', 'API_KEY=another-key'];
    expect(await install(...plain, ...both, '--replace')).toMatchObject({ code: 0 });
    expect(read('secrets/keyed/API_KEY')).toBe('another-key');
    expect(read('secrets/keyed/AUTH')).toBe(`Bearer ${KEY} eu`);
  });
});

describe('gateway servers install over HTTP', () => {
  it('asks a registry for one server and one version', async () => {
    await using registry = await startRegistry(({ pathname }) =>
      pathname.endsWith('/versions/latest') ? { body: NOTES } : undefined,
    );
    expect(await installFrom(registry.url, 'com.example/notes')).toMatchObject(
      success('url: https://notes.example.com/mcp'),
    );
    const absent = await installFrom(registry.url, 'com.example/notes', '--version', '1.0.0');
    expect(absent.code).toBe(2);
    expect(registry.requests).toEqual([
      '/v0.1/servers/com.example%2Fnotes/versions/latest',
      '/v0.1/servers/com.example%2Fnotes/versions/1.0.0',
    ]);
  });

  it('does not accept another server than the named one', async () => {
    await using registry = await startRegistry(() => ({ body: WEATHER }));
    const run = await installFrom(registry.url, 'com.example/notes');
    expect(run).toMatchObject(failure('no registry has the server "com.example/notes"'));
  });
});
