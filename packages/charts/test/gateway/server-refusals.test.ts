import { listCelRules, parseMcpServer } from '@gateway/crd-schemas';
import { expect, it } from 'vitest';
import { templateTexts } from '../harness/template-texts.ts';

const url = 'http://wiki:8080/mcp';

const authorizationServer = { issuer: 'https://login.example.com' };
const EXCHANGE = { enabled: true, dexTokenEndpoint: 'https://dex/token', connectorId: 'a' };

/** Values of `auth` of a remote server, and their invalid combinations of fields. */
const AUTHS: readonly (readonly [auth: object, text: string])[] = [
  [{ type: 'oauth', authorizationServer }, ''],
  [{ type: 'oauth', forwardToken: true, tokenExchange: EXCHANGE }, ''],
  [{ type: 'oauth', authorizationServer, tokenExchange: { enabled: false } }, ''],
  [
    { authorizationServer },
    'auth.authorizationServer: authorizationServer is only valid when type is oauth',
  ],
  [
    { type: 'oauth', authorizationServer, forwardToken: true },
    'auth.authorizationServer: forwardToken bypasses per-backend OAuth; set one or the other, not both',
  ],
  [
    { type: 'oauth', authorizationServer, tokenExchange: EXCHANGE },
    'auth.authorizationServer: tokenExchange has its own issuer/endpoint config; set one or the other, not both',
  ],
  [
    { type: 'oauth', tokenExchange: { enabled: true, connectorId: 'a' } },
    'auth.tokenExchange.dexTokenEndpoint: dexTokenEndpoint is required when enabled is true',
  ],
  [
    {
      type: 'oauth',
      tokenExchange: { enabled: true, dexTokenEndpoint: EXCHANGE.dexTokenEndpoint },
    },
    'auth.tokenExchange.connectorId: connectorId is required when enabled is true',
  ],
];

const ref = { name: 'api', key: 'token' };
const [A, B, b] = ['A', 'B', 'b'].map((name) => ({ name, secretKeyRef: ref }));

/** Values in Secrets and ConfigMaps, and their invalid combinations of fields. */
const REFERENCES: readonly (readonly [spec: object, text: string])[] = [
  [{ type: 'stdio', command: 'a', env: { C: '1' }, envFrom: [A, B, b] }, ''],
  [{ type: 'sse', url, headers: { C: '1' }, headersFrom: [A, B] }, ''],
  [
    { type: 'stdio', command: 'a', headersFrom: [] },
    'headersFrom: headersFrom field is only allowed when type is streamable-http or sse',
  ],
  [{ type: 'sse', url, envFrom: [] }, 'envFrom: envFrom field is only allowed when type is stdio'],
  [
    { type: 'stdio', command: 'a', env: { B: '1' }, envFrom: [A, B] },
    'envFrom: a variable is either in env or in envFrom',
  ],
  [
    { type: 'stdio', command: 'a', envFrom: [A, B, A] },
    'envFrom: each variable of envFrom has another name',
  ],
  [
    { type: 'sse', url, headers: { B: '1' }, headersFrom: [A, B] },
    'headersFrom: a header is either in headers or in headersFrom',
  ],
  [
    { type: 'sse', url, headers: { b: '1' }, headersFrom: [A, B] },
    'headersFrom: a header is either in headers or in headersFrom, whatever the case of its name',
  ],
  [
    { type: 'sse', url, headersFrom: [B, b] },
    'headersFrom: each header of headersFrom has another name',
  ],
  [
    { type: 'stdio', command: 'a', envFrom: [A, { name: 'B' }] },
    'envFrom[1]: exactly one of secretKeyRef and configMapKeyRef is required',
  ],
  [
    { type: 'sse', url, headersFrom: [{ ...A, configMapKeyRef: ref }] },
    'headersFrom[0]: exactly one of secretKeyRef and configMapKeyRef is required',
  ],
];

