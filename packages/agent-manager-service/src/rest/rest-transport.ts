import type { IncomingMessage } from 'node:http';
import {
  hasBody,
  HTTP_REFUSALS,
  MAX_BODY_BYTES,
  OPERATIONS,
  readRequest,
  refusal as refusalOf,
  REFUSAL_STATUS,
  type HttpRefusal,
  type OperationName,
} from '@gateway/agent-manager-client';
import {
  createBodyReader,
  discardBody,
  type ForeignCheck,
  type RouteBody,
  type RouteHandler,
} from '@gateway/mcp-http';
import { jsonOf } from '../operations/answer-text.ts';
import type { RunOperation } from '../operations/operation-call.ts';
import { requestIdOf } from '../operations/request-id.ts';
import { answer, answerJson, type RestExchange } from './answer.ts';
import { announcesBody, isPlainJson } from './body-headers.ts';
import type { Documents } from './documents.ts';
import { identify, type Authenticate, type Identified } from './identify.ts';
import { findRoute, type FoundOperationCall } from './find-route.ts';

/** Dependencies of the REST transport. */
export interface RestTransportOptions {
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
    const id = requestIdOf(headerOf(request, 'x-request-id'));
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

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
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
        answer(exchange, { status: 200, ...found.document(request.headers.accept) });
        return;
      case 'operation':
        await this.#call(exchange, found);
    }
  }

  async #call(exchange: RestExchange, { name, path, query }: FoundOperationCall): Promise<void> {
    const { authenticate } = this.#options;
    const identified: Identified =
      authenticate === undefined ? { ok: true } : await identify(exchange.request, authenticate);
    if (!identified.ok) {
      this.#refuse(exchange, identified.refusal, identified.headers);
      return;
    }
    const body = await this.#bodyOf(exchange, name);
    if (body === undefined) return;
    const draft = readRequest(name, { path, query, body });
    const result = await this.#options.run({
      name,
      transport: 'rest',
      request: exchange.id,
      ...(identified.caller !== undefined && { caller: identified.caller }),
      draft,
    });
    if (result.ok) answerJson(exchange, OPERATIONS[name].status, jsonOf(name, result.value));
    else {
      const { refusal } = result;
      answerJson(exchange, REFUSAL_STATUS[refusal.code], JSON.stringify({ error: refusal }));
    }
  }

  /** Reads the body. Resolves with `undefined` when the request was refused or its connection closed. */
  async #bodyOf(exchange: RestExchange, name: OperationName): Promise<Uint8Array | undefined> {
    const { request } = exchange;
    if (!announcesBody(request.headers)) return NO_BODY;
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
          bodyRefusal(read),
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
    answerJson(exchange, status, JSON.stringify({ error: refusal }), headers);
    if (!exchange.request.complete) discardBody(exchange.request);
  }
}

const bodyRefusal = ({ status, message }: Extract<RouteBody, { kind: 'refused' }>): HttpRefusal =>
  status === 413
    ? HTTP_REFUSALS.bodyTooLarge()
    : { status, refusal: refusalOf('backend_error', message) };
