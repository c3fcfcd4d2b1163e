import { type ClientAnswer, RPC_CODE } from '@gateway/call-contract';

/** The reason why a server request is refused. */
export type ServerRequestRefusal =
  | { readonly code: 'server-request.unknown-method'; readonly method: string }
  | { readonly code: 'server-request.not-in-this-revision'; readonly method: string }
  | { readonly code: 'server-request.no-call' }
  | { readonly code: 'server-request.call-ended' }
  | { readonly code: 'server-request.several-callers' }
  | { readonly code: 'server-request.no-caller' }
  | { readonly code: 'server-request.not-declared'; readonly needs: string }
  | { readonly code: 'server-request.too-many'; readonly bound: number }
  | { readonly code: 'server-request.no-answer' };

type RefusalOf<C extends ServerRequestRefusal['code']> = Extract<ServerRequestRefusal, { code: C }>;

const texts: {
  readonly [C in ServerRequestRefusal['code']]: (
    refusal: RefusalOf<C>,
  ) => readonly [number, string];
} = {
  'server-request.unknown-method': ({ method }) => [
    RPC_CODE.methodNotFound,
    `Method not found: ${method}`,
  ],
  'server-request.not-in-this-revision': ({ method }) => [
    RPC_CODE.methodNotFound,
    `Method not found: ${method} (a server of this revision asks with an input_required result)`,
  ],
  'server-request.no-call': () => [
    RPC_CODE.invalidRequest,
    'no running call can be the cause of this request',
  ],
  'server-request.call-ended': () => [
    RPC_CODE.invalidRequest,
    'the call of this request has ended',
  ],
  'server-request.several-callers': () => [
    RPC_CODE.invalidRequest,
    'calls of several clients are running on this connection, so the client of this request is unknown',
  ],
  'server-request.no-caller': () => [
    RPC_CODE.methodNotFound,
    'the call has no client that can answer requests',
  ],
  'server-request.not-declared': ({ needs }) => [
    needs.includes('.') ? RPC_CODE.invalidParams : RPC_CODE.methodNotFound,
    `the client of the call does not declare the capability ${needs}`,
  ],
  'server-request.too-many': ({ bound }) => [
    RPC_CODE.transport,
    `more than ${bound} requests are open on this connection`,
  ],
  'server-request.no-answer': () => [RPC_CODE.internal, 'the client of the call did not answer'],
};

const textOf = <C extends ServerRequestRefusal['code']>(
  code: C,
  refusal: RefusalOf<C>,
): readonly [number, string] => texts[code](refusal);

/** Returns the JSON-RPC error of a refusal. */
export const refuseServerRequest = (refusal: ServerRequestRefusal): ClientAnswer => {
  const [code, message] = textOf(refusal.code, refusal);
  return { ok: false, error: { code, message } };
};
