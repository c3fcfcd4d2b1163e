import { formatError, parseMcpServer } from '@gateway/crd-schemas';

/** Returns the server that a document declares, or every problem of the document. */
export const check = (document: unknown): readonly string[] => {
  const parsed = parseMcpServer(document);
  if (!parsed.ok) return parsed.error.map(formatError);
  const { metadata, spec } = parsed.value;
  return [`${metadata.name}: ${spec.type === 'stdio' ? spec.command : spec.url}`];
};

const resource = { apiVersion: 'gateway.internal/v1alpha1', kind: 'MCPServer' };

check({
  ...resource,
  metadata: { name: 'files' },
  spec: { type: 'stdio', command: 'serve-files' },
});
// files: serve-files
check({ ...resource, metadata: { name: 'files' }, spec: { type: 'stdio', timeout: 0 } });
// spec.timeout: must be at least 1
// spec.command: command is required when type is stdio
