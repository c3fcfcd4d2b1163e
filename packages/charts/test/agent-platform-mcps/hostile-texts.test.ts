import { describe, expect, it } from 'vitest';
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
  '',
  '.',
  'no',
  '1e3',
  'a-',
  '"',
  '{{ .Values }}',
  '__proto__',
  'a\n---\nb',
  'a'.repeat(129),
];
const TEXTS = [
  ...FEW,
  ...[
    ' ',
    '~',
    'A',
    'a_b',
    'a b',
    '0x10',
    '1:20',
    '2001-01-01',
    'a: b',
    '- a',
    '!!str a',
    "'",
    '%s',
    '\\',
  ],
  ...['\t', '\u0000', 'constructor', 'a\u00a0b', '🦊', '\u2028', 'a'.repeat(63), 'a'.repeat(64)],
];

const URLS = [
  ...[
    'http://a',
    'https://a',
    'http://a/',
    'https://a.b',
    'https://a.b/c/',
    'https://a.b/c',
    'HTTP://a.b',
  ],
  ...[
    'http://',
    'http:///',
    'http://.',
    'http://..',
    'http://a..b',
    'http://-a',
    'http://a-',
    'http://a_b/',
  ],
  ...[
    'http://1.2.3.4:80',
    'http://1.2.3.400',
    'http://1.2.3',
    'http://256',
    'http://0x1g',
    'http://9a/',
  ],
  ...[
    'http://[::1]:80/',
    'http://[::1',
    'http://aa:',
    'http://aa:0/',
    'http://aa:65535',
    'http://aa:65536',
  ],
  ...[
    'http://aa:99999',
    'http://aa:8o',
    'http://u@a.b',
    'https://u:p@a.b',
    'http://a b',
    'http://a/b c',
  ],
  ...[
    'http://a.b?c=%zz',
    'https://a.b#c',
    'https://a.b?c',
    'http://a.b/\n',
    'http://a.b/\u00a0',
    'ftp://a.b',
  ],
  ...[
    'gopher:a.b',
    '//a.b',
    'http:a.b',
    'http://ä.b',
    'http://a.b/ä',
    'http://a%00b/',
    'http://a.b/{{x}}',
  ],
];

interface Field {
  readonly field: string;
  readonly texts: readonly string[];
  readonly values: (text: string) => unknown;
  /** Location of the unchanged text in the output. */
  readonly seen?: (server: Server) => unknown;
  /** Name that a refusal must contain. */
  readonly subject: (text: string) => string;
}

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
const SUBJECT = (): string => 'mcpServers entry "x"';
const PROVIDER_SUBJECT = (): string => 'identityProviders "p"';

const formatEntry = (of: (text: string) => object) => (text: string) => ({
  mcpServers: [{ ...ENTRY, ...of(text) }],
});
const provider = (of: (text: string) => object) => (text: string) => ({
  identityProviders: { p: { ...PROVIDER, ...of(text) } },
  mcpServers: [{ ...ENTRY, auth: { mode: 'exchange', provider: 'p' } }],
});
const secret = (key: string) =>
  provider((text) => ({ credentialsSecret: { name: 'dex', [key]: text } }));
const secretOf = (key: string) => (server: Server) =>
  server.spec.auth.tokenExchange?.clientCredentialsSecretRef?.[key];
const formatLabel = (key: string) => (server: Server) =>
  server.metadata.labels?.[`gateway.internal/${key}`];
const oauth = (server: object) => ({ auth: { mode: 'oauth', authorizationServer: server } });

const isNotUnset = (text: string): boolean => text !== '';
const SET = TEXTS.filter(isNotUnset);
const FEW_SET = FEW.filter(isNotUnset);

