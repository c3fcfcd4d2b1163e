/* eslint-disable @typescript-eslint/no-deprecated -- the object that replaces it checks results and drops unknown keys */
import { type ListMethod, CALL_METHODS, LIST_METHODS } from '@gateway/mcp-wire';
import { ANONYMOUS, type JsonObject, type RpcError } from '@gateway/call-contract';
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import type { McpService } from '../src/index.ts';
import { parseCallParams } from '../src/protocol/client-message.ts';
import { createListResult } from '../src/protocol/lists.ts';
import type { ServiceCallContext } from '../src/protocol/mcp-service.ts';
import type { HeaderReader } from '../src/protocol/client-message.ts';
import { CAPABILITIES, formatResultText } from '../src/protocol/results.ts';

const raise = ({ code, message, data }: RpcError): never => {
  throw new ProtocolError(code, message, data);
};

/** The SDK's own server object over a service, to which this package is compared. */
export const createProtocolServer = (
  service: McpService,
  header: HeaderReader = () => undefined,
): Server => {
  const server = new Server(service.info, {
    capabilities: service.capabilities,
    ...(service.instructions !== undefined && { instructions: service.instructions }),
  });
  const answer: NonNullable<Server['fallbackRequestHandler']> = async (request, { mcpReq }) => {
    const list = LIST_METHODS.find((method) => method === request.method);
    const call = [...CALL_METHODS].find((method) => method === request.method);
    const method = list ?? call;
    if (method === undefined || service.capabilities[CAPABILITIES[method]] === undefined)
      return raise({ code: -32_601, message: 'Method not found' });
    const context = { principal: ANONYMOUS, sessionId: undefined, header };
    if (call === undefined) {
      const listed = service.list(method as ListMethod, context);
      const era = mcpReq.envelope === undefined ? 'legacy' : 'modern';
      return listed.ok
        ? createListResult(method as ListMethod, listed.items, era)
        : raise(listed.error);
    }
    const parsed = parseCallParams(call, request.params);
    if (!parsed.ok) return raise(parsed.error);
    const { params, meta, progressToken } = parsed.call;
    const answered = await service.call({ method: call, params }, {
      ...context,
      signal: mcpReq.signal,
      ...(meta !== undefined && { meta }),
      ...(progressToken !== undefined && {
        onProgress: (progress: object) => {
          const report = { ...progress, progressToken };
          void mcpReq.notify({ method: 'notifications/progress', params: report });
        },
      }),
    } as ServiceCallContext);
    if (!answered.ok) return raise(answered.error);
    return JSON.parse(formatResultText(answered.result as JsonObject, undefined)) as JsonObject;
  };
  server.fallbackRequestHandler = async (request, context) => {
    try {
      return await answer(request, context);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return raise({ code: -32_603, message: 'Internal error' });
    }
  };
  return server;
};
