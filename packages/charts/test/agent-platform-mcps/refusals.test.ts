import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { expectTexts, mapTable } from '../harness/template-texts.ts';

const CHART = 'agent-platform-mcps';
const PROBLEM = '{{ include "agent-platform-mcps.problem" . }}';

const KUBERNETES = { cluster: 'alpha', group: 'kubernetes', url: 'http://mcp.tools.svc:8080/mcp' };
const PROVIDER = { tokenEndpoint: 'https://dex.beta.example.com/token', connectorId: 'alpha' };

const withEntry = (entry: object) => ({ mcpServers: [{ ...KUBERNETES, name: 'x', ...entry }] });
const withProvider = (provider: object) => ({
  identityProviders: { p: { ...PROVIDER, ...provider } },
});
const exchange = { auth: { mode: 'exchange', provider: 'p' } };
const authorizationServer = { issuer: 'https://login.example.com' };
const oauth = (server: object) => ({ auth: { mode: 'oauth', authorizationServer: server } });

const IDENTIFIER = 'a letter, then letters, digits, "-" and "_"';
const LABEL =
  'a DNS label: at most 63 lower-case letters, digits and "-", the first and the last no "-"';
const LABEL_VALUE =
  'the value of a label: 1 to 63 letters, digits, "-", "_" and ".", the first and the last a letter or digit';
const HTTPS =
  'an https:// URL: a host without user and password, then optionally a port, a path and a query';
const HTTP =
  'an http:// or https:// URL: a host without user and password, then optionally a port, a path and a query';

const SECRET_KEY = 'a key of a Secret: letters, digits, "-", "_" and "."';

const ENTRIES = {
  [`toolGroup must be ${LABEL_VALUE}`]: [{ toolGroup: '' }, { toolGroup: 'g'.repeat(64) }],
  'unknown auth.mode "y" (want none|oauth|forward|exchange)': { auth: { mode: 'y' } },
  'auth.authorizationServer is only allowed with auth.mode=oauth': [
    { auth: { authorizationServer } },
    { auth: { mode: 'none', authorizationServer } },
    { auth: { mode: 'forward', authorizationServer } },
  ],
  'auth.provider is only allowed with auth.mode=exchange': {
    auth: { mode: 'forward', provider: 'p' },
  },
  'auth.audiences are only allowed with auth.mode=forward or auth.mode=exchange': {
    auth: { mode: 'oauth', audiences: ['a'] },
  },
  'auth.authorizationServer.issuer must be an https:// URL without trailing slash, query and fragment':
    oauth({ issuer: 'https://a.example/' }),
  'auth.authorizationServer.scopes must be OAuth scopes separated by single spaces': oauth({
    ...authorizationServer,
    scopes: 'a  b',
  }),
  [`namespace must be ${LABEL}`]: { namespace: 'a.b' },
  'cluster must be the value of a label: at most 63 letters, digits, "-", "_" and ".", the first and the last a letter or digit':
    { cluster: 'alpha beta' },
  [`group must be ${IDENTIFIER}`]: { group: '8s' },
  'group must be at most 59 characters, the last a letter or digit': { group: 'g'.repeat(60) },
  [`toolPrefix must be ${IDENTIFIER}, at most 128`]: { toolPrefix: 'a.b' },
  // The text does not repeat a password.
  [`url must be ${HTTP}`]: [
    { url: 'mcp.tools.svc:8080/mcp' },
    { url: 'https://me:secret@example.com/mcp' },
  ],
  'unknown transport "stdio" (want streamable-http|sse)': { transport: 'stdio' },
  'timeout must be 1 to 300 seconds': [0, 301, -1, 1e21].map((timeout) => ({ timeout })),
};

