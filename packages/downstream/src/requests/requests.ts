import { ANONYMOUS, resolvesWithin, RPC_CODE } from '@gateway/call-contract';
import type { Caller, Principal } from '@gateway/call-contract';
import type { ServerTool } from '@gateway/catalog';
import type { DownstreamError, DownstreamOutcome, RequestPeer } from './call.ts';
import { toDownstreamError, notConnected } from './call.ts';
import { mirroredParams, paramHeaders } from '../wire/http/param-headers.ts';
import type { MirroredParam } from '../wire/http/param-headers.ts';
import type { RequestConnection, RequestOptions } from './outgoing-requests.ts';
import { requestWithInput } from './input-rounds.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** A tool of one server, by the server's own name. */
export interface ToolCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments?: Arguments;
}

/** A resource of one server. */
export interface ResourceRead {
  readonly server: string;
  readonly uri: string;
}

/** A prompt of one server, by the server's own name. */
export interface PromptGet {
  readonly server: string;
  readonly prompt: string;
  readonly arguments?: Arguments;
}

/** A completion of an argument of a prompt or resource template. */
export interface Completion {
  readonly server: string;
  /** `ref/prompt` or `ref/resource`, with the server's own names. */
  readonly ref: Arguments;
  readonly argument: Arguments;
  /** The arguments that already have a value. */
  readonly context?: Arguments;
}

interface Ask {
  readonly server: string;
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete';
  readonly params: Arguments;
  readonly tool?: string;
}

const refuse = (error: DownstreamError): DownstreamOutcome => ({ ok: false, error });

/** The mirrored arguments of all tools of a list, computed once per list. */
const mirroredByList = new WeakMap<
  readonly ServerTool[],
  ReadonlyMap<string, readonly MirroredParam[]>
>();

const findMirrored = (
  tools: readonly ServerTool[],
): ReadonlyMap<string, readonly MirroredParam[]> => {
  const known = mirroredByList.get(tools);
  if (known !== undefined) return known;
  const mirrored = new Map(
    tools.flatMap(({ name, inputSchema }) => {
      const params = mirroredParams(inputSchema);
      return params.length === 0 ? [] : [[name, params] as const];
    }),
  );
  mirroredByList.set(tools, mirrored);
  return mirrored;
};

const mirroredHeaders = (
  ask: Ask,
  peer: RequestPeer,
): Readonly<Record<string, string>> | undefined => {
  const { connection, definition } = peer;
  if (ask.tool === undefined || connection?.era !== 'modern') return undefined;
  if (definition.spec.type === 'stdio') return undefined;
  const mirrored = findMirrored(peer.tools).get(ask.tool);
  return mirrored === undefined ? undefined : paramHeaders(mirrored, ask.params['arguments']);
};

/** The requests of callers. Results are returned unchanged. */
export interface Requests {
  callTool(call: ToolCall, options?: RequestOptions): Promise<DownstreamOutcome>;
  readResource(read: ResourceRead, options?: RequestOptions): Promise<DownstreamOutcome>;
  getPrompt(get: PromptGet, options?: RequestOptions): Promise<DownstreamOutcome>;
  /** Refused without a request when the server does not declare completions. */
  complete(completion: Completion, options?: RequestOptions): Promise<DownstreamOutcome>;
}

/** Returns a server as the requests of a user and a client reach it; a promise while its connection is being opened. */
export type PeerOf = (
  server: string,
  principal: Principal,
  caller: Caller | undefined,
) => RequestPeer | undefined | Promise<RequestPeer | undefined>;

const refuseCompletion = (server: string): DownstreamError => ({
  code: 'request.refused',
  server,
  rpcCode: RPC_CODE.methodNotFound,
  message: 'the server does not support completions',
});

/** Written out: a spread with a key behind it takes ten times as long. */
const namedParams = (name: string, args: Arguments | undefined): Arguments =>
  args === undefined ? { name } : { name, arguments: args };

