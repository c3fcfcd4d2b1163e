import { describe, expect, it } from 'vitest';
import { parseConfig } from '../src/parse-config.ts';

const messages = (document: unknown): readonly string[] => {
  const parsed = parseConfig(document);
  return parsed.ok ? [] : parsed.issues.map(({ message }) => message);
};

describe('parseConfig', () => {
  it.each([
    ['the key', { kubernetes: true }, {}],
    ['the mapping', { kubernetes: { enabled: true } }, {}],
    ['the environment', {}, { GATEWAY_KUBERNETES: 'true' }],
  ])('reads a cluster that %s enables', (_title, document, environment) => {
    expect(parseConfig(document, environment)).toMatchObject({
      ok: true,
      config: { kubernetes: { enabled: true, namespaces: [] } },
    });
    expect(parseConfig({ kubernetes: false })).toMatchObject({
      config: { kubernetes: { enabled: false } },
    });
  });

  it.each([
    ['the key', { http: { legacySse: true } }, {}],
    ['the environment', {}, { GATEWAY_LEGACY_SSE: 'true' }],
  ])('serves the transport of 2024-11-05 where %s enables it', (_title, document, environment) => {
    expect(parseConfig(document, environment)).toMatchObject({
      config: { http: { legacySse: true } },
    });
    expect(parseConfig({})).toMatchObject({ config: { http: { legacySse: false } } });
  });

  it('fills in every default of an absent or empty document', () => {
    const defaults = {
      apiGroup: 'gateway.internal',
      labelDomain: 'gateway.internal',
      state: { store: 'memory', prefix: 'gateway:' },
      stateDirectory: 'state',
      pinToolHints: false,
      events: { maxEvents: 5000, aggregationSeconds: 600 },
      servers: {
        stdioStartSeconds: 60,
        healthIntervalSeconds: 30,
        healthTimeoutSeconds: 10,
        healthFailures: 3,
        healthSuccesses: 2,
        backoffInitialMs: 1000,
        backoffMaxSeconds: 60,
        maxConcurrentStarts: 24,
        maxConcurrentCalls: 128,
        maxQueuedCalls: 256,
        maxResultBytes: 262_144,
        checkArguments: true,
        maxMessageBytes: 67_108_864,
        maxListItems: 50_000,
        userIdleSeconds: 600,
        maxUserConnections: 1000,
        plainHttpTokenHosts: [],
        registries: [],
      },
      detect: { allowPrivate: false },
      auth: {
        mode: 'none',
        adminGroups: [],
        allowPrivate: false,
        issuers: [],
        redirects: [],
        serverClients: [],
      },
      metaTools: { pageSize: 100 },
      search: { synonyms: [] },
      coreTools: { secretReferences: false },
      audit: { maxBytes: 67_108_864, maxFiles: 10 },
      http: {
        host: '127.0.0.1',
        port: 8090,
        allowedHosts: [],
        allowedOrigins: [],
        legacySse: false,
        maxBodyBytes: 4_194_304,
        maxBodyValues: 100_000,
        maxConcurrentRequests: 256,
        maxConcurrentCallsPerCaller: 96,
        maxQueuedCallsPerCaller: 160,
        rateLimit: { requestsPerSecond: 200, burst: 400 },
        trustedProxies: [],
        forwardedHeader: 'x-forwarded-for',
        maxSessions: 1000,
        sessionIdleSeconds: 1800,
        sessionMaxAgeSeconds: 86_400,
        requestTimeoutSeconds: 330,
        questionTimeoutSeconds: 300,
        maxWaitingCalls: 256,
        maxConnections: 2048,
        maxStreams: 1024,
        maxStreamsPerCaller: 512,
        maxUnreadAnswerBytes: 134217728,
        maxListenStreams: 2048,
        drainDelaySeconds: 0,
        drainSeconds: 8,
        listTtlSeconds: 0,
        resourceTtlSeconds: 0,
      },
      health: { enabled: true, readySeconds: 5 },
      kubernetes: {
        enabled: false,
        namespaces: [],
        lease: 'gateway',
        secretNamespaces: [],
        allowStdio: false,
      },
      workflows: {
        maxExecutions: 10_000,
        executionMaxAgeSeconds: 1_814_400,
        maxDepth: 8,
        maxLoopItems: 1000,
        maxParallel: 32,
        toolTimeoutSeconds: 300,
        cleanupSeconds: 30,
        maxRenderedBytes: 16_777_216,
        maxRunBytes: 268_435_456,
        maxRunSteps: 10_000_000,
        renderProcesses: 1,
        renderMemoryBytes: 67_108_864,
        renderTimeoutSeconds: 10,
      },
    };
    expect(parseConfig(undefined)).toEqual({ ok: true, config: defaults });
    expect(parseConfig({})).toEqual({ ok: true, config: defaults });
  });

  it('lets the environment override the group and the domain, unless it is blank', () => {
    const environment = { GATEWAY_API_GROUP: 'tools.example', GATEWAY_LABEL_DOMAIN: '' };
    expect(parseConfig({ labelDomain: 'labels.example' }, environment)).toMatchObject({
      config: { apiGroup: 'tools.example', labelDomain: 'labels.example' },
    });
  });

  it.each([
    [{ http: { port: 65_535 } }, []],
    [{ http: { port: 65_536 } }, ['http.port: must be a whole number from 0 to 65535']],
    [{ http: { port: '80' } }, ['http.port: must be a whole number from 0 to 65535']],
    [{ http: { allowedHosts: 'a' } }, ['http.allowedHosts: must be a list']],
    [{ http: { allowedHosts: [''] } }, ['http.allowedHosts.0: must not be empty']],
    [
      {
        servers: {
          plainHttpTokenHosts: [
            '*.svc',
            '[::1]',
            'http://a',
            'a:80',
            '[::1]:80',
            'a/b',
            'me@a',
            'a b',
          ],
        },
      },
      [2, 3, 4, 5, 6, 7].map(
        (index) =>
          `servers.plainHttpTokenHosts.${index}: must be a pattern of host names, without scheme, port and path`,
      ),
    ],
    [{ http: { publicUrl: 'https://gateway.example.com' } }, []],
    [
      { http: { publicUrl: 'https://example.com/gateway' } },
      ['http.publicUrl: must be a URL with https or http, without a path'],
    ],
    [{ http: { trustedProxies: ['10.0.0.0/8', '::1'] } }, []],
    [
      { http: { trustedProxies: ['proxy.example'] } },
      ['http.trustedProxies.0: must be an IP address or a range such as 10.0.0.0/8'],
    ],
    [
      { http: { forwardedHeader: 'x-real-ip' } },
      ['http.forwardedHeader: must be x-forwarded-for or forwarded'],
    ],
    [{ http: { rateLimit: { enabled: false } } }, []],
    [{ http: { rateLimit: { rate: 1 } } }, ['http.rateLimit.rate: unknown key']],
    [{ http: null }, ['http: must be a mapping']],
    [{ coreTools: { writes: 'workflows' } }, []],
    [{ coreTools: { writes: 'some' } }, ['coreTools.writes: must be all, workflows or none']],
    [{ workflows: { executionsDirectory: 'runs', maxDepth: 1 } }, []],
    [
      { workflows: { executionsDirectory: '' } },
      ['workflows.executionsDirectory: must not be empty'],
    ],
    [{ workflows: { maxDepth: 0 } }, ['workflows.maxDepth: must be a whole number from 1 to 64']],
    [{ workflows: { retention: 1 } }, ['workflows.retention: unknown key']],
    [{ apiGroup: 'a-b.example' }, []],
    [
      { apiGroup: 'bad group!' },
      ['apiGroup: must be a DNS name in lower case, such as gateway.internal'],
    ],
    [{ prot: 1, http: { hsot: 1 } }, ['http.hsot: unknown key', 'prot: unknown key']],
    [
      { auth: { broker: { upstream: { issuer: 'https://login.example.com' } } } },
      ['auth.broker.upstream.clientId: is required'],
    ],
    [{ auth: { issuers: [{}] } }, ['auth.issuers.0.issuer: is required']],
    [{ auth: { redirects: ['https://portal.example.com/app'] } }, []],
    [
      { auth: { redirects: ['data:text/html,x'] } },
      ['auth.redirects.0: must be a URL with https or http, without a query'],
    ],
    ['text', ['must be a mapping']],
    [JSON.parse('{"__proto__": {"port": 1}}'), ['__proto__: unknown key']],
  ])('%j gives %j', (document, expected) => {
    expect([...messages(document)].sort()).toEqual(expected);
  });
});
