import type { AuthenticationOutcome } from '@gateway/call-contract';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  findOperation,
  type FoundOperation,
  hasBody,
  HTTP_REFUSALS,
  type HttpRefusal,
  MAX_BODY_BYTES,
  type OperationName,
  OPERATIONS,
  readRequest,
  REFUSAL_STATUS,
  type AgentRefusalCode,
  createRefusal,
} from '@gateway/agent-manager-client';
import {
  createBodyReader,
  discardBody,
  type ForeignCheck,
  type RouteBody,
  type RouteHandler,
} from '@gateway/mcp-http';
import { formatAnswerJson } from '../operations/answer-text.ts';
import {
  toOperationCaller,
  type OperationCaller,
  readRequestId,
  type RunOperation,
} from '../operations/run-operation.ts';
import type { Documents, ServedDocument } from './documents.ts';

/** Returns whether the headers announce a body. RFC 9112 §6.3 */
const hasBodyHeader = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const JSON_TYPE = /^application\/json[\t ]*(?:;(.*))?$/iu;
const CHARSET = /^[\t ]*charset[\t ]*=[\t ]*(.*?)[\t ]*$/iu;

/** Returns whether the body is JSON in UTF-8 without content encoding. RFC 8259 §8.1 */
function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const type = JSON_TYPE.exec(headers['content-type']?.trim() ?? '');
  if (type === null || encoding !== 'identity') return false;
  const charsets = (type[1] ?? '').split(';').flatMap((parameter) => {
    const [, charset] = CHARSET.exec(parameter) ?? [];
    return charset === undefined ? [] : [charset.toLowerCase()];
  });
  return charsets.every((charset) => /^"?utf-?8"?$/u.test(charset));
}

/** A REST request and its pending answer. */
interface RestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Request id, for the log and the answer. */
  readonly id: string;
  /** Returns whether the connection closes after the answer. */
  readonly isLast: () => boolean;
}

/** A complete answer. */
interface WholeAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of every answer. They disable caching and content sniffing. */
const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Sends an answer unless one was sent or the connection is closed. */
function sendAnswer(
  { request, response, id, isLast }: RestExchange,
  { status, type, body, headers = {} }: WholeAnswer,
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    ...COMMON_HEADERS,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    ...(isLast() && { connection: 'close' }),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends a JSON answer. */
const sendJsonAnswer = (
  exchange: RestExchange,
  status: number,
  body: string | Uint8Array,
  headers?: WholeAnswer['headers'],
): void => {
  sendAnswer(exchange, {
    status,
    type: 'application/json',
    body,
    ...(headers !== undefined && { headers }),
  });
};

/** Checks the credentials of a request; never rejects. */
type Authenticate = (
  request: IncomingMessage,
) => AuthenticationOutcome | Promise<AuthenticationOutcome>;

/** The caller of a request, or the refusal of its credentials. */
type CallerOutcome =
  | { readonly ok: true; readonly caller?: OperationCaller }
  | {
      readonly ok: false;
      readonly refusal: HttpRefusal;
      readonly headers: Readonly<Record<string, string>>;
    };

const CODES: Readonly<
  Record<Extract<AuthenticationOutcome, { ok: false }>['status'], AgentRefusalCode>
> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  503: 'backend_error',
};

/** Finds the caller of a request before its body is read. RFC 6750 §3 */
const identify = async (
  request: IncomingMessage,
  authenticate: Authenticate,
): Promise<CallerOutcome> => {
  const authenticated = await authenticate(request);
  if (authenticated.ok) {
    const { authorization = '' } = request.headers;
    return { ok: true, caller: toOperationCaller(authenticated.principal, authorization) };
  }
  const { status, sentence, challenge } = authenticated;
  return {
    ok: false,
    refusal: { status, refusal: createRefusal(CODES[status], sentence) },
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
  };
};

/** An operation with the path and query arguments of its request. */
type FoundOperationCall = Extract<FoundOperation, { readonly kind: 'operation' }> & {
  /** The encoded query, without the question mark. */
  readonly query: string;
};

/** The target of a request. */
type FoundRoute =
  | FoundOperationCall
  | { readonly kind: 'document'; readonly document: ServedDocument }
  /** `allow`: the supported methods, sorted. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown'; readonly pathname: string };

/** Finds the operation or document of a request. `HEAD` is supported where `GET` is. RFC 9110 §9.3.2 */
function findRoute(
  documents: Documents,
  { method, url }: { readonly method: string; readonly url: string },
): FoundRoute {
  const queryStart = url.indexOf('?');
  const pathname = queryStart === -1 ? url : url.slice(0, queryStart);
  const query = queryStart === -1 ? '' : url.slice(queryStart + 1);
  const effectiveMethod = method === 'HEAD' ? 'GET' : method;
  const document = documents.get(pathname);
  if (document !== undefined)
    return effectiveMethod === 'GET'
      ? { kind: 'document', document }
      : { kind: 'method', allow: READ_METHODS };
  const found = findOperation(effectiveMethod, pathname);
  switch (found.kind) {
    case 'operation':
      return { ...found, query };
    case 'method':
      return { kind: 'method', allow: withHead(found.allow) };
    case 'unknown':
      return { kind: 'unknown', pathname };
  }
}

