/* eslint-disable @typescript-eslint/no-deprecated -- the object that replaces it checks results and drops unknown keys */
import { ProtocolError, Server, type JSONRPCRequest } from '@modelcontextprotocol/server';
import { parseCallParams, progressParams } from './call-params.ts';
import { noCaller, type Caller } from './caller.ts';
import { isJsonObject, RPC_CODE, type RpcError } from './json-rpc.ts';
import { LIST_MEMBER } from './list-text.ts';
import type {
  CallContext,
  CallMethod,
  JsonObject,
  ListMethod,
  McpService,
  ServiceAnswer,
} from './mcp-service.ts';
import { CAPABILITY_OF } from './protocol-results.ts';
import type { HeaderReader } from './request-headers.ts';
import { INTERNAL_ERROR } from './service-protocol.ts';

/** What stands in for an HTTP request where there is none. */
export interface ProtocolServerOptions {
  /** Answers `RequestContext.header`. */
  readonly header?: HeaderReader;
  /** `RequestContext.sessionId` of every request. */
  readonly sessionId?: string;
  /** Is told of errors that callers see as an internal error. */
  readonly onError?: (error: unknown) => void;
}

type ServerContext = Parameters<NonNullable<Server['fallbackRequestHandler']>>[1];

/** One request that the SDK's object hands over. */
interface Handed {
  readonly request: JSONRPCRequest;
  readonly context: ServerContext;
}

/**
 * Builds the SDK's server object over a service, for a transport that carries one connection.
 * The service's methods go through its fallback handler, since its own handlers check results and drop what they do not know.
 */
export const createProtocolServer = (
  service: McpService,
  options: ProtocolServerOptions = {},
): Server => {
  const server = new Server(service.info, {
    capabilities: service.capabilities,
    ...(service.instructions !== undefined && { instructions: service.instructions }),
  });
  const caller = noCaller(server);
  server.fallbackRequestHandler = async (request, context) => {
    const { method } = request;
    const isServed =
      Object.hasOwn(CAPABILITY_OF, method) &&
      service.capabilities[CAPABILITY_OF[method as CallMethod | ListMethod]] !== undefined;
    if (!isServed)
      throw protocolError({ code: RPC_CODE.methodNotFound, message: 'Method not found' });
    const handed = { request, context };
    return isListMethod(method)
      ? list(service, options, method)
      : call({ service, options, caller }, handed);
  };
  return server;
};

const isListMethod = (method: string): method is ListMethod => Object.hasOwn(LIST_MEMBER, method);

const protocolError = ({ code, message, data }: RpcError): ProtocolError =>
  new ProtocolError(code, message, data);

const noHeader: HeaderReader = () => undefined;

const list = (
  service: McpService,
  { header = noHeader, sessionId, onError }: ProtocolServerOptions,
  method: ListMethod,
): JsonObject => {
  const answer = answeredBy(onError, () => service.list(method, { sessionId, header }));
  if (!answer.ok) throw protocolError(answer.error);
  return { [LIST_MEMBER[method]]: answer.items };
};

const answeredBy = <A>(onError: ProtocolServerOptions['onError'], answer: () => A): A => {
  try {
    return answer();
  } catch (error) {
    onError?.(error);
    throw protocolError(INTERNAL_ERROR);
  }
};

const call = async (
  {
    service,
    options,
    caller,
  }: {
    readonly service: McpService;
    readonly options: ProtocolServerOptions;
    readonly caller: Caller;
  },
  { request, context }: Handed,
): Promise<JsonObject> => {
  const method = request.method as CallMethod;
  const parsed = parseCallParams(method, request.params);
  if (!parsed.ok) throw protocolError(parsed.error);
  const { meta, progressToken, params } = parsed.call;
  const { signal, notify } = context.mcpReq;
  const callContext: CallContext = {
    sessionId: options.sessionId,
    header: options.header ?? noHeader,
    signal,
    caller,
    ...(meta !== undefined && { meta }),
    ...(progressToken !== undefined && {
      onProgress: (progress) => {
        const report = { ...progressParams(progressToken, progress) };
        notify({ method: 'notifications/progress', params: report }).catch(() => undefined);
      },
    }),
  };
  const answer = await checkedAnswer(options, signal, async () =>
    service.call({ method, params }, callContext),
  );
  if (!answer.ok) throw protocolError(answer.error);
  return answer.result;
};

const checkedAnswer = async (
  { onError }: ProtocolServerOptions,
  signal: AbortSignal,
  answer: () => Promise<ServiceAnswer>,
): Promise<ServiceAnswer> => {
  try {
    const given = await answer();
    if (given.ok) assertJsonObject(given.result);
    return given;
  } catch (error) {
    if (!signal.aborted) onError?.(error);
    throw protocolError(INTERNAL_ERROR);
  }
};

/** The SDK leaves a request without an answer when its result turns out not to be JSON at the moment of writing. */
const assertJsonObject = (result: unknown): void => {
  if (!isJsonObject(result)) throw new TypeError('A result must be an object');
  JSON.stringify(result);
};