const FIELDS: readonly Field[] = [
  {
    field: 'cluster',
    texts: SET,
    values: formatEntry((cluster) => ({ cluster })),
    seen: formatLabel('management-cluster'),
    subject: SUBJECT,
  },
  {
    field: 'group',
    texts: TEXTS,
    values: formatEntry((group) => ({ group })),
    seen: (server) => formatLabel('type')(server)?.slice('mcp-'.length),
    subject: SUBJECT,
  },
  {
    field: 'name',
    texts: SET,
    values: formatEntry((name) => ({ name })),
    seen: ({ metadata }) => metadata.name,
    subject: () => 'mcpServers entry "',
  },
  {
    field: 'namespace',
    texts: FEW_SET,
    values: formatEntry((namespace) => ({ namespace })),
    seen: ({ metadata }) => metadata.namespace,
    subject: SUBJECT,
  },
  {
    field: 'url',
    texts: [...FEW, ...URLS],
    values: formatEntry((url) => ({ url })),
    seen: ({ spec }) => spec.url,
    subject: SUBJECT,
  },
  {
    field: 'toolPrefix',
    texts: FEW_SET,
    values: formatEntry((toolPrefix) => ({ toolPrefix })),
    seen: ({ spec }) => spec.toolPrefix,
    subject: SUBJECT,
  },
  {
    field: 'transport',
    texts: FEW_SET,
    values: formatEntry((transport) => ({ transport })),
    subject: SUBJECT,
  },
  {
    field: 'toolGroup',
    texts: FEW,
    values: formatEntry((toolGroup) => ({ toolGroup })),
    subject: SUBJECT,
  },
  {
    field: 'auth.mode',
    texts: FEW_SET,
    values: formatEntry((mode) => ({ auth: { mode } })),
    subject: SUBJECT,
  },
  {
    field: 'auth.provider',
    texts: SET,
    values: formatEntry((name) => ({ auth: { mode: 'exchange', provider: name } })),
    subject: () => '(used by "x") is not defined',
  },
  {
    field: 'auth.audiences',
    texts: SET,
    values: formatEntry((audience) => ({ auth: { mode: 'forward', audiences: [audience] } })),
    seen: ({ spec }) => spec.auth.requiredAudiences?.[0],
    subject: SUBJECT,
  },
  {
    field: 'issuer',
    texts: [...FEW, ...URLS],
    values: formatEntry((issuer) => oauth({ issuer })),
    seen: ({ spec }) => spec.auth.authorizationServer?.issuer,
    subject: SUBJECT,
  },
  {
    field: 'scopes',
    texts: TEXTS,
    values: formatEntry((scopes) => oauth({ issuer: 'https://a.b', scopes })),
    seen: ({ spec }) => spec.auth.authorizationServer?.scopes,
    subject: SUBJECT,
  },
  {
    field: 'tokenEndpoint',
    texts: [...FEW, ...URLS],
    values: provider((tokenEndpoint) => ({ tokenEndpoint })),
    seen: ({ spec }) => spec.auth.tokenExchange?.['dexTokenEndpoint'],
    subject: PROVIDER_SUBJECT,
  },
  {
    field: 'expectedIssuer',
    texts: FEW,
    values: provider((expectedIssuer) => ({ expectedIssuer })),
    seen: ({ spec }) => spec.auth.tokenExchange?.['expectedIssuer'],
    subject: PROVIDER_SUBJECT,
  },
  {
    field: 'connectorId',
    texts: FEW_SET,
    values: provider((connectorId) => ({ connectorId })),
    seen: ({ spec }) => spec.auth.tokenExchange?.['connectorId'],
    subject: PROVIDER_SUBJECT,
  },
  {
    field: 'provider scopes',
    texts: FEW,
    values: provider((scopes) => ({ scopes })),
    seen: ({ spec }) => spec.auth.tokenExchange?.['scopes'],
    subject: PROVIDER_SUBJECT,
  },
  ...['name', 'namespace', 'clientIdKey', 'clientSecretKey'].map((key) => ({
    field: `credentialsSecret.${key}`,
    texts: FEW,
    values: secret(key),
    seen: secretOf(key),
    subject: PROVIDER_SUBJECT,
  })),
  {
    field: 'key of identityProviders',
    texts: SET,
    values: (key) => ({
      identityProviders: Object.fromEntries([[key, PROVIDER]]),
      mcpServers: [{ ...ENTRY, auth: { mode: 'exchange', provider: key } }],
    }),
    subject: SUBJECT,
  },
  {
    field: 'key of muster.families',
    texts: TEXTS,
    values: (group) => ({
      muster: { families: Object.fromEntries([[group, { instanceArg: 'cluster' }]]) },
      mcpServers: [{ ...ENTRY, group }],
    }),
    seen: ({ spec }) => spec.family?.name,
    subject: SUBJECT,
  },
  {
    field: 'instanceArg',
    texts: FEW,
    values: (instanceArg) => ({
      muster: { families: { kubernetes: { instanceArg } } },
      mcpServers: [ENTRY],
    }),
    seen: ({ spec }) => spec.family?.instanceArg,
    subject: () => 'muster.families.kubernetes.instanceArg must be',
  },
];

/** Returns the problem of a rendered text, or undefined. */
const wrong = ({ seen, subject }: Field, text: string, result: string): unknown => {
  if (result.startsWith(REFUSED)) return result.includes(subject(text)) ? undefined : result;
  const servers = parseManifestObjects(result) as readonly Server[];
  const [server] = servers;
  const problems = kubernetesProblems(servers);
  if (server === undefined || servers.length > 1 || problems.length > 0)
    return { servers, problems };
  return seen === undefined || seen(server) === text ? undefined : { seen: seen(server) };
};

describe('texts from outside', () => {
  it('become the same text of a valid MCPServer, or a refusal that names the entry', async () => {
    const cases = FIELDS.flatMap((field) => field.texts.map((text) => ({ field, text })));
    const results = await templateTexts(
      'agent-platform-mcps',
      BODY,
      cases.map(({ field, text }) => field.values(text)),
    );
    expect(results).toHaveLength(cases.length);
    const failures = cases.map(({ field, text }, at) => ({
      field: field.field,
      text,
      wrong: wrong(field, text, results[at] ?? ''),
    }));
    expect(failures.filter((each) => each.wrong !== undefined)).toEqual([]);
  });
});
