import { buildCatalog, routeToolCall, searchTools, type ServerInventory } from '@gateway/catalog';

/** A server of the family `k8s`, as it looks after its tools were listed. */
const cluster = (name: string): ServerInventory => ({
  name,
  labels: { team: 'platform' },
  family: { name: 'k8s', instanceArg: 'cluster' },
  tools: [{ name: 'pods', description: 'Lists the pods.', inputSchema: { type: 'object' } }],
  resources: [],
  resourceTemplates: [],
  prompts: [],
});

const catalog = buildCatalog({
  servers: [cluster('west'), cluster('east')],
  workflows: [],
  coreTools: [],
});

/** Where the best tool for a query is called on one instance. */
export const routed = (query: string, instance: string): string => {
  const found = searchTools(catalog, catalog.tools, { query, limit: 1 });
  const tool = found.ok ? found.value.items[0]?.tool : undefined;
  if (tool === undefined) return 'nothing found';
  const route = routeToolCall(tool, { cluster: instance });
  return route.ok
    ? `${tool.name}: ${route.value.serverTool} on ${route.value.server}`
    : route.error.code;
};

routed('which pods are there', 'east'); // x_k8s_pods: pods on east
routed('which pods are there', 'north'); // route.instance-unknown
