import { describe, expect, it } from 'vitest';
import { toLocalServer, formatServerNote, formatServerProblem } from '@gateway/client-config';

const GITHUB_TOKEN = `ghp_${'x'.repeat(36)}`;

describe('a server with secrets', () => {
  it('has the values of variables in files', () => {
    const env = {
      GITHUB_TOKEN,
      LOG_LEVEL: 'debug',
      TOKEN_LIMIT: '5',
      DATABASE_URL: 'postgres://me:pw@db.example/x',
      OTHER: GITHUB_TOKEN,
    };
    const definition = { type: 'stdio', command: 'npx', env };
    const reference = (name: string) => ({ name, secretKeyRef: { name: 'git', key: name } });
    const secret = (name: string, value: string) => ({ path: `secrets/git/${name}`, value });
    expect(toLocalServer({ name: 'git', definition })).toEqual({
      spec: {
        type: 'stdio',
        command: 'npx',
        env: { LOG_LEVEL: 'debug', TOKEN_LIMIT: '5' },
        envFrom: ['GITHUB_TOKEN', 'DATABASE_URL', 'OTHER'].map(reference),
      },
      secrets: [
        secret('GITHUB_TOKEN', GITHUB_TOKEN),
        secret('DATABASE_URL', 'postgres://me:pw@db.example/x'),
        secret('OTHER', GITHUB_TOKEN),
      ],
      problems: [],
      notes: [],
    });
  });

  it('has the values of headers in files', () => {
    const definition = {
      type: 'streamable-http',
      url: 'https://a.example/mcp',
      headers: { Authorization: 'Bearer abc', 'X-Team': 'blue' },
    };
    expect(toLocalServer({ name: 'a', definition })).toMatchObject({
      spec: {
        headers: { 'X-Team': 'blue' },
        headersFrom: [{ name: 'Authorization', secretKeyRef: { name: 'a', key: 'Authorization' } }],
      },
      secrets: [{ path: 'secrets/a/Authorization', value: 'Bearer abc' }],
    });
  });

  it('has the values of headers in arguments in files', () => {
    const args = [
      ...['--header', 'Authorization: Bearer abcdef', '-H', 'X-Api-Key:k1'],
      ...['--header=X-Token: t2', '--header', 'X-Team: blue', 'https://a.example/mcp'],
    ];
    const { spec, secrets } = toLocalServer({ name: 'a', definition: { command: 'npx', args } });
    expect(spec['args']).toEqual([
      ...['--header', 'Authorization: ${file:secrets/a/Authorization}'],
      ...['-H', 'X-Api-Key:${file:secrets/a/X-Api-Key}'],
      ...['--header=X-Token: ${file:secrets/a/X-Token}'],
      ...['--header', 'X-Team: blue', 'https://a.example/mcp'],
    ]);
    expect(secrets.map(({ value }) => value)).toEqual(['Bearer abcdef', 'k1', 't2']);
  });

  it('keeps the escape of a placeholder', () => {
    const definition = { command: 'npx', env: { A: '$${lit}', B: '$${a}${USER}' } };
    expect(toLocalServer({ name: 'a', definition })).toMatchObject({
      spec: { env: { A: '$${lit}', B: '$${a}${env:USER}' } },
      problems: [],
    });
  });

  it('keeps texts that are written for the gateway', () => {
    const definition = { command: 'npx', env: { A: '${PLAIN}', B: '${env:B}' } };
    expect(toLocalServer({ name: 'a', definition }, { isTranslated: true })).toMatchObject({
      spec: { env: definition.env },
      problems: [],
      notes: [],
    });
  });

  it('has secrets of arguments and of the URL in files, and keeps the rest of each', () => {
    const args = ['-y', 'server', '--token', 's3cr3t', '--api-key=k', '-e', `A=${GITHUB_TOKEN}`];
    const { spec, secrets } = toLocalServer({ name: 'a', definition: { command: 'npx', args } });
    expect(spec['args']).toEqual([
      ...['-y', 'server', '--token', '${file:secrets/a/token}'],
      ...['--api-key=${file:secrets/a/api-key}', '-e', 'A=${file:secrets/a/A}'],
    ]);
    expect(secrets.map(({ value }) => value)).toEqual(['s3cr3t', 'k', GITHUB_TOKEN]);

    const url = 'https://me:pw@a.example/s/0123456789abcdefghijklmnop/mcp?api_key=k&team=blue';
    expect(toLocalServer({ name: 'a', definition: { url } })).toMatchObject({
      spec: {
        url: 'https://me:${file:secrets/a/url-password}@a.example/s/${file:secrets/a/url-path}/mcp?api_key=${file:secrets/a/api_key}&team=blue',
      },
      secrets: [
        { path: 'secrets/a/url-path', value: '0123456789abcdefghijklmnop' },
        { path: 'secrets/a/url-password', value: 'pw' },
        { path: 'secrets/a/api_key', value: 'k' },
      ],
    });
  });

  it('has names of files that cannot leave its folder', () => {
    const env = { '../../x_TOKEN': 'a', '..KEY/': 'b', __proto__TOKEN: 'c' };
    const { secrets } = toLocalServer({ name: 'a', definition: { env } });
    expect(secrets.map(({ path }) => path)).toEqual([
      'secrets/a/.._.._x_TOKEN',
      'secrets/a/__proto__TOKEN',
    ]);
  });
});

