import { expect } from 'vitest';
import { parseMcpServer, formatError, type McpServer } from '../src/index.ts';

/** A document with this spec and otherwise nothing to addProblem about. */
export const toDocument = (spec: unknown, metadata: unknown = { name: 'k8s' }): unknown => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'MCPServer',
  metadata,
  spec,
});

/** A stdio document with these fields on top. */
export const stdio = (fields: Readonly<Record<string, unknown>> = {}): unknown =>
  toDocument({ type: 'stdio', command: 'run', ...fields });

/** A remote document with these fields on top. */
export const remote = (fields: Readonly<Record<string, unknown>> = {}): unknown =>
  toDocument({ type: 'streamable-http', url: 'https://example.com/mcp', ...fields });

/** A remote document with this `auth`. */
export const withAuth = (auth: unknown): unknown => remote({ auth });

/** The server of a document that must be valid. */
export const serverOf = (document: unknown): McpServer => {
  const parsed = parseMcpServer(document);
  expect(parsed.ok ? [] : parsed.error.map(formatError)).toEqual([]);
  if (!parsed.ok) throw new Error('unreachable');
  return parsed.value;
};

/** The lines that refuse a document; empty when it is valid. */
export const refusalOf = (document: unknown): readonly string[] => {
  const parsed = parseMcpServer(document);
  return parsed.ok ? [] : parsed.error.map(formatError);
};
