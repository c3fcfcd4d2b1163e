import { EXPOSE_HEADER, exposureOf } from '@gateway/gateway-config';
import type { McpService, RequestContext } from '@gateway/mcp-http';

/**
 * Returns a native service whose requests with the header use the meta-tools instead, so that programs that manage a gateway work with
 * both exposures. The toolset of such a request restricts it in the same way.
 */
export function withMetaTools(native: McpService, meta: McpService): McpService {
  const serviceOf = ({ header }: RequestContext): McpService =>
    exposureOf('native', header) === 'meta' ? meta : native;
  const own: Partial<McpService> = {
    scopeHeaders: [...(native.scopeHeaders ?? []), EXPOSE_HEADER.toLowerCase()],
    list: (method, context) => serviceOf(context).list(method, context),
    call: (call, context) => serviceOf(context).call(call, context),
    refuseHeaders: (context) => serviceOf(context).refuseHeaders?.(context),
    refuseCall: (call, context) => serviceOf(context).refuseCall?.(call, context),
    inputSchema: (tool, context) => serviceOf(context).inputSchema?.(tool, context),
  };
  // The capabilities of a service change with its servers: they are inherited, not copied.
  return Object.assign(Object.create(native) as McpService, own);
}
