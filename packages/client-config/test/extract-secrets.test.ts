import { describe, expect, it } from 'vitest';
import {
  createSecretPlace,
  isSecretLike,
  listClearSecrets,
  replaceArgumentSecrets,
  replaceUrlSecrets,
  extractSecrets,
  type StoredSecret,
  withoutOwnReferences,
} from '@gateway/client-config';

const GITHUB_TOKEN = `ghp_${'x'.repeat(36)}`;
const RANDOM = 'q7Zt+Xc0/Lm3VbN8Yh2Kd5Fj9Rw1Sg6Ua4Pe-TiOxW=';
const FILES = createSecretPlace('a', 'files');
const OBJECT = createSecretPlace('a', 'object');

type Spec = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Spec =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396 §2; empty maps and lists of values equal absent ones. */
const merged = (target: unknown, patch: unknown): unknown => {
  if (!isMap(patch)) return patch;
  const result = new Map(isMap(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    const next = merged(result.get(key), value);
    if (next === null || (typeof next === 'object' && Object.keys(next).length === 0))
      result.delete(key);
    else result.set(key, next);
  }
  return Object.fromEntries(result);
};

const separate = (change: Spec, before: Spec = {}, secrets: readonly StoredSecret[] = []) => {
  const extracted = extractSecrets({ place: FILES, before, change, secrets });
  if (!extracted.ok) throw new Error(extracted.issues.join());
  return {
    spec: merged(before, extracted.change) as Spec,
    given: merged(before, extracted.given) as Spec,
    secrets: extracted.secrets,
  };
};
const issuesOf = (change: Spec, place = FILES, before: Spec = {}) => {
  const extracted = extractSecrets({ place, before, change });
  return extracted.ok ? [] : extracted.issues;
};
const reference = (name: string, key = name) => ({ name, secretKeyRef: { name: 'a', key } });

describe('a value that looks like a secret', () => {
  it.each([
    ...['GITHUB_TOKEN', 'api_key', 'X-Api-Key', 'Authorization', 'dbPassword', 'accessKey'],
    ...['PRIVATE_KEY', 'Cookie', 'client-secret', 'GH_PAT', 'CREDENTIALS'],
  ])('has the name %s', (name) => {
    expect(isSecretLike(name, 'any text')).toBe(true);
  });

  it.each([
    ...['LOG_LEVEL', 'TOKENIZER', 'TOKEN_URL', 'auth-type', 'AUTH_MODE', 'API_KEY_FILE', 'monkey'],
    ...['SESSION_TIMEOUT', 'no-auth', 'use-token', 'KEYBOARD', 'tokenEndpoint'],
  ])('does not have the name %s', (name) => {
    expect(isSecretLike(name, 'any text')).toBe(false);
  });

  it.each([
    ...[GITHUB_TOKEN, 'sk-proj-abc', 'xoxb-1', 'Bearer abc', 'Basic YTpi', RANDOM],
    ...['postgres://me:pw@db.example/x', 'a1'.repeat(16), '-----BEGIN RSA PRIVATE KEY-----'],
    ...['https://x.example/?token=abc', 'https://hooks.example/T0/0123456789abcdefghijklmnop'],
  ])('is %s, whatever its name is', (value) => {
    expect(isSecretLike('A', value)).toBe(true);
  });

  it.each([
    ...['debug', '/usr/lib/x86_64-linux-gnu/libstdc++/very/long/path/Of/Things2', 'eu-west-1'],
    ...['https://x.example/mcp?team=blue', '@modelcontextprotocol/server-everything@2025.1.1'],
    ...['The quick brown fox jumps over the lazy dog 2 times', 'true'],
  ])('is not %s', (value) => {
    expect(isSecretLike('A', value)).toBe(false);
  });

  it('takes linear time to find', () => {
    const texts = [
      'https://a?u='.repeat(6_000),
      'a1-'.repeat(20_000),
      '-e='.repeat(20_000),
      'a:'.repeat(30_000),
    ];
    const start = performance.now();
    replaceArgumentSecrets(texts, () => '***');
    for (const text of texts) {
      isSecretLike(text, text);
      replaceUrlSecrets(text, () => '***');
    }
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('the secrets of a new server', () => {
  it('of variables and headers are values of its Secret', () => {
    const env = {
      GITHUB_TOKEN,
      LOG_LEVEL: 'debug',
      TOKEN_LIMIT: '5',
      DATABASE_URL: 'postgres://me:pw@db.example/x',
    };
    expect(separate({ type: 'stdio', command: 'npx', env })).toMatchObject({
      spec: {
        ...{ type: 'stdio', command: 'npx', env: { LOG_LEVEL: 'debug', TOKEN_LIMIT: '5' } },
        envFrom: [reference('GITHUB_TOKEN'), reference('DATABASE_URL')],
      },
      secrets: [
        { key: 'GITHUB_TOKEN', value: GITHUB_TOKEN },
        { key: 'DATABASE_URL', value: 'postgres://me:pw@db.example/x' },
      ],
    });
    const headers = { Authorization: 'Bearer abc' };
    const { spec } = separate({ type: 'sse', url: 'https://a.example/mcp', headers });
    expect(spec).toEqual({
      ...{ type: 'sse', url: 'https://a.example/mcp' },
      headersFrom: [reference('Authorization')],
    });
  });

  it('of arguments and of the URL are placeholders, and the rest of each stays', () => {
    const pairs = [
      ['-y', '-y'],
      ['--token', '--token'],
      ['s3cr3t', '${file:secrets/a/token}'],
      ['--api-key=k', '--api-key=${file:secrets/a/api-key}'],
      ['-e', '-e'],
      [`A=${GITHUB_TOKEN}`, 'A=${file:secrets/a/A}'],
      ['--env=DB_PASSWORD=pw', '--env=DB_PASSWORD=${file:secrets/a/DB_PASSWORD}'],
      ['--header', '--header'],
      ['Authorization: Bearer abcdef', 'Authorization: ${file:secrets/a/Authorization}'],
      ['--header=X-Token: t2', '--header=X-Token: ${file:secrets/a/X-Token}'],
      ['X-Team: blue', 'X-Team: blue'],
      ['https://b.example/?api_key=z', 'https://b.example/?api_key=${file:secrets/a/api_key}'],
    ];
    const args = pairs.map(([text]) => text);
    const { spec, secrets } = separate({ type: 'stdio', command: 'npx', args });
    expect(spec['args']).toEqual(pairs.map(([, text]) => text));
    expect(secrets.map(({ value }) => value)).toEqual([
      's3cr3t',
      'k',
      GITHUB_TOKEN,
      'pw',
      'Bearer abcdef',
      't2',
      'z',
    ]);
    const url = 'https://a.example/s/0123456789abcdefghijklmnop/mcp?api_key=k&team=blue';
    expect(separate({ type: 'sse', url })).toMatchObject({
      spec: {
        url: 'https://a.example/s/${file:secrets/a/url-path}/mcp?api_key=${file:secrets/a/api_key}&team=blue',
      },
      secrets: [
        { key: 'url-path', value: '0123456789abcdefghijklmnop' },
        { key: 'api_key', value: 'k' },
      ],
    });
  });

  it('of the arguments of tools are references', () => {
    const change = {
      tools: [
        { name: 'search', defaults: { token: 't', limit: 5, team: 'blue' }, hidden: true },
        { pattern: '*', defaults: { token: 'u' }, defaultsFrom: [reference('cookie', 'X')] },
        { name: 'other', defaults: { team: 'red' } },
      ],
    };
    const { spec, given, secrets } = separate(change);
    expect(spec).toEqual({
      tools: [
        {
          ...{ name: 'search', defaults: { limit: 5, team: 'blue' }, hidden: true },
          defaultsFrom: [reference('token')],
        },
        { pattern: '*', defaultsFrom: [reference('cookie', 'X'), reference('token', 'token-2')] },
        { name: 'other', defaults: { team: 'red' } },
      ],
    });
    expect(given).toEqual(change);
    expect(secrets).toEqual([
      { key: 'token', value: 't' },
      { key: 'token-2', value: 'u' },
    ]);
    expect(separate({ description: 'x', env: { token: 'ghp_1' } }, spec).secrets).toEqual([
      { key: 'token-3', value: 'ghp_1' },
    ]);
    expect(withoutOwnReferences(spec, FILES)['tools']).toEqual([
      { name: 'search', defaults: { limit: 5, team: 'blue' }, hidden: true },
      { pattern: '*' },
      { name: 'other', defaults: { team: 'red' } },
    ]);
    expect(issuesOf({ tools: [{ defaults: { token: 'x'.repeat(65_537) } }, 3] })).toEqual([
      'spec.tools[0].defaults.token: must be at most 65536 characters',
    ]);
  });

  it('have keys that cannot leave a folder, and differ also where case is ignored', () => {
    const env = JSON.parse(
      '{"../../x_TOKEN":"a","..KEY/":"b","__proto__":"ghp_abc","token":"c","TOKEN":"d"}',
    ) as Spec;
    const { spec, secrets } = separate({ env });
    expect(secrets.map(({ key }) => key)).toEqual([
      '.._.._x_TOKEN',
      '__proto__',
      'token',
      'TOKEN-2',
    ]);
    expect(JSON.stringify(spec)).toContain('{"name":"__proto__","secretKeyRef":{"name":"a"');
    expect(spec['env']).toEqual({ '..KEY/': 'b' });
  });

  it('stay where their author refers to them', () => {
    const after = {
      env: { API_KEY: '${env:KEY}', A: 'Bearer ${file:x}' },
      args: ['--token=${env:T}'],
    };
    expect(separate(after)).toEqual({ spec: after, given: after, secrets: [] });
  });

  it('are stored without the escape of a placeholder', () => {
    expect(separate({ env: { API_KEY: 'a$${b' } }).secrets).toEqual([
      { key: 'API_KEY', value: 'a${b' },
    ]);
  });

  it('can be in an object of a cluster, where arguments and URLs cannot refer to them', () => {
    const change = { env: { TOKEN: 't' } };
    expect(extractSecrets({ place: OBJECT, before: {}, change })).toMatchObject({
      change: {
        envFrom: [{ name: 'TOKEN', secretKeyRef: { name: 'mcpserver-a', key: 'TOKEN' } }],
      },
      secrets: [{ key: 'TOKEN', value: 't' }],
    });
    const url = 'https://a.example/t/0123456789abcdefghijklmnop/mcp';
    expect(issuesOf({ url, args: ['-y', '--port=1'] }, OBJECT)).toEqual([]);
    expect(issuesOf({ url: `${url}?token=abc`, args: ['-y', '--token', 'abc'] }, OBJECT)).toEqual([
      'spec.args[2]: contains a secret, which arguments cannot refer to in a cluster: pass it in env',
      'spec.url: contains a secret, which this URL cannot refer to: send it in headers',
    ]);
    const auth = { type: 'oauth' };
    expect(issuesOf({ url, auth })).toEqual([]);
    expect(issuesOf({ url: `${url}?token=abc`, auth })).toHaveLength(1);
  });

  it('have the limits of values, which the problems do not repeat', () => {
    expect(issuesOf({ headers: { Authorization: 'Bearer a\nb' } })).toEqual([
      'spec.headers.Authorization: must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
    ]);
    expect(issuesOf({ env: { TOKEN: 'x'.repeat(65_537) } })).toEqual([
      'spec.env.TOKEN: must be at most 65536 characters',
    ]);
    expect(issuesOf({ env: { TOKEN: 'two\nlines' } })).toEqual([]);
  });
});

describe('a change of a server', () => {
  const before = {
    args: ['--token=${file:secrets/a/token}'],
    env: { OLD_KEY: 'clear' },
    envFrom: [
      { name: 'TOKEN', secretKeyRef: { name: 'a', key: 'TOKEN-2', optional: false } },
      { name: 'OTHER', secretKeyRef: { name: 'mine', key: 'other' } },
    ],
  };

  it('moves what it adds, and leaves what was there', () => {
    expect(separate({ description: 'x' }, before)).toMatchObject({
      spec: { ...before, description: 'x' },
      secrets: [],
    });
    expect(separate({ env: { NEW_KEY: 'n', A: 'b' } }, before)).toMatchObject({
      spec: {
        env: { ...before.env, A: 'b' },
        envFrom: [...before.envFrom, reference('NEW_KEY')],
      },
      given: { env: { ...before.env, A: 'b', NEW_KEY: 'n' }, envFrom: before.envFrom },
    });
  });

  it('gives a new value the key of the old one, so that the definition stays equal', () => {
    const [, other] = before.envFrom;
    expect(separate({ env: { TOKEN: 'new' } }, before)).toMatchObject({
      spec: before,
      given: { envFrom: [other] },
      secrets: [{ key: 'TOKEN-2', value: 'new' }],
    });
    expect(separate({ args: ['--token=new'] }, before)).toMatchObject({
      spec: before,
      given: { args: ['--token=new'] },
      secrets: [{ key: 'token', value: 'new' }],
    });
    const header = { headersFrom: [reference('authorization')] };
    expect(separate({ headers: { Authorization: 'Bearer new' } }, header)).toMatchObject({
      spec: header,
      secrets: [{ key: 'authorization', value: 'Bearer new' }],
    });
  });

  it('replaces references by plain values and by nothing', () => {
    const change = { env: { TOKEN: '${env:T}', OTHER: null } };
    expect(separate(change, before).spec).toEqual({
      args: before.args,
      env: { ...before.env, TOKEN: '${env:T}' },
    });
  });

  it('removes references with the whole list, also next to changed values', () => {
    const change = { envFrom: null, env: { OLD_KEY: null, NEW_KEY: 'n' } };
    expect(separate(change, before)).toMatchObject({
      spec: { args: before.args, envFrom: [reference('NEW_KEY')] },
      given: { args: before.args, env: { NEW_KEY: 'n' } },
    });
    const removed = { envFrom: null, env: { OLD_KEY: null } };
    expect(separate(removed, before).spec).toEqual({ args: before.args });
    expect(separate(removed, before).given).toEqual({ args: before.args });
  });

  it('keeps masked values that are stored, and refuses others', () => {
    const masked = { env: { TOKEN: '***', OLD_KEY: '***' } };
    expect(separate(masked, before)).toEqual({ spec: before, given: before, secrets: [] });
    const issues = ['spec.env.NEW: is ***, and there is no value to keep'];
    expect(issuesOf({ env: { NEW: '***' } }, FILES, before)).toEqual(issues);
  });

  it('takes no key of a value that stays, nor of one that is given with its key', () => {
    const args = [...before.args, '-e', 'token=abc'];
    expect(separate({ args }, before).secrets).toEqual([{ key: 'token-3', value: 'abc' }]);
    const named = { env: { A: '${file:secrets/a/B_KEY}' } };
    expect(separate({ env: { B_KEY: 'b' } }, named).secrets).toEqual([
      { key: 'B_KEY-2', value: 'b' },
    ]);
    const given = [{ key: 'X_KEY', value: '1' }];
    const change = { env: { x_key: 'ghp_2' }, envFrom: [reference('B', 'X_KEY')] };
    expect(separate(change, {}, given).secrets).toEqual([
      ...given,
      { key: 'x_key-2', value: 'ghp_2' },
    ]);
  });
});

it('names each secret in clear text by its field, never by its value', () => {
  const spec = {
    ...{ env: { TOKEN: 'hush', A: 'b', B: '${env:B_KEY}' }, headers: { Authorization: 'hush' } },
    ...{ args: ['-y', '--token', 'hush'], url: 'https://a.example/?token=hush' },
    tools: [{ name: 'a' }, { name: 'b', defaults: { limit: 5, apiKey: 'hush' } }],
  };
  const found = listClearSecrets(spec);
  expect(found.map(({ field }) => field)).toEqual([
    ...['spec.env.TOKEN', 'spec.headers.Authorization', 'spec.tools[1].defaults.apiKey'],
    ...['spec.args[2]', 'spec.url'],
  ]);
  expect(JSON.stringify(found)).not.toContain('hush');
  expect([null, 'text', {}, { env: 3, args: 'x', url: 1 }].flatMap(listClearSecrets)).toEqual([]);
});
