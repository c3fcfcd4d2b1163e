import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { refusalOf, remote, serverOf, stdio, toDocument, withAuth } from '../documents.ts';
import { pickFields } from '../parsed-fields.ts';

const requirement = defineRequirements(requirements);
const own = (text: string): unknown => JSON.parse(text);

type Fields = Readonly<Record<string, unknown>>;

/** Documents and fields of the spec that the parser makes of them. */
const parsesEach =
  (cases: readonly (readonly [document: unknown, fields: Fields])[]) => (): void => {
    it.each(cases)('parses %j to %j', (document, fields) => {
      expect(pickFields(serverOf(document).spec, Object.keys(fields))).toEqual(fields);
    });
  };

/** Specs of which the second is refused. */
const bounds = (message: string, accepted: unknown, refused: unknown): void => {
  expect(refusalOf(accepted)).toEqual([]);
  expect(refusalOf(refused)).toEqual([message]);
};

requirement(
  '2.6/type',
  parsesEach([
    [stdio(), { type: 'stdio' }],
    [remote(), { type: 'streamable-http' }],
    [remote({ type: 'sse' }), { type: 'sse' }],
    // Fields that mean nothing for the type are dropped.
    [stdio({ url: 'https://example.com' }), { url: 'absent' }],
    [remote({ command: 'run' }), { command: 'absent' }],
  ]),
);

requirement('2.6/command', () => {
  it('is kept as written', () => {
    expect(serverOf(stdio({ command: '/opt/my server' })).spec).toEqual({
      type: 'stdio',
      command: '/opt/my server',
      args: [],
      env: {},
      autoStart: false,
      timeout: 30,
    });
  });
  it.each(['command', 'cwd'])('and cwd hold no NUL character and at most 4096: %s', (field) => {
    const refused = `spec.${field}: must not contain a NUL character`;
    bounds(refused, stdio({ [field]: 'a b' }), stdio({ [field]: 'a\0b' }));
    const long = `spec.${field}: must be at most 4096 characters`;
    bounds(long, stdio({ [field]: 'c'.repeat(4096) }), stdio({ [field]: 'c'.repeat(4097) }));
  });
});

requirement('2.6/args', () => {
  parsesEach([[stdio({ args: ['-c', '', 'a b', '-c'] }), { args: ['-c', '', 'a b', '-c'] }]])();
  it('are at most 1024', () => {
    const args = (count: number) => stdio({ args: Array(count).fill('a') });
    bounds('spec.args: must have at most 1024 entries', args(1024), args(1025));
  });
});

describe(
  'startTimeout and cwd of a stdio server',
  parsesEach([
    [stdio({ startTimeout: 90 }), { startTimeout: 90 }],
    [stdio(), { startTimeout: 'absent', cwd: 'absent' }],
    [stdio({ cwd: './servers/my files' }), { cwd: './servers/my files' }],
    [stdio({ cwd: '/srv' }), { cwd: '/srv' }],
  ]),
);

requirement(
  '2.6/url',
  parsesEach(
    [
      'http://127.0.0.1:3000/mcp',
      'https://example.com',
      'https://example.com/mcp?a=b#c',
      'http://[::1]:8080/mcp',
      'http://kubernetes.default.svc/mcp',
    ].map((url) => [remote({ url }), { url }]),
  ),
);

requirement('2.6/env', () => {
  parsesEach([[stdio({ env: { HOME: '/root', E: '' } }), { env: { HOME: '/root', E: '' } }]])();
  it('takes __proto__ and constructor for names like any other', () => {
    const { env } = serverOf(stdio({ env: own('{"__proto__":"a","constructor":"b"}') })).spec;
    expect(Object.entries(env)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(env)).toBe(null);
  });
  it('has at most 1024 variables', () => {
    const env = (count: number) =>
      stdio({ env: Object.fromEntries(Array.from({ length: count }, (_, n) => [`V${n}`, ''])) });
    bounds('spec.env: must have at most 1024 entries', env(1024), env(1025));
  });
});

requirement('2.6/headers', () => {
  const headers = { 'X-Team': 'a, b', authorization: 'Bearer x' };
  parsesEach([[remote({ headers }), { headers }]])();
  it('takes __proto__ for a name like any other', () => {
    const { spec } = serverOf(remote({ headers: own('{"__proto__":"a"}') }));
    expect('headers' in spec && Object.entries(spec.headers)).toEqual([['__proto__', 'a']]);
  });
});

requirement(
  '2.6/tool-prefix-field',
  parsesEach(
    ['a', 'k8s', 'My_prefix-2'].map((toolPrefix) => [stdio({ toolPrefix }), { toolPrefix }]),
  ),
);

const family = { name: 'kube-netes_2', instanceArg: 'management_cluster' };
requirement('2.6/family-field', parsesEach([[stdio({ family }), { family }]]));