describe('placeholders of a client', () => {
  const translated = (text: string, hasDollarNames = false) => {
    const definition = { env: { A: text } };
    const { spec, problems, notes } = toLocalServer({ name: 's', definition }, { hasDollarNames });
    return [spec['env'], problems.map(formatServerProblem), notes.map(formatServerNote)];
  };

  it('become those of the gateway', () => {
    const note = ['The gateway needs the environment variable "TOKEN".'];
    expect(translated('${TOKEN}')).toEqual([{ A: '${env:TOKEN}' }, [], note]);
    expect(translated('${env:TOKEN}')).toEqual([{ A: '${env:TOKEN}' }, [], note]);
    expect(translated('$TOKEN')).toEqual([{ A: '$TOKEN' }, [], []]);
    expect(translated('x $TOKEN', true)).toEqual([{ A: 'x ${env:TOKEN}' }, [], note]);
    expect(translated('${file:secrets/s/x}')).toEqual([{ A: '${file:secrets/s/x}' }, [], []]);
    expect(translated('${input:my key}')).toEqual([
      { A: '${file:secrets/s/my_key}' },
      [],
      ['Its client asks for the value of "my key": write it to secrets/s/my_key, with mode 0600.'],
    ]);
  });

  it.each(['/run/x', 'secrets/other/x', 'secrets/s/../other/x', 'secrets/s/..'])(
    'name no file of another server or program: %s',
    (path) => {
      const text = `\${file:${path}}`;
      const problem = expect.stringContaining('an import names only files in secrets/') as string;
      expect(translated(text)).toEqual([{ A: text }, [problem], []]);
    },
  );

  it.each(['${TOKEN}', '${file:secrets/s/x}'])(
    'of a remote server are not sent before a user starts it: %s',
    (text) => {
      const definition = { url: 'https://a.example/mcp', headers: { A: text }, autoStart: true };
      const { spec, notes } = toLocalServer({ name: 's', definition });
      expect(spec['autoStart']).toBe(false);
      expect(notes.map(formatServerNote).at(-1)).toContain('created without being started');
    },
  );

  it.each(['${workspaceFolder}/x', '${HOME:-/root}', '${command:x}', '${}'])(
    'that only the client knows are problems: %s',
    (text) => {
      expect(translated(text)).toEqual([{ A: text }, [expect.stringContaining('placeholder')], []]);
    },
  );
});
