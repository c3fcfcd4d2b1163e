import { RPC_CODE, type ClientAnswer } from '@gateway/call-contract';

/** Returns the error of a question that the client did not answer. */
export const noAnswer = (code: number, message: string): ClientAnswer => ({
  ok: false,
  error: { code, message },
});

/** Returns the answer to a question that cannot be put to the client. */
export const unaskable = (reason: string): ClientAnswer =>
  noAnswer(RPC_CODE.methodNotFound, reason);

/** The answer to a question that is withdrawn or whose call is over. */
export const WITHDRAWN: ClientAnswer = noAnswer(
  RPC_CODE.transport,
  'The question was withdrawn: nobody waits for its answer',
);
