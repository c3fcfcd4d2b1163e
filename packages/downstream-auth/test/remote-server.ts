import type { EnabledTokenExchange, McpServer, McpServerAuth } from '@gateway/crd-schemas';

/** Returns a remote server with these settings. URLs with `http:` are possible, which a resource cannot have. */
export const remoteServer = (auth: Partial<McpServerAuth>, url = 'https://tools.example.com/mcp') =>
  ({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: 'tools', namespace: 'default', labels: {} },
    spec: {
      type: 'streamable-http',
      url,
      headers: {},
      env: {},
      autoStart: false,
      timeout: 30,
      auth: { type: 'none', forwardToken: false, requiredAudiences: [], ...auth },
    },
  }) as unknown as McpServer;

/** Returns the settings of an exchange at an endpoint. */
export const exchangeAt = (
  dexTokenEndpoint: string,
  settings: Partial<EnabledTokenExchange> = {},
): EnabledTokenExchange => ({
  enabled: true,
  dexTokenEndpoint,
  connectorId: 'home',
  scopes: 'openid profile email groups',
  ...settings,
});