/** A request on its way to a server. */
interface Sending {
  readonly ask: Ask;
  readonly options: RequestOptions;
  readonly timeoutMs: number;
}

/** Sends a request on the present connection of a server. */
const sendTo = async (
  peer: RequestPeer,
  connection: RequestConnection,
  { ask, options, timeoutMs }: Sending,
): Promise<RequestOutcome> => {
  const { method, params } = ask;
  const headers = mirroredHeaders(ask, peer);
  connection.enter();
  try {
    return await requestWithInput(connection, { method, params, timeoutMs, headers, options });
  } finally {
    connection.leave();
  }
};

/** Returns whether the server did not know the session, and processed nothing of the request. */
const isUnprocessed = (outcome: RequestOutcome): boolean =>
  !outcome.ok && outcome.failure.kind === 'session-refused' && !outcome.failure.mayBeProcessed;

/**
 * Returns the requests over the connections that `findPeer` finds. A request is sent once: when its connection is lost it fails and is
 * not repeated, because the server may have processed it. Only a request that the server refused together with its session, before it
 * processed it, is sent once more on the next connection.
 */
export const createRequests = (findPeer: PeerOf, timeoutMs: number): Requests => {
  const find = (server: string, options: RequestOptions): ReturnType<PeerOf> =>
    findPeer(server, options.principal ?? ANONYMOUS, options.caller);
  /** Sends a request again when another connection has replaced the one whose session was refused. */
  const sendAgain = async (
    request: Ask,
    options: RequestOptions,
    first: { peer: RequestPeer; connection: RequestConnection; outcome: RequestOutcome },
    startedAt: number,
  ): Promise<RequestOutcome> => {
    const leftMs = (): number => timeoutMs - (performance.now() - startedAt);
    const replaced = (async () => {
      await first.peer.atRest?.();
      return find(request.server, options);
    })();
    const isFound = await resolvesWithin(replaced, leftMs(), options.signal);
    const peer = isFound ? await replaced : undefined;
    const connection = peer?.connection;
    if (peer === undefined || connection === undefined || connection === first.connection)
      return first.outcome;
    if (leftMs() <= 0 || options.signal?.aborted === true) return first.outcome;
    return sendTo(peer, connection, { ask: request, options, timeoutMs: leftMs() });
  };
  const ask = async (request: Ask, options: RequestOptions = {}): Promise<DownstreamOutcome> => {
    const startedAt = performance.now();
    const found = find(request.server, options);
    // Most connections are open, and no request waits for them.
    const peer = found !== undefined && 'then' in found ? await found : found;
    if (peer === undefined) return refuse({ code: 'server.unknown', server: request.server });
    // The values of the definition may change meanwhile, and the server knows the earlier ones.
    const { connection, definition } = peer;
    if (connection === undefined) return refuse(notConnected(peer));
    if (request.method === 'completion/complete' && !connection.features.completions)
      return refuse(refuseCompletion(request.server));
    let outcome = await sendTo(peer, connection, { ask: request, options, timeoutMs });
    if (isUnprocessed(outcome))
      outcome = await sendAgain(request, options, { peer, connection, outcome }, startedAt);
    if (outcome.ok) return outcome;
    const { requiresAuth } = peer;
    return refuse(toDownstreamError(outcome.failure, { definition, requiresAuth }));
  };
  return {
    callTool: ({ server, tool, arguments: args }, options) => {
      const params = namedParams(tool, args);
      return ask({ server, method: 'tools/call', params, tool }, options);
    },
    readResource: ({ server, uri }, options) =>
      ask({ server, method: 'resources/read', params: { uri } }, options),
    getPrompt: ({ server, prompt, arguments: args }, options) => {
      const params = namedParams(prompt, args);
      return ask({ server, method: 'prompts/get', params }, options);
    },
    complete: ({ server, ...params }, options) =>
      ask({ server, method: 'completion/complete', params }, options),
  };
};
