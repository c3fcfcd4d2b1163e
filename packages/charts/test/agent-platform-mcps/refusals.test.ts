import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { templateTexts } from '../harness/template-texts.ts';

const CHART = 'agent-platform-mcps';
const PROBLEM = '{{ include "agent-platform-mcps.problem" . }}';

type Values = Readonly<Record<string, unknown>>;

const KUBERNETES = { cluster: 'alpha', group: 'kubernetes', url: 'http://mcp.tools.svc:8080/mcp' };
const PROVIDER = { tokenEndpoint: 'https://dex.beta.example.com/token', connectorId: 'alpha' };

const withEntry = (entry: Values, further: Values = {}): Values => ({
  mcpServers: [{ ...KUBERNETES, name: 'x', ...entry }],
  ...further,
});
const withProvider = (provider: Values): Values => ({
  identityProviders: { p: { ...PROVIDER, ...provider } },
});
const exchange = { auth: { mode: 'exchange', provider: 'p' } };
const issuer = { issuer: 'https://login.example.com' };

const IDENTIFIER = 'a letter, then letters, digits, "-" and "_"';
const LABEL =
  'a DNS label: at most 63 lower-case letters, digits and "-", the first and the last no "-"';
const LABEL_VALUE =
  'the value of a label: 1 to 63 letters, digits, "-", "_" and ".", the first and the last a letter or digit';
const HTTPS =
  'an https:// URL: a host without user and password, then optionally a port, a path and a query';
const HTTP =
  'an http:// or https:// URL: a host without user and password, then optionally a port, a path and a query';

