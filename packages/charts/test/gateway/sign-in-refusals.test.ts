import { parseConfig } from '@gateway/gateway-config';
import { describe, expect, it } from 'vitest';
import { expectTexts, templateTexts, type TextTable } from '../harness/template-texts.ts';

const PROBLEM = '{{ include "gateway.problem" . }}';
const http = { publicUrl: 'https://gateway.example.com' };
const issuer = 'https://login.example.com';
const introspection = {
  endpoint: 'https://login.example.com/introspect',
  clientId: 'gateway',
  clientSecretFile: '/secrets/introspection',
};
const upstream = { issuer, clientId: 'gateway' };

/** Blocks that pass the schema of the chart and are refused by the gateway for one reason. */
const REFUSED_BY_BOTH: readonly object[] = [
  { http: { publicUrl: 'gateway.example.com' } },
  { http: { publicUrl: 'https://gateway.example.com/mcp' } },
  { http: { publicUrl: 'https://me@gateway.example.com' } },
  { http, auth: { mode: 'resource-server' } },
  { http, auth: { mode: 'broker' } },
  { http, auth: { issuers: [{ issuer }, { issuer }] } },
  {
    auth: {
      issuers: [
        { issuer, introspection },
        { issuer: 'https://b.example', introspection },
      ],
    },
  },
  { auth: { issuers: [{ issuer: 'login.example.com' }] } },
  { auth: { issuers: [{ issuer }, { issuer: 'https://b.example', jwksUri: 'keys' }] } },
  { auth: { issuers: [{ issuer, introspection: { ...introspection, endpoint: 'here' } }] } },
  { auth: { broker: { upstream: { ...upstream, issuer: 'ftp://login.example.com' } } } },
  { auth: { resource: 'gateway' } },
  { auth: { resource: 'https://gateway.example.com/mcp?a' } },
  { auth: { redirects: ['https://a.example/', 'b.example'] } },
  { auth: { serverClients: [{ issuer: 'c.example', clientId: 'x' }] } },
  { auth: { clientDocumentUrl: 'http://gateway.example.com/client' } },
  { auth: { clientDocumentUrl: 'client' } },
  {
    auth: {
      broker: { upstream: { ...upstream, authorizationParameters: { prompt: 'a', state: 'b' } } },
    },
  },
];

const TAKEN_BY_BOTH: readonly object[] = [
  { http: { publicUrl: 'http://gateway.example.com:8090/' } },
  { http, auth: { mode: 'resource-server', issuers: [{ issuer, introspection }] } },
  {
    http,
    auth: {
      mode: 'broker',
      broker: { upstream: { ...upstream, authorizationParameters: { prompt: 'consent' } } },
      redirects: ['https://a.example/b'],
      clientDocumentUrl: 'https://gateway.example.com/client',
      resource: 'https://gateway.example.com/mcp',
    },
  },
];

const sentencesOf = (muster: object): readonly string[] => {
  const parsed = parseConfig(muster);
  return parsed.ok ? [] : parsed.issues.map(({ message }) => `muster.${message}`);
};

describe('the configuration of sign-in', () => {
  it('is refused with the sentences of the gateway, after the path of the value', async () => {
    const texts = await templateTexts(
      'gateway',
      PROBLEM,
      REFUSED_BY_BOTH.map((muster) => ({ muster })),
    );
    const sentences = REFUSED_BY_BOTH.map(sentencesOf);
    for (const [at, text] of texts.entries()) expect(sentences[at], text).toContain(text);
    expect(texts).toHaveLength(REFUSED_BY_BOTH.length);
    expect(sentences.every((several) => several.length > 0)).toBe(true);
  });

  it('is accepted when the gateway accepts it', async () => {
    const cases = TAKEN_BY_BOTH.map((muster) => ({ muster }));
    await expectTexts('gateway', PROBLEM, { '': cases });
    expect(TAKEN_BY_BOTH.flatMap(sentencesOf)).toEqual([]);
  });

  it('requires the URL of clients, because a pod is not reached at a loopback address', async () => {
    const textFor = (mode: string) =>
      `muster.http.publicUrl is required for auth.mode: ${mode}: set the URL at which clients reach the gateway`;
    await expectTexts('gateway', PROBLEM, {
      [textFor('resource-server')]: {
        muster: { auth: { mode: 'resource-server', issuers: [{ issuer }] } },
      },
      [textFor('broker')]: { muster: { auth: { mode: 'broker', broker: { upstream } } } },
    });
  });
});

const brokerWith = (clientSecretFile: string, further: object = {}): object => ({
  muster: {
    http,
    auth: { mode: 'broker', broker: { upstream: { ...upstream, clientSecretFile } } },
  },
  ...further,
});
const provider = { secret: 'provider', keys: ['client-secret'] };
const redis = { store: 'redis', url: 'redis://state' };
const exchanging = (clientCredentialsSecretRef: object): object => ({
  spec: {
    type: 'sse',
    url: 'http://a/sse',
    auth: {
      type: 'oauth',
      tokenExchange: {
        enabled: true,
        dexTokenEndpoint: 'https://dex/token',
        connectorId: 'a',
        clientCredentialsSecretRef,
      },
    },
  },
});

const FILES: TextTable = {
  '': [
    brokerWith('/var/run/secrets/provider/client-secret'),
    brokerWith('secrets/provider/client-secret', { secretFiles: [provider] }),
    {
      mcpservers: { a: exchanging({ name: 'remote-dex' }) },
      secretFiles: [{ secret: 'remote-dex', keys: ['client-id', 'client-secret'] }],
    },
  ],
  'muster.auth.broker.upstream.clientSecretFile is "secrets/provider/client-secret", which no Secret of secretFiles provides: add it there, as secrets/<secret>/<key>, or set an absolute path':
    brokerWith('secrets/provider/client-secret'),
  'muster.auth.broker.upstream.clientSecretFile is "client-secret", which no Secret of secretFiles provides: add it there, as secrets/<secret>/<key>, or set an absolute path':
    brokerWith('client-secret', { secretFiles: [provider] }),
  'muster.state.keyFile is "secrets/state/key", which no Secret of secretFiles provides: add it there, as secrets/<secret>/<key>, or set an absolute path':
    { muster: { state: { ...redis, keyFile: 'secrets/state/key' } } },
  'secretFiles[1] names the key "client-secret" of "provider", which has a file already': {
    secretFiles: [provider, { secret: 'provider', keys: ['client-id', 'client-secret'] }],
  },
  'configMapFiles[1] names the key "b" of "a", which has a file already': {
    secretFiles: [{ secret: 'a', keys: ['b'] }],
    configMapFiles: [
      { configMap: 'a', keys: ['b'] },
      { configMap: 'a', keys: ['c', 'b'] },
    ],
  },
  'mcpservers.a.spec.auth.tokenExchange.clientCredentialsSecretRef needs the key "client-id" of the Secret "remote-dex": add both to secretFiles':
    { mcpservers: { a: exchanging({ name: 'remote-dex' }) } },
  'mcpservers.a.spec.auth.tokenExchange.clientCredentialsSecretRef needs the key "secret" of the Secret "remote-dex": add both to secretFiles':
    {
      mcpservers: { a: exchanging({ name: 'remote-dex', clientSecretKey: 'secret' }) },
      secretFiles: [{ secret: 'remote-dex', keys: ['client-id', 'client-secret'] }],
    },
};

it('files with secrets must be provided by a Secret', async () => {
  await expectTexts('gateway', PROBLEM, FILES);
});
