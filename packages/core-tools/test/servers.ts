import type { McpServer } from '@gateway/crd-schemas';
import type { ServerEntry } from '../src/ports.ts';

const API = { apiVersion: 'gateway.internal/v1alpha1', kind: 'MCPServer' } as const;

const STDIO = { type: 'stdio', autoStart: true, timeout: 30 } as const;

const FILES: McpServer = {
  ...API,
  metadata: { name: 'files', namespace: 'default', labels: {} },
  spec: {
    ...STDIO,
    command: 'npx',
    args: ['server-filesystem', '/data'],
    env: { API_TOKEN: 'file-secret', __proto__x: 'another-secret' },
    description: 'Files of the team',
  },
};

const WIKI: McpServer = {
  ...API,
  metadata: { name: 'wiki', namespace: 'default', labels: {} },
  spec: {
    type: 'streamable-http',
    url: 'https://bot:wiki-password@wiki.example/mcp?api_key=wiki-key&lang=en',
    headers: { Authorization: 'Bearer wiki-secret' },
    env: {},
    autoStart: false,
    timeout: 60,
    auth: {
      type: 'oauth',
      forwardToken: false,
      requiredAudiences: [],
      tokenExchange: {
        enabled: true,
        dexTokenEndpoint: 'https://dex.example/token',
        connectorId: 'local',
        scopes: 'openid',
        clientCredentialsSecretRef: {
          name: 'wiki-client',
          namespace: 'default',
          clientIdKey: 'client-id',
          clientSecretKey: 'client-secret',
        },
      },
    },
  },
};

const BROKEN: McpServer = {
  ...API,
  metadata: { name: 'broken', namespace: 'default', labels: {} },
  spec: { ...STDIO, command: 'no-such-thing', args: [], env: {} },
};

/** A running stdio server with secrets in its environment. */
export const files: ServerEntry = {
  name: 'files',
  definition: FILES,
  state: 'Running',
  toolsCount: 11,
  connectedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  restartCount: 2,
  serverInfo: { name: 'secure-filesystem-server', version: '0.2.0' },
  protocolVersion: '2025-06-18',
};

/** A remote server that waits for a sign-in, with secrets in its headers and its URL. */
export const wiki: ServerEntry = {
  name: 'wiki',
  definition: WIKI,
  state: 'Auth Required',
  toolsCount: 0,
  restartCount: 0,
};

/** A stdio server whose program does not exist. */
export const broken: ServerEntry = {
  name: 'broken',
  definition: BROKEN,
  state: 'Failed',
  reason: 'spawn no-such-thing ENOENT',
  failureCode: 'command-not-found',
  toolsCount: 0,
  restartCount: 4,
  nextRetryAt: Date.UTC(2026, 0, 2, 3, 5),
};

/** Returns a server with other fields of its spec and its metadata. */
export const withSpec = (server: ServerEntry, spec: object, metadata: object = {}): ServerEntry => {
  const { definition } = server;
  return {
    ...server,
    definition: {
      ...definition,
      metadata: { ...definition.metadata, ...metadata },
      spec: { ...definition.spec, ...spec },
    },
  };
};