/** Values and their refusal, each next to accepted values. */
const REFUSED: readonly (readonly [string, Values, string])[] = [
  // Tool groups.
  [
    'a tool group of an entry that no label can have',
    withEntry({ name: 'github', group: 'github', toolGroup: 'a b' }),
    `mcpServers entry "github": toolGroup must be ${LABEL_VALUE}`,
  ],
  [
    'an empty tool group',
    withEntry({ toolGroup: '' }),
    `mcpServers entry "x": toolGroup must be ${LABEL_VALUE}`,
  ],
  [
    'a tool group of 64 characters',
    withEntry({ toolGroup: 'g'.repeat(64) }),
    `mcpServers entry "x": toolGroup must be ${LABEL_VALUE}`,
  ],
  [
    'a tool group of a family that no label can have',
    { muster: { families: { kubernetes: { toolGroup: '-platform' } } } },
    `muster.families.kubernetes.toolGroup must be ${LABEL_VALUE}`,
  ],
  [
    'an argument that no tool can have',
    { muster: { families: { logs: { instanceArg: 'cluster-name' } } } },
    'muster.families.logs.instanceArg must be the name of an argument: a letter, then letters, digits and "_"',
  ],
  // Ways to authenticate.
  [
    'an unknown mode',
    withEntry({ auth: { mode: 'y' } }),
    'mcpServers entry "x": unknown auth.mode "y" (want none|oauth|forward|exchange)',
  ],
  [
    'an exchange without a provider',
    withEntry({ auth: { mode: 'exchange' } }),
    'mcpServers entry "x" has auth.mode=exchange but no auth.provider',
  ],
  [
    'an exchange with an unknown provider',
    withEntry(exchange),
    'auth.provider "p" (used by "x") is not defined under identityProviders',
  ],
  [
    'an exchange whose provider has no connector',
    withEntry(exchange, { identityProviders: { p: { tokenEndpoint: 'https://dex/token' } } }),
    'auth.provider "p" (used by "x") has no connectorId under identityProviders',
  ],
  ...['none', 'forward', 'exchange'].map(
    (mode) =>
      [
        `an authorization server beside ${mode}`,
        withEntry({ auth: { mode, provider: 'p', authorizationServer: issuer } }, withProvider({})),
        'mcpServers entry "x": auth.authorizationServer is only allowed with auth.mode=oauth',
      ] as const,
  ),
  [
    'an authorization server without a mode',
    withEntry({ auth: { authorizationServer: issuer } }),
    'mcpServers entry "x": auth.authorizationServer is only allowed with auth.mode=oauth',
  ],
  [
    'a provider that nobody reads',
    withEntry({ auth: { mode: 'forward', provider: 'p' } }, withProvider({})),
    'mcpServers entry "x": auth.provider is only allowed with auth.mode=exchange',
  ],
  [
    'audiences that nobody reads',
    withEntry({ auth: { mode: 'oauth', audiences: ['a'] } }),
    'mcpServers entry "x": auth.audiences are only allowed with auth.mode=forward or auth.mode=exchange',
  ],
  [
    'an issuer with a trailing slash',
    withEntry({ auth: { mode: 'oauth', authorizationServer: { issuer: 'https://a.example/' } } }),
    'mcpServers entry "x": auth.authorizationServer.issuer must be an https:// URL without trailing slash, query and fragment',
  ],
  [
    'scopes with two spaces',
    withEntry({ auth: { mode: 'oauth', authorizationServer: { ...issuer, scopes: 'a  b' } } }),
    'mcpServers entry "x": auth.authorizationServer.scopes must be OAuth scopes separated by single spaces',
  ],
  // Identity providers, whether used or not.
  [
    'a token endpoint without TLS',
    withProvider({ tokenEndpoint: 'http://dex/token' }),
    `identityProviders "p": tokenEndpoint must be ${HTTPS}`,
  ],
  [
    'an issuer without TLS',
    withProvider({ expectedIssuer: 'http://dex' }),
    `identityProviders "p": expectedIssuer must be ${HTTPS}`,
  ],
  [
    'a connector that is no identifier',
    withProvider({ connectorId: 'a b' }),
    `identityProviders "p": connectorId must be ${IDENTIFIER}`,
  ],
  [
    'scopes that are none',
    withProvider({ scopes: 'öffnen' }),
    'identityProviders "p": scopes must be OAuth scopes separated by single spaces',
  ],
  [
    'a Secret whose name is none',
    withProvider({ credentialsSecret: { name: 'Dex' } }),
    'identityProviders "p": credentialsSecret.name must be the name of a Secret: lower-case letters, digits, "-" and "."',
  ],
  [
    'a Secret in a namespace that is none',
    withProvider({ credentialsSecret: { name: 'dex', namespace: 'a.b' } }),
    `identityProviders "p": credentialsSecret.namespace must be ${LABEL}`,
  ],
  ...['clientIdKey', 'clientSecretKey'].map(
    (key) =>
      [
        `a key that no Secret has as ${key}`,
        withProvider({ credentialsSecret: { name: 'dex', [key]: 'client/id' } }),
        `identityProviders "p": credentialsSecret.${key} must be a key of a Secret: letters, digits, "-", "_" and "."`,
      ] as const,
  ),
  // Names.
  [
    'a cluster with capitals',
    { mcpServers: [{ ...KUBERNETES, cluster: 'Alpha' }] },
    `mcpServers entry "Alpha-mcp-kubernetes": name must be ${LABEL}`,
  ],
  [
    'a name of 64 characters',
    withEntry({ name: 'a'.repeat(64) }),
    `mcpServers entry "${'a'.repeat(64)}": name must be ${LABEL}`,
  ],
  [
    'a namespace with a dot',
    withEntry({ namespace: 'a.b' }),
    `mcpServers entry "x": namespace must be ${LABEL}`,
  ],
  [
    'a cluster that no label can hold',
    withEntry({ cluster: 'alpha beta' }),
    'mcpServers entry "x": cluster must be the value of a label: at most 63 letters, digits, "-", "_" and ".", the first and the last a letter or digit',
  ],
  [
    'a group that starts with a digit',
    withEntry({ group: '8s' }),
    `mcpServers entry "x": group must be ${IDENTIFIER}`,
  ],
  [
    'a group that no label can hold',
    withEntry({ group: 'g'.repeat(60) }),
    'mcpServers entry "x": group must be at most 59 characters, the last a letter or digit',
  ],
  [
    'a prefix with a dot',
    withEntry({ toolPrefix: 'a.b' }),
    `mcpServers entry "x": toolPrefix must be ${IDENTIFIER}, at most 128`,
  ],
  [
    'two entries that would be one object',
    { mcpServers: [KUBERNETES, { ...KUBERNETES, namespace: 'demo-ns', url: 'http://other' }] },
    'mcpServers entry "alpha-mcp-kubernetes": an earlier entry has the same name in namespace "demo-ns"',
  ],
  // How a server is reached.
  [
    'a url without a scheme',
    withEntry({ url: 'mcp.tools.svc:8080/mcp' }),
    `mcpServers entry "x": url must be ${HTTP}`,
  ],
  [
    'a url with a password, which the text does not repeat',
    withEntry({ url: 'https://me:secret@example.com/mcp' }),
    `mcpServers entry "x": url must be ${HTTP}`,
  ],
  [
    'a transport that has no url',
    withEntry({ transport: 'stdio' }),
    'mcpServers entry "x": unknown transport "stdio" (want streamable-http|sse)',
  ],
  ...[0, 301, -1, 1e21].map(
    (timeout) =>
      [
        `a timeout of ${timeout.toString()}`,
        withEntry({ timeout }),
        'mcpServers entry "x": timeout must be 1 to 300 seconds',
      ] as const,
  ),
];

