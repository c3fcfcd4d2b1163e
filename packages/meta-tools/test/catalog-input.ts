import type { JsonObject } from '@gateway/call-contract';
import type { CatalogInput, ServerInventory, ServerTool } from '@gateway/catalog';

const schemaOf = (...names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

const tool = (name: string, description: string, more: Partial<ServerTool> = {}): ServerTool => ({
  name,
  description,
  inputSchema: schemaOf('path'),
  ...more,
});

const NOTHING = { labels: {}, tools: [], resources: [], resourceTemplates: [], prompts: [] };

const files: ServerInventory = {
  ...NOTHING,
  name: 'files',
  labels: { team: 'storage' },
  tools: [
    tool('read_file', 'Read a file\nReads all of it.', {
      title: 'Read file',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    }),
    tool('write_file', 'Write a file', {
      annotations: { readOnlyHint: false, destructiveHint: true },
    }),
  ],
  resources: [
    { uri: 'file:///readme', name: 'readme', description: 'The readme', mimeType: 'text/plain' },
    { uri: 'shared://motd', name: 'motd' },
  ],
  resourceTemplates: [{ uriTemplate: 'file:///logs/{day}', name: 'logs' }],
  prompts: [
    {
      name: 'review',
      description: 'Review a file',
      arguments: [{ name: 'path', description: 'Which file', required: true }],
    },
  ],
};

const wiki: ServerInventory = {
  ...NOTHING,
  name: 'wiki',
  tools: [
    tool('search', 'Search the wiki', {
      inputSchema: schemaOf(),
      annotations: { readOnlyHint: true },
    }),
    tool('edit', ''),
  ],
  resources: [
    { uri: 'shared://motd', name: 'motd', description: 'Message of the day' },
    { uri: 'wiki://home', name: 'home' },
  ],
  prompts: [{ name: 'summary' }],
};

const cluster = (name: string): ServerInventory => ({
  ...NOTHING,
  name,
  family: { name: 'k8s', instanceArg: 'cluster' },
  tools: [
    {
      name: 'pods',
      description: 'List pods',
      inputSchema: schemaOf('namespace'),
      annotations: { readOnlyHint: true },
    },
  ],
  resources: [{ uri: `${name}://nodes`, name: `${name} nodes` }],
});

/** A server without tools: never inside a toolset. */
const docs: ServerInventory = {
  ...NOTHING,
  name: 'docs',
  resources: [{ uri: 'docs://guide', name: 'guide' }],
  prompts: [{ name: 'ask' }],
};

/** Servers of every sort, a family of two, two workflows and two core tools. */
export const catalogInput: CatalogInput = {
  servers: [wiki, files, cluster('prod'), cluster('dev'), docs],
  workflows: [
    {
      name: 'deploy',
      description: 'Deploy a service',
      inputSchema: schemaOf('service'),
      labels: { team: 'web' },
    },
    {
      name: 'report',
      description: 'Report on pods',
      inputSchema: schemaOf(),
      referencedTools: ['core_service_list', 'x_k8s_pods'],
    },
  ],
  coreTools: [
    {
      name: 'core_service_list',
      description: 'List services\nAll of them.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true, destructiveHint: false },
    },
    {
      name: 'core_service_stop',
      description: 'Stop a service',
      inputSchema: schemaOf('name'),
      annotations: { readOnlyHint: false, destructiveHint: true },
    },
  ],
};