/** Specs that pass the schema, and their invalid combinations of fields. */
const SPECS: readonly (readonly [spec: object, text: string])[] = [
  [{ type: 'stdio' }, 'command: command is required when type is stdio'],
  [{ type: 'stdio', command: 'a', args: [], cwd: '/', env: {} }, ''],
  [
    { type: 'stdio', command: 'a', headers: {} },
    'headers: headers field is only allowed when type is streamable-http or sse',
  ],
  [{ type: 'stdio', command: 'a', auth: { type: 'none' } }, ''],
  [{ type: 'stdio', command: 'a', auth: { type: 'none', forwardToken: false } }, ''],
  ...[
    { type: 'oauth' },
    { type: 'none', forwardToken: true },
    {
      type: 'none',
      tokenExchange: { enabled: true, dexTokenEndpoint: 'https://dex/token', connectorId: 'a' },
    },
  ].map(
    (auth) =>
      [
        { type: 'stdio', command: 'a', auth },
        'auth: auth configuration is only supported for remote server types (streamable-http or sse)',
      ] as const,
  ),
  [{ type: 'streamable-http' }, 'url: url is required when type is streamable-http or sse'],
  [{ type: 'sse' }, 'url: url is required when type is streamable-http or sse'],
  [{ type: 'sse', url, headers: {}, auth: { type: 'none' } }, ''],
  [
    { type: 'streamable-http', url, args: [] },
    'args: args field is only allowed when type is stdio',
  ],
  [{ type: 'sse', url, cwd: '/' }, 'cwd: cwd field is only allowed when type is stdio'],
  [
    { type: 'sse', url, startTimeout: 9 },
    'startTimeout: startTimeout field is only allowed when type is stdio',
  ],
  [{ type: 'sse', url, instances: 'perSession' }, ''],
  ...REFERENCES,
  ...AUTHS.map(([auth, text]) => [{ type: 'sse', url, auth }, text] as const),
];

const valuesOf = ([spec]: readonly [object, string]): object => ({
  mcpservers: { wiki: { spec } },
  secretFiles: [{ secret: 'api', keys: ['token'] }],
  configMapFiles: [{ configMap: 'api', keys: ['token'] }],
});

it.each([
  ['secretKeyRef', 'Secret', 'secretFiles'],
  ['configMapKeyRef', 'ConfigMap', 'configMapFiles'],
])(
  'refuses a value of %s that no file provides, unless it is optional',
  async (field, kind, files) => {
    const optional = { name: 'C', [field]: { name: 'api', key: 'other', optional: true } };
    const present = { name: 'B', [field]: { name: 'api', key: 'token' } };
    const absent = { name: 'D', [field]: { name: 'api', key: 'other' } };
    const specs = [
      [present, optional],
      [present, absent],
    ].map((headersFrom) => ({ type: 'sse', url, headersFrom }));
    expect(
      await templateTexts(
        'gateway',
        '{{ include "gateway.problem" . }}',
        specs.map((spec) => valuesOf([spec, ''])),
      ),
    ).toEqual([
      '',
      `mcpservers.wiki.spec.headersFrom[1].${field} needs the key "other" of the ${kind} "api": add both to ${files}`,
    ]);
  },
);

it('refuses invalid combinations of server fields with their path', async () =>
  expect(
    await templateTexts('gateway', '{{ include "gateway.problem" . }}', SPECS.map(valuesOf)),
  ).toEqual(SPECS.map(([, text]) => (text === '' ? '' : `mcpservers.wiki.spec.${text}`))));

it.each(SPECS)('refuses like the gateway, with its text: %j', (spec, text) => {
  const parsed = parseMcpServer({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: 'wiki' },
    spec,
  });
  expect(parsed).toMatchObject(
    text === ''
      ? { ok: true }
      : { ok: false, error: [{ message: text.replace(/^[\w.[\]]+: /u, '') }] },
  );
});

it.each(listCelRules('MCPServer'))('states the rule $id of the resource', ({ message }) =>
  expect(SPECS.some(([, text]) => text.endsWith(`: ${message}`))).toBe(true),
);
