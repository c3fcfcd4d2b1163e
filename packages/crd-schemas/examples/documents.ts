import { formatApiVersion, MCP_SERVER_KIND, type McpServerDocument } from '@gateway/crd-schemas';

/** A document that the compiler has checked: a stdio server without `command`, or with `url`, does not compile. */
export const server: McpServerDocument = {
  apiVersion: formatApiVersion(),
  kind: MCP_SERVER_KIND,
  metadata: { name: 'files', labels: { 'gateway.internal/tool-group': 'files' } },
  spec: {
    type: 'stdio',
    command: 'serve-files',
    cwd: 'servers',
    timeout: 60,
  },
};
