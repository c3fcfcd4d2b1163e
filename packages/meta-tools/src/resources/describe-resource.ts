import { optionalText, requiredText } from '../arguments/argument-kinds.ts';
import { defineMetaTool, READS_CATALOG } from '../definition/define-meta-tool.ts';
import { jsonResult, refusalResult } from '../contract/result.ts';
import { resourceEntry, resourceEntrySchema } from './resource-entry.ts';
import { findResource } from './resource-owner.ts';

/** Shows one resource, or the template that a URI matches. @spec §1.1, §4.2 */
export const describeResource = defineMetaTool({
  name: 'describe_resource',
  description:
    'Show one resource: name, description, MIME type and server. Read it with get_resource.',
  annotations: READS_CATALOG,
  arguments: {
    uri: requiredText('URI of a resource, or a resource template'),
    server: optionalText('Server to ask when several expose the URI'),
  },
  resultSchema: resourceEntrySchema,
  dependsOn: (_args, { ports }) => [ports.gatewayResources()],
  answer: (wanted, context) => {
    const found = findResource(wanted, context);
    return found.ok
      ? jsonResult(resourceEntry(found.value))
      : refusalResult(found.refusal, context.ports);
  },
});
