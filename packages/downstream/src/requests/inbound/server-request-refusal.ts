import { type ClientAnswer, RPC_CODE } from '@gateway/call-contract';

/** Why a question of a server is not put to anybody. */
export type QuestionRefusal =
  | { readonly code: 'question.unknown-method'; readonly method: string }
  | { readonly code: 'question.not-in-this-revision'; readonly method: string }
  | { readonly code: 'question.no-call' }
  | { readonly code: 'question.call-ended' }
  | { readonly code: 'question.several-callers' }
  | { readonly code: 'question.nobody' }
  | { readonly code: 'question.not-declared'; readonly needs: string }
  | { readonly code: 'question.too-many'; readonly bound: number }
  | { readonly code: 'question.no-answer' };

type RefusalOf<C extends QuestionRefusal['code']> = Extract<QuestionRefusal, { code: C }>;

const texts: {
  readonly [C in QuestionRefusal['code']]: (refusal: RefusalOf<C>) => readonly [number, string];
} = {
  'question.unknown-method': ({ method }) => [
    RPC_CODE.methodNotFound,
    `Method not found: ${method}`,
  ],
  'question.not-in-this-revision': ({ method }) => [
    RPC_CODE.methodNotFound,
    `Method not found: ${method} (a server of this revision asks with an input_required result)`,
  ],
  'question.no-call': () => [
    RPC_CODE.invalidRequest,
    'no call is running that this question could belong to',
  ],
  'question.call-ended': () => [
    RPC_CODE.invalidRequest,
    'the call that this question belongs to has ended',
  ],
  'question.several-callers': () => [
    RPC_CODE.invalidRequest,
    'calls of several clients are running on this connection, so it is not certain to whom this question belongs',
  ],
  'question.nobody': () => [RPC_CODE.methodNotFound, 'the call has no client that could be asked'],
  'question.not-declared': ({ needs }) => [
    needs.includes('.') ? RPC_CODE.invalidParams : RPC_CODE.methodNotFound,
    `the client of the call does not declare the capability ${needs}`,
  ],
  'question.too-many': ({ bound }) => [
    RPC_CODE.transport,
    `more than ${bound} questions are open on this connection`,
  ],
  'question.no-answer': () => [RPC_CODE.internal, 'the client of the call could not be asked'],
};

const textOf = <C extends QuestionRefusal['code']>(
  code: C,
  refusal: RefusalOf<C>,
): readonly [number, string] => texts[code](refusal);

/** The JSON-RPC error that tells the server so. */
export const questionRefused = (refusal: QuestionRefusal): ClientAnswer => {
  const [code, message] = textOf(refusal.code, refusal);
  return { ok: false, error: { code, message } };
};
