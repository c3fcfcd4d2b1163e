import { optionalText, requiredText } from '../arguments/argument-kinds.ts';
import { defineMetaTool, READS_SERVER } from '../definition/define-meta-tool.ts';
import { asksForInput } from '../definition/input-required.ts';
import type { Refusal } from '../contract/refusal.ts';
import { jsonResult, memberResult, refusalResult } from '../contract/result.ts';
import { findResource } from './resource-owner.ts';

const readRefusal = (refusal: Refusal): Refusal =>
  refusal.code === 'resource.unknown'
    ? { code: 'resource.failed', reason: `resource not found: ${refusal.uri}` }
    : refusal;

/** Reads a resource from its server, or from the gateway itself. The answer is its `contents`, text or binary. @spec §1.1, §4.2 */
export const getResource = defineMetaTool({
  name: 'get_resource',
  description:
    'Read a resource by URI, or by a URI made from a resource template. Answers its contents; binary data is base64 in "blob".',
  annotations: READS_SERVER,
  arguments: {
    uri: requiredText('URI of the resource'),
    server: optionalText('Server to ask when several expose the URI'),
  },
  resultSchema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        uri: { type: 'string' },
        mimeType: { type: 'string' },
        text: { type: 'string' },
        blob: { type: 'string', description: 'base64' },
      },
      required: ['uri'],
    },
  },
  refuse: (wanted, context) => {
    const found = findResource(wanted, context);
    return found.ok ? undefined : readRefusal(found.refusal);
  },
  answer: async (wanted, context) => {
    const found = findResource(wanted, context);
    if (!found.ok) return refusalResult(readRefusal(found.refusal), context.ports);
    const item = found.value;
    if (item.server === undefined)
      return jsonResult(await context.ports.readGatewayResource(item.uri, context.call));
    const uri = 'serverUri' in item ? item.serverUri : wanted.uri;
    const outcome = await context.ports.readResource({ server: item.server, uri }, context.call);
    if (!outcome.ok)
      return refusalResult({ code: 'resource.failed', reason: outcome.text }, context.ports);
    return asksForInput(outcome.result) ? outcome : memberResult(outcome.result, 'contents');
  },
});
