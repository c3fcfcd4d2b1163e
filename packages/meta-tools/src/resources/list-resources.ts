import { defineMetaTool, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { jsonResult } from '../contract/result.ts';
import { insideToolset } from '../scope/server-membership.ts';
import { resourceEntry, resourceEntrySchema } from './resource-entry.ts';

/** Lists every resource, then every resource template, of the servers inside the toolset and of the gateway itself. @spec §1.1, §4.2 */
export const listResources = defineMetaTool({
  name: 'list_resources',
  description:
    'List every resource and resource template of the connected servers. Prefer filter_resources when there may be many.',
  annotations: READS_CATALOG,
  arguments: {},
  resultSchema: { type: 'array', items: resourceEntrySchema },
  dependsOn: (_args, { ports }) => [ports.gatewayResources()],
  answer: (_args, context) => {
    const { resources, resourceTemplates } = context.snapshot;
    return jsonResult([
      ...insideToolset(resources, context).map(resourceEntry),
      ...context.ports.gatewayResources().map(resourceEntry),
      ...insideToolset(resourceTemplates, context).map(resourceEntry),
    ]);
  },
});
