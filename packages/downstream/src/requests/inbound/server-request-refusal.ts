import type { ClientAnswer } from '../call.ts';
import { RPC_CODE } from '../rpc-code.ts';

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

const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

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
    INVALID_REQUEST,
    'no call is running that this question could belong to',
  ],
  'question.call-ended': () => [
    INVALID_REQUEST,
    'the call that this question belongs to has ended',
  ],
  'question.several-callers': () => [
    INVALID_REQUEST,
    'calls of several clients are running on this connection, so it is not certain to whom this question belongs',
  ],
  'question.nobody': () => [RPC_CODE.methodNotFound, 'the call has no client that could be asked'],
  'question.not-declared': ({ needs }) => [
    needs.includes('.') ? RPC_CODE.invalidParams : RPC_CODE.methodNotFound,
    `the client of the call does not declare the capability ${needs}`,
  ],
  'question.too-many': ({ bound }) => [
    SERVER_ERROR,
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