const TAKEN: readonly (readonly [string, Values])[] = [
  ['nothing', {}],
  ['an entry', withEntry({})],
  ['a tool group with a preset', withEntry({ toolGroup: 'agent-platform' })],
  ['a tool group of 63 characters', withEntry({ toolGroup: 'G'.repeat(63) })],
  [
    'a tool group of a family of its own',
    { muster: { families: { kubernetes: { toolGroup: 'team_a.storage' } } } },
  ],
  ['every mode without more', withEntry({ auth: { mode: 'none' } })],
  [
    'an authorization server beside oauth',
    withEntry({ auth: { mode: 'oauth', authorizationServer: issuer } }),
  ],
  ['an exchange with its provider', withEntry(exchange, withProvider({}))],
  [
    'a provider without a connector that nobody uses',
    { identityProviders: { p: { tokenEndpoint: 'https://dex/token' } } },
  ],
  ['timeouts at the bounds', withEntry({ timeout: 1 })],
  ['timeouts at the other bound', withEntry({ timeout: 300 })],
  [
    'one name in two namespaces',
    { mcpServers: [KUBERNETES, { ...KUBERNETES, namespace: 'elsewhere' }] },
  ],
  ['a cluster with capitals beside a name', withEntry({ cluster: 'Alpha' })],
  ['a group of 59 characters', withEntry({ group: 'g'.repeat(59) })],
  ['a host with the dot of the root', withEntry({ url: 'https://mcp.example.com.:443/mcp?a=b' })],
  ['an address', withEntry({ url: 'http://[::1]:8080/mcp' })],
];

describe('values that a schema cannot validate', () => {
  it('are refused with a sentence that names the entry', async () => {
    const texts = await templateTexts(
      CHART,
      PROBLEM,
      REFUSED.map(([, values]) => values),
    );
    expect(REFUSED.map(([about], at) => [about, texts[at]])).toEqual(
      REFUSED.map(([about, , text]) => [about, text]),
    );
  });

  it('are accepted when valid', async () => {
    const texts = await templateTexts(
      CHART,
      PROBLEM,
      TAKEN.map(([, values]) => values),
    );
    expect(TAKEN.map(([about], at) => [about, texts[at]])).toEqual(
      TAKEN.map(([about]) => [about, '']),
    );
  });

  it('fail the render with the text of the first problem that the schema does not find', async () => {
    const values = withEntry({ name: 'github', group: 'github', toolGroup: 'a b', timeout: 5 });
    expect(await render(CHART, values)).toEqual({
      ok: false,
      error: expect.stringContaining(
        'agent-platform-mcps/templates/validate.yaml:2:4): mcpServers entry "github": toolGroup must be the value of a label: 1 to 63 letters, digits, "-", "_" and ".", the first and the last a letter or digit\n',
      ) as string,
    });
  });
});
