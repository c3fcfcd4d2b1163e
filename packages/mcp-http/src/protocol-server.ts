/* eslint-disable @typescript-eslint/no-deprecated -- the object that replaces it checks results and drops unknown keys */
import { ProtocolError, Server, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { CallResult, McpService } from './mcp-service.ts';
import { INTERNAL_ERROR } from './active-call.ts';
import { isJsonObject, RPC_CODE } from './json-rpc.ts';
import type { HeaderReader } from './request-headers.ts';
import { parseToolCall, progressParams } from './tool-call.ts';

/** What stands in for an HTTP request where there is none. */
export interface ProtocolServerOptions {
  /** Answers `CallContext.header`. */
  readonly header?: HeaderReader;
  /** `CallContext.sessionId` of every call. */
  readonly sessionId?: string;
  /** Is told of errors that callers see as an internal error. */
  readonly onError?: (error: unknown) => void;
}

type ServerContext = Parameters<NonNullable<Server['fallbackRequestHandler']>>[1];

/**
 * Builds the SDK's server object over a service, for a transport that carries one connection.
 * Tools go through its fallback handler, since its own `tools/call` checks results and drops what it does not know.
 */
export const createProtocolServer = (
  service: McpService,
  options: ProtocolServerOptions = {},
): Server => {
  const server = new Server(service.info, {
    capabilities: { tools: {} },
    ...(service.instructions !== undefined && { instructions: service.instructions }),
  });
  server.fallbackRequestHandler = (request, context) => {
    switch (request.method) {
      case 'tools/list':
        return Promise.resolve({ tools: service.tools });
      case 'tools/call':
        return callTool(service, options, { request, context });
      default:
        throw new ProtocolError(RPC_CODE.methodNotFound, 'Method not found');
    }
  };
  return server;
};

const callTool = async (
  service: McpService,
  { header = () => undefined, sessionId, onError }: ProtocolServerOptions,
  { request, context }: { readonly request: JSONRPCRequest; readonly context: ServerContext },
): Promise<CallResult> => {
  const parsed = parseToolCall(request.params, (name) =>
    service.tools.some((tool) => tool.name === name),
  );
  if (!parsed.ok) throw new ProtocolError(parsed.error.code, parsed.error.message);
  const { name, arguments: args, meta, progressToken } = parsed.call;
  const { signal, notify } = context.mcpReq;
  try {
    const result = await service.callTool(
      { name, arguments: args },
      {
        sessionId,
        header,
        signal,
        ...(meta !== undefined && { meta }),
        ...(progressToken !== undefined && {
          onProgress: (progress) => {
            const params = { ...progressParams(progressToken, progress) };
            notify({ method: 'notifications/progress', params }).catch(() => undefined);
          },
        }),
      },
    );
    return checkedResult(result);
  } catch (error) {
    if (!signal.aborted) onError?.(error);
    throw new ProtocolError(INTERNAL_ERROR.code, INTERNAL_ERROR.message);
  }
};

/** The SDK leaves a request without an answer when its result turns out not to be JSON at the moment of writing. */
const checkedResult = (result: unknown): CallResult => {
  if (!isJsonObject(result)) throw new TypeError('A tool result must be an object');
  JSON.stringify(result);
  return result;
};