/** Identity providers are validated whether used or not. */
const PROVIDERS = {
  [`tokenEndpoint must be ${HTTPS}`]: { tokenEndpoint: 'http://dex/token' },
  [`expectedIssuer must be ${HTTPS}`]: { expectedIssuer: 'http://dex' },
  [`connectorId must be ${IDENTIFIER}`]: { connectorId: 'a b' },
  'scopes must be OAuth scopes separated by single spaces': { scopes: 'öffnen' },
  'credentialsSecret.name must be the name of a Secret: lower-case letters, digits, "-" and "."': {
    credentialsSecret: { name: 'Dex' },
  },
  [`credentialsSecret.namespace must be ${LABEL}`]: {
    credentialsSecret: { name: 'dex', namespace: 'a.b' },
  },
  [`credentialsSecret.clientIdKey must be ${SECRET_KEY}`]: {
    credentialsSecret: { name: 'dex', clientIdKey: 'client/id' },
  },
  [`credentialsSecret.clientSecretKey must be ${SECRET_KEY}`]: {
    credentialsSecret: { name: 'dex', clientSecretKey: 'client/id' },
  },
};

const OTHERS = {
  [`mcpServers entry "github": toolGroup must be ${LABEL_VALUE}`]: withEntry({
    name: 'github',
    toolGroup: 'a b',
  }),
  [`mcpServers entry "Alpha-mcp-kubernetes": name must be ${LABEL}`]: {
    mcpServers: [{ ...KUBERNETES, cluster: 'Alpha' }],
  },
  [`mcpServers entry "${'a'.repeat(64)}": name must be ${LABEL}`]: withEntry({
    name: 'a'.repeat(64),
  }),
  'mcpServers entry "alpha-mcp-kubernetes": an earlier entry has the same name in namespace "demo-ns"':
    { mcpServers: [KUBERNETES, { ...KUBERNETES, namespace: 'demo-ns', url: 'http://other' }] },
  [`muster.families.kubernetes.toolGroup must be ${LABEL_VALUE}`]: {
    muster: { families: { kubernetes: { toolGroup: '-platform' } } },
  },
  'muster.families.logs.instanceArg must be the name of an argument: a letter, then letters, digits and "_"':
    { muster: { families: { logs: { instanceArg: 'cluster-name' } } } },
  'mcpServers entry "x": auth.authorizationServer is only allowed with auth.mode=oauth': {
    ...withEntry({ auth: { ...exchange.auth, authorizationServer } }),
    ...withProvider({}),
  },
  'mcpServers entry "x" has auth.mode=exchange but no auth.provider': withEntry({
    auth: { mode: 'exchange' },
  }),
  'auth.provider "p" (used by "x") is not defined under identityProviders': withEntry(exchange),
  'auth.provider "p" (used by "x") has no connectorId under identityProviders': {
    ...withEntry(exchange),
    identityProviders: { p: { tokenEndpoint: 'https://dex/token' } },
  },
  '': [
    {},
    { muster: { families: { kubernetes: { toolGroup: 'team_a.storage' } } } },
    { ...withEntry(exchange), ...withProvider({}) },
    { identityProviders: { p: { tokenEndpoint: 'https://dex/token' } } },
    { mcpServers: [KUBERNETES, { ...KUBERNETES, namespace: 'elsewhere' }] },
    ...[
      {},
      { toolGroup: 'agent-platform' },
      { toolGroup: 'G'.repeat(63) },
      { auth: { mode: 'none' } },
      oauth(authorizationServer),
      { timeout: 1 },
      { timeout: 300 },
      { cluster: 'Alpha' },
      { group: 'g'.repeat(59) },
      { url: 'https://mcp.example.com.:443/mcp?a=b' },
      { url: 'http://[::1]:8080/mcp' },
    ].map(withEntry),
  ],
};

describe('values that a schema cannot validate', () => {
  it('are refused with a sentence that names the entry, or accepted', async () => {
    await expectTexts(CHART, PROBLEM, OTHERS);
    await expectTexts(CHART, PROBLEM, mapTable(ENTRIES, 'mcpServers entry "x": ', withEntry));
    await expectTexts(CHART, PROBLEM, mapTable(PROVIDERS, 'identityProviders "p": ', withProvider));
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
