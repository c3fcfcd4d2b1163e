import { RPC_CODE, type ClientAnswer } from '@gateway/call-contract';

/** An answer that stands in for one that the client did not give. */
export const noAnswer = (code: number, message: string): ClientAnswer => ({
  ok: false,
  error: { code, message },
});

/** The answer to a question that a client cannot be asked. */
export const unaskable = (reason: string): ClientAnswer =>
  noAnswer(RPC_CODE.methodNotFound, reason);

/** The answer to a question whose call is over, or that is withdrawn. */
export const WITHDRAWN: ClientAnswer = noAnswer(
  RPC_CODE.transport,
  'The question was withdrawn: nobody waits for its answer',
);
