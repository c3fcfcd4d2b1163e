import { expect, it } from 'vitest';
import { parseManifestObjects, type ManifestObject } from '../../src/render.ts';
import { templateTexts } from '../harness/template-texts.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';

const REFUSED = 'REFUSED ';
const BODY = `{{- with include "agent-platform-mcps.problem" . }}${REFUSED}{{ . }}{{ else }}
{{- range .Values.mcpServers }}
---
{{ include "agent-platform-mcps.server" (dict "root" $ "entry" .) }}
{{- end }}
{{- end -}}`;

/** Texts with a special meaning in YAML, templates or programs. */
const FEW = [
  ...['', '.', 'no', '1e3', 'a-', '"', '{{ .Values }}', '__proto__', 'a\n---\nb', 'a'.repeat(129)],
];
const TEXTS = [
  ...FEW,
  ..." |~|A|a_b|a b|0x10|1:20|2001-01-01|a: b|- a|!!str a|'|%s|\\|constructor|🦊".split('|'),
  ...['\t', '\u0000', 'a\u00a0b', '\u2028', 'a'.repeat(63), 'a'.repeat(64)],
];

const URLS = [
  ...'http://a https://a http://a/ https://a.b https://a.b/c/ https://a.b/c HTTP://a.b'.split(' '),
  ...'http:// http:/// http://. http://.. http://a..b http://-a http://a- http://a_b/'.split(' '),
  ...'http://1.2.3.4:80 http://1.2.3.400 http://1.2.3 http://256 http://0x1g http://9a/'.split(' '),
  ...'http://[::1]:80/ http://[::1 http://aa: http://aa:0/ http://aa:65535'.split(' '),
  ...'http://aa:65536 http://aa:99999 http://aa:8o http://u@a.b https://u:p@a.b'.split(' '),
  ...'http://a.b?c=%zz https://a.b#c https://a.b?c ftp://a.b gopher:a.b //a.b http:a.b'.split(' '),
  ...'http://ä.b http://a.b/ä http://a%00b/ http://a.b/{{x}}'.split(' '),
  ...['http://a b', 'http://a/b c', 'http://a.b/\n', 'http://a.b/\u00a0'],
];

/** A field, its texts, and the values with a text there. */
type Field = readonly [
  field: string,
  texts: readonly string[],
  values: (text: string) => unknown,
  /** Location of the unchanged text in the output. */
  seen?: ((server: Server) => unknown) | undefined,
  /** Name that a refusal must contain. */
  subject?: string,
];

interface Server extends ManifestObject {
  readonly spec: {
    readonly url: string;
    readonly toolPrefix?: string;
    readonly family?: { readonly name: string; readonly instanceArg: string };
    readonly auth: {
      readonly requiredAudiences?: readonly string[];
      readonly authorizationServer?: { readonly issuer: string; readonly scopes?: string };
      readonly tokenExchange?: Readonly<Record<string, unknown>> & {
        readonly clientCredentialsSecretRef?: Readonly<Record<string, string>>;
      };
    };
  };
}

const ENTRY = { cluster: 'alpha', group: 'kubernetes', name: 'x', url: 'http://mcp.svc:8080/mcp' };
const PROVIDER = { tokenEndpoint: 'https://dex/token', connectorId: 'alpha' };
const SUBJECT = 'mcpServers entry "x"';
const PROVIDER_SUBJECT = 'identityProviders "p"';

const entry = (create: (text: string) => object) => (text: string) => ({
  mcpServers: [{ ...ENTRY, ...create(text) }],
});
const entryField = (field: string) => entry((text) => ({ [field]: text }));
const provider = (create: (text: string) => object) => (text: string) => ({
  identityProviders: { p: { ...PROVIDER, ...create(text) } },
  mcpServers: [{ ...ENTRY, auth: { mode: 'exchange', provider: 'p' } }],
});
const label = (key: string) => (server: Server) =>
  server.metadata.labels?.[`gateway.internal/${key}`];
const oauth = (server: object) => ({ auth: { mode: 'oauth', authorizationServer: server } });
const families = (group: string, instanceArg: string) => ({
  muster: { families: Object.fromEntries([[group, { instanceArg }]]) },
  mcpServers: [{ ...ENTRY, group }],
});

/** A field of the identity provider, by its name in the exchange of the server. */
const providerField = (field: string, texts: readonly string[], seen = field): Field => [
  field,
  texts,
  provider((text) => ({ [field]: text })),
  ({ spec }) => spec.auth.tokenExchange?.[seen],
  PROVIDER_SUBJECT,
];

