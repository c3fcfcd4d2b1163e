import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseMcpServer } from '@gateway/crd-schemas';
import type { McpServer } from '@gateway/crd-schemas';
import { fixture } from './fixture.ts';

const require = createRequire(import.meta.url);

/** A server definition as its file would give it. */
export const defineServer = (
  name: string,
  spec: Readonly<Record<string, unknown>>,
  labels: Readonly<Record<string, string>> = {},
): McpServer => {
  const parsed = parseMcpServer({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name, labels },
    spec: { autoStart: true, ...spec },
  });
  if (!parsed.ok)
    throw new Error(`the test's server ${name} is invalid: ${JSON.stringify(parsed)}`);
  return parsed.value;
};

/** The script of an installed reference server. */
export const referenceServer = (name: 'everything' | 'memory' | 'filesystem'): string => {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return join(dirname(manifest), 'dist/index.js');
};

/** A stdio definition that runs a fixture with node. */
export const stdioFixture = (
  name: string,
  script: string,
  args: readonly string[] = [],
  spec: Readonly<Record<string, unknown>> = {},
): McpServer =>
  defineServer(name, {
    type: 'stdio',
    command: process.execPath,
    args: [fixture(script), ...args],
    ...spec,
  });