const withHead = (allow: readonly string[]): readonly string[] =>
  allow.includes('GET') ? [...allow, 'HEAD'].toSorted() : allow;

const READ_METHODS = withHead(['GET']);

/** Dependencies of the REST transport. */
interface RestTransportOptions {
  readonly run: RunOperation;
  readonly documents: Documents;
  readonly foreign: ForeignCheck;
  /** Finds the caller of an operation; absent where callers do not sign in. */
  readonly authenticate?: Authenticate;
  /** Returns whether connections close after their next answer. */
  readonly isDraining: () => boolean;
  /** Called with the status of each request that reaches no operation. */
  readonly onRefused: (status: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Creates the handler of the operations, their documents, and refusals for all other paths. */
export function createRestTransport(options: RestTransportOptions): RouteHandler {
  const transport = new RestTransport(options);
  return (request, response) => {
    response.on('error', ignoreError);
    const id = readRequestId(readHeader(request, 'x-request-id'));
    transport
      .serve({ request, response, id, isLast: options.isDraining })
      .catch((error: unknown) => {
        options.onError(error);
        response.destroy();
      });
  };
}

/** A stream error without a listener would end the process. */
const ignoreError = (): void => undefined;

const readHeader = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

const NO_BODY = new Uint8Array();

class RestTransport {
  readonly #options: RestTransportOptions;
  readonly #readBody: (request: IncomingMessage) => Promise<RouteBody>;

  constructor(options: RestTransportOptions) {
    this.#options = options;
    this.#readBody = createBodyReader({ maxBodyBytes: MAX_BODY_BYTES });
  }

  async serve(exchange: RestExchange): Promise<void> {
    const { request } = exchange;
    const foreign = this.#options.foreign(request);
    if (foreign !== undefined) {
      const { foreignHost, foreignOrigin } = HTTP_REFUSALS;
      const refuse = foreign.header === 'host' ? foreignHost : foreignOrigin;
      this.#refuse(exchange, refuse(foreign.value));
      return;
    }
    const { method = '', url = '' } = request;
    const found = findRoute(this.#options.documents, { method, url });
    switch (found.kind) {
      case 'unknown':
        this.#refuse(exchange, HTTP_REFUSALS.unknownRoute(found.pathname));
        return;
      case 'method': {
        const { allow } = found;
        const refused = HTTP_REFUSALS.methodNotAllowed({ method, allow });
        this.#refuse(exchange, refused, { allow: allow.join(', ') });
        return;
      }
      case 'document':
        sendAnswer(exchange, { status: 200, ...found.document(request.headers.accept) });
        return;
      case 'operation':
        await this.#call(exchange, found);
    }
  }

  async #call(exchange: RestExchange, { name, path, query }: FoundOperationCall): Promise<void> {
    const { authenticate } = this.#options;
    const identified: CallerOutcome =
      authenticate === undefined ? { ok: true } : await identify(exchange.request, authenticate);
    if (!identified.ok) {
      this.#refuse(exchange, identified.refusal, identified.headers);
      return;
    }
    const body = await this.#readOperationBody(exchange, name);
    if (body === undefined) return;
    const draft = readRequest(name, { path, query, body });
    const result = await this.#options.run({
      name,
      transport: 'rest',
      request: exchange.id,
      ...(identified.caller !== undefined && { caller: identified.caller }),
      draft,
    });
    if (result.ok)
      sendJsonAnswer(exchange, OPERATIONS[name].status, formatAnswerJson(name, result.value));
    else {
      const { error } = result;
      sendJsonAnswer(exchange, REFUSAL_STATUS[error.code], JSON.stringify({ error }));
    }
  }

  /** Reads the body. Resolves with `undefined` when the request was refused or its connection closed. */
  async #readOperationBody(
    exchange: RestExchange,
    name: OperationName,
  ): Promise<Uint8Array | undefined> {
    const { request } = exchange;
    if (!hasBodyHeader(request.headers)) return NO_BODY;
    if (hasBody(name) && !isPlainJson(request.headers)) {
      this.#refuse(exchange, HTTP_REFUSALS.notJson());
      return undefined;
    }
    const read = await this.#readBody(request);
    switch (read.kind) {
      case 'bytes':
        return read.bytes;
      case 'gone':
        return undefined;
      case 'refused':
        this.#refuse(
          exchange,
          toBodyRefusal(read),
          read.status === 503 ? { 'retry-after': '1' } : {},
        );
        return undefined;
    }
  }

  #refuse(
    exchange: RestExchange,
    { status, refusal }: HttpRefusal,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.#options.onRefused(status);
    sendJsonAnswer(exchange, status, JSON.stringify({ error: refusal }), headers);
    if (!exchange.request.complete) discardBody(exchange.request);
  }
}

const toBodyRefusal = ({
  status,
  message,
}: Extract<RouteBody, { kind: 'refused' }>): HttpRefusal =>
  status === 413
    ? HTTP_REFUSALS.bodyTooLarge()
    : { status, refusal: createRefusal('backend_error', message) };