const descriptions = (): void => {
  parsesEach([
    [stdio({ description: '' }), { description: '' }],
    [stdio(), { description: 'absent' }],
  ])();
  it.each(['d', '😀'])('are at most 500 characters, not UTF-16 units: %s', (character) => {
    const description = (count: number) => stdio({ description: character.repeat(count) });
    bounds('spec.description: must be at most 500 characters', description(500), description(501));
  });
};
requirement('2.6/description', descriptions);
requirement('8/server-description', descriptions);

const autoStart = parsesEach([
  [stdio(), { autoStart: false }],
  [stdio({ autoStart: true }), { autoStart: true }],
  [remote(), { autoStart: false }],
]);
requirement('2.6/auto-start-field', autoStart);
requirement('8/server-auto-start', autoStart);

const timeouts = (): void => {
  parsesEach([
    [remote(), { timeout: 30 }],
    [remote({ timeout: 1 }), { timeout: 1 }],
    [remote({ timeout: 300 }), { timeout: 300 }],
  ])();
  it('is a number', () => {
    bounds('spec.timeout: must be an integer', remote(), remote({ timeout: Number.NaN }));
  });
};
requirement('2.6/timeout-field', timeouts);
requirement('8/server-timeout', timeouts);

const exchange = {
  enabled: true,
  dexTokenEndpoint: 'https://dex.example.com/token',
  connectorId: 'home',
};
const scopes = 'openid profile email groups';

/** What stands in `auth`, and fields that the parser makes of it. */
const authenticatesEach =
  (cases: readonly (readonly [auth: unknown, fields: Fields])[]) => (): void => {
    it.each(cases)('parses %j to %j', (auth, fields) => {
      const { spec } = serverOf(withAuth(auth));
      expect(
        spec.type === 'stdio' ? undefined : pickFields(spec.auth, Object.keys(fields)),
      ).toEqual(fields);
    });
  };

const none = { type: 'none', forwardToken: false, requiredAudiences: [] };
requirement('2.6/auth-type', () => {
  authenticatesEach([
    [{}, none],
    [{ type: 'oauth' }, { type: 'oauth' }],
  ])();
  parsesEach([[remote(), { auth: none }]])();
});

requirement(
  '2.6/auth-forward-token',
  authenticatesEach([
    [{ forwardToken: true }, { forwardToken: true }],
    [{ type: 'oauth' }, { forwardToken: false }],
  ]),
);

requirement(
  '2.6/auth-required-audiences',
  authenticatesEach([[{ requiredAudiences: ['b', 'a'] }, { requiredAudiences: ['b', 'a'] }]]),
);

requirement(
  '2.6/token-exchange-enabled',
  authenticatesEach([
    [{ tokenExchange: {} }, { tokenExchange: { enabled: false, scopes } }],
    [{ tokenExchange: exchange }, { tokenExchange: { ...exchange, scopes } }],
    [
      { tokenExchange: { ...exchange, enabled: false } },
      { tokenExchange: { ...exchange, enabled: false, scopes } },
    ],
  ]),
);

requirement(
  '2.6/token-exchange-scopes',
  authenticatesEach([
    [{ tokenExchange: exchange }, { tokenExchange: { ...exchange, scopes } }],
    [
      { tokenExchange: { ...exchange, scopes: 'openid' } },
      { tokenExchange: { ...exchange, scopes: 'openid' } },
    ],
  ]),
);

requirement('2.6/client-credentials-ref', () => {
  const keys = { clientIdKey: 'client-id', clientSecretKey: 'client-secret' };
  const set = { name: 'creds', namespace: 'vault', clientIdKey: 'id', clientSecretKey: 'key' };
  it.each([
    [{ name: 'creds' }, { name: 'creds', namespace: 'team-a', ...keys }],
    [set, set],
  ])('takes the namespace of the server, client-id and client-secret unless set: %j', (ref, to) => {
    const auth = { tokenExchange: { ...exchange, clientCredentialsSecretRef: ref } };
    const spec = { type: 'sse', url: 'https://example.com/sse', auth };
    expect(serverOf(toDocument(spec, { name: 'a', namespace: 'team-a' })).spec).toMatchObject({
      auth: { tokenExchange: { clientCredentialsSecretRef: to } },
    });
  });
  it('is accepted at a pinned issuer too', () => {
    const issuer = 'https://login.example.com';
    const ref = { issuer, clientCredentialsSecretRef: { name: 'wiki-client' } };
    const { spec } = serverOf(withAuth({ type: 'oauth', authorizationServer: ref }));
    expect(spec.type !== 'stdio' && spec.auth.authorizationServer).toEqual({
      issuer,
      clientCredentialsSecretRef: { name: 'wiki-client', namespace: 'default', ...keys },
    });
  });
});