const isNotUnset = (text: string): boolean => text !== '';
const SET = TEXTS.filter(isNotUnset);
const FEW_SET = FEW.filter(isNotUnset);
const FEW_URLS = [...FEW, ...URLS];

const FIELDS: readonly Field[] = [
  ['cluster', SET, entryField('cluster'), label('management-cluster')],
  ['group', TEXTS, entryField('group'), (one) => label('type')(one)?.slice('mcp-'.length)],
  ['name', SET, entryField('name'), ({ metadata }) => metadata.name, 'mcpServers entry "'],
  ['namespace', FEW_SET, entryField('namespace'), ({ metadata }) => metadata.namespace],
  ['url', FEW_URLS, entryField('url'), ({ spec }) => spec.url],
  ['toolPrefix', FEW_SET, entryField('toolPrefix'), ({ spec }) => spec.toolPrefix],
  ['transport', FEW_SET, entryField('transport')],
  ['toolGroup', FEW, entryField('toolGroup')],
  ['auth.mode', FEW_SET, entry((mode) => ({ auth: { mode } }))],
  [
    'auth.provider',
    SET,
    entry((name) => ({ auth: { mode: 'exchange', provider: name } })),
    undefined,
    '(used by "x") is not defined',
  ],
  [
    'auth.audiences',
    SET,
    entry((audience) => ({ auth: { mode: 'forward', audiences: [audience] } })),
    ({ spec }) => spec.auth.requiredAudiences?.[0],
  ],
  [
    'issuer',
    FEW_URLS,
    entry((issuer) => oauth({ issuer })),
    ({ spec }) => spec.auth.authorizationServer?.issuer,
  ],
  [
    'scopes',
    TEXTS,
    entry((scopes) => oauth({ issuer: 'https://a.b', scopes })),
    ({ spec }) => spec.auth.authorizationServer?.scopes,
  ],
  providerField('tokenEndpoint', FEW_URLS, 'dexTokenEndpoint'),
  providerField('expectedIssuer', FEW),
  providerField('connectorId', FEW_SET),
  providerField('scopes', FEW),
  ...['name', 'namespace', 'clientIdKey', 'clientSecretKey'].map((key): Field => [
    `credentialsSecret.${key}`,
    FEW,
    provider((text) => ({ credentialsSecret: { name: 'dex', [key]: text } })),
    ({ spec }) => spec.auth.tokenExchange?.clientCredentialsSecretRef?.[key],
    PROVIDER_SUBJECT,
  ]),
  [
    'key of identityProviders',
    SET,
    (key) => ({
      identityProviders: Object.fromEntries([[key, PROVIDER]]),
      mcpServers: [{ ...ENTRY, auth: { mode: 'exchange', provider: key } }],
    }),
  ],
  [
    'key of muster.families',
    TEXTS,
    (group) => families(group, 'cluster'),
    ({ spec }) => spec.family?.name,
  ],
  [
    'instanceArg',
    FEW,
    (instanceArg) => families('kubernetes', instanceArg),
    ({ spec }) => spec.family?.instanceArg,
    'muster.families.kubernetes.instanceArg must be',
  ],
];

/** Returns the problem of a rendered text, or undefined. */
const findProblem = ([, , , seen, subject = SUBJECT]: Field, text: string, result: string) => {
  if (result.startsWith(REFUSED)) return result.includes(subject) ? undefined : result;
  const servers = parseManifestObjects(result) as readonly Server[];
  const [server] = servers;
  const problems = kubernetesProblems(servers);
  if (server === undefined || servers.length > 1 || problems.length > 0)
    return { servers, problems };
  return seen === undefined || seen(server) === text ? undefined : { seen: seen(server) };
};

it('texts from outside become the same text of a valid MCPServer, or a refusal that names the entry', async () => {
  const cases = FIELDS.flatMap((field) => field[1].map((text) => ({ field, text })));
  const values = cases.map(({ field, text }) => field[2](text));
  const results = await templateTexts('agent-platform-mcps', BODY, values);
  expect(results).toHaveLength(cases.length);
  const failures = cases.map(({ field, text }, at) => ({
    field: field[0],
    text,
    problem: findProblem(field, text, results[at] ?? ''),
  }));
  expect(failures.filter(({ problem }) => problem !== undefined)).toEqual([]);
});
