import type { Requirements } from '@gateway/repo-checks';

export const requirements = {
  '1.5/mcpserver-kind':
    'MCPServer, in the API group and version v1alpha1, registers a downstream MCP server.',
  '1.5/api-group': 'The API group is a parameter; the version is v1alpha1.',

  '2.6/top-level': 'Top level: apiVersion, kind, metadata (name, namespace, labels), spec, status.',
  '2.6/type': 'type is required: stdio, streamable-http or sse.',
  '2.6/command': 'command is the executable of a stdio server.',
  '2.6/args': 'args are command-line arguments of a stdio server.',
  '2.6/url': 'url is the endpoint of a remote server.',
  '2.6/env': 'env is a map of environment variables.',
  '2.6/headers': 'headers is a map of HTTP headers for requests to a remote server.',
  '2.6/tool-prefix-field': 'toolPrefix is a prefix for the server’s tool names.',
  '2.6/family-field': 'family is an object; name and instanceArg are required in it.',
  '2.6/description': 'description is up to 500 characters.',
  '2.6/auto-start-field': 'autoStart is a boolean, false by default.',
  '2.6/timeout-field': 'timeout is an integer of seconds: default 30, range 1 to 300.',
  '2.6/auth-type': 'auth.type is oauth or none, none by default.',
  '2.6/auth-forward-token': 'auth.forwardToken is a boolean, false by default.',
  '2.6/auth-required-audiences': 'auth.requiredAudiences is an array of audiences.',
  '2.6/auth-precedence':
    'When both tokenExchange and forwardToken are set, token exchange takes precedence.',
  '2.6/authorization-server-exclusions':
    'authorizationServer excludes forwardToken: true and tokenExchange.enabled: true, and is valid only when type is oauth.',
  '2.6/token-exchange-enabled': 'tokenExchange.enabled is false by default.',
  '2.6/token-exchange-endpoint':
    'tokenExchange.dexTokenEndpoint is a URL, required when enabled is true.',
  '2.6/token-exchange-issuer':
    'tokenExchange.expectedIssuer is derived from dexTokenEndpoint when unset.',
  '2.6/token-exchange-connector': 'tokenExchange.connectorId is required when enabled is true.',
  '2.6/token-exchange-scopes': 'tokenExchange.scopes is by default openid profile email groups.',
  '2.6/client-credentials-ref':
    'clientCredentialsSecretRef: name; namespace by default the server’s; clientIdKey client-id; clientSecretKey client-secret.',
  '2.6/issuer': 'authorizationServer.issuer is required: HTTPS, no trailing slash.',
  '2.6/authorization-server-scopes':
    'authorizationServer.scopes are space-separated OAuth scope tokens.',
  '2.6/stdio-states': 'States of a stdio server: Running, Starting, Stopped, Failed.',
  '2.6/remote-states':
    'States of a remote server: Connected, Auth Required, Connecting, Disconnected, Failed.',

  '7.6/command': 'command is required for stdio.',
  '7.6/url': 'url is required for streamable-http and sse.',
  '7.6/args': 'args only for stdio.',
  '7.6/headers': 'headers only for remote types.',
  '7.6/authorization-server': 'authorizationServer excludes what §2.6 says.',
  '7.6/token-exchange': 'tokenExchange requires dexTokenEndpoint and connectorId when enabled.',

  '8/server-description': 'MCPServer.spec.description is up to 500 characters.',
  '8/server-timeout': 'MCPServer.spec.timeout: default 30, min 1, max 300 seconds.',
  '8/server-auto-start': 'MCPServer autoStart is false by default.',

  '9.1/group-version': 'Custom resources: API group, version v1alpha1.',
} as const satisfies Requirements;
