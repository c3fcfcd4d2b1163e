import type { McpServer } from '@gateway/crd-schemas';

/** Returns the values of a definition that must never be shown. */
export const secretsOf = (server: McpServer): readonly string[] => [
  ...Object.values(server.spec.env),
  ...Object.values(server.referenced?.values ?? {}),
  ...(server.spec.type === 'stdio' ? [] : Object.values(server.spec.headers)),
];
