import type {
  CatalogInput,
  CatalogSnapshot,
  CoreToolEntry,
  ServerInventory,
  ServerTool,
  WorkflowToolEntry,
} from '../src/index.ts';
import { buildCatalog } from '../src/index.ts';

/** A server that offers nothing but what is said. */
export const server = (
  name: string,
  tools: readonly (string | ServerTool)[] = [],
  rest: Partial<ServerInventory> = {},
): ServerInventory => ({
  name,
  labels: {},
  tools: tools.map((tool) => (typeof tool === 'string' ? serverTool(tool) : tool)),
  resources: [],
  resourceTemplates: [],
  prompts: [],
  ...rest,
});

export const serverTool = (name: string, rest: Partial<ServerTool> = {}): ServerTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...rest,
});

/** A member of the family `k8s`, whose instances are chosen by `cluster`. */
export const member = (
  name: string,
  tools: readonly (string | ServerTool)[],
  rest: Partial<ServerInventory> = {},
): ServerInventory =>
  server(name, tools, { family: { name: 'k8s', instanceArg: 'cluster' }, ...rest });

export const workflow = (
  name: string,
  rest: Partial<WorkflowToolEntry> = {},
): WorkflowToolEntry => ({ name, description: '', inputSchema: { type: 'object' }, ...rest });

export const core = (name: `core_${string}`, rest: Partial<CoreToolEntry> = {}): CoreToolEntry => ({
  name,
  description: '',
  inputSchema: { type: 'object' },
  annotations: {},
  ...rest,
});

export const inputOf = (
  servers: readonly ServerInventory[],
  rest: Partial<CatalogInput> = {},
): CatalogInput => ({ servers, workflows: [], coreTools: [], ...rest });

export const catalogOf = (...servers: readonly ServerInventory[]): CatalogSnapshot =>
  buildCatalog(inputOf(servers));

export const names = (items: readonly { readonly name: string }[]): readonly string[] =>
  items.map(({ name }) => name);
