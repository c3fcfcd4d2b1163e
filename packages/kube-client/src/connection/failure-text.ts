import type { ApiFailure } from './api-result.ts';

/** The maximum length of a message of the Kubernetes API that is passed on, in characters. */
const MAX_MESSAGE_CHARS = 2_000;

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;

const refusalText = ({ status, message }: Extract<ApiFailure, { kind: 'refused' }>): string => {
  const text = `it answered ${String(status)}`;
  return message === undefined ? text : `${text}: ${shortened(message)}`;
};

const credentialsText = (code: string | undefined): string =>
  code === undefined ? 'there are no credentials for it' : `there are no credentials (${code})`;

/** Returns the reason of a failure as a clause about the API, without addresses and credentials: `it answered 403: …`. */
export const apiFailureText = (failure: ApiFailure): string => {
  switch (failure.kind) {
    case 'refused':
      return refusalText(failure);
    case 'broken':
      return `the connection failed (${failure.code})`;
    case 'late':
      return `it did not answer within ${String(failure.afterMs)} ms`;
    case 'too-large':
      return `its answer is larger than ${String(failure.maxBytes)} bytes`;
    case 'too-many':
      return `there are more than ${String(failure.max)}`;
    case 'unreadable':
      return 'its answer is not what was asked for';
    case 'no-credentials':
      return credentialsText(failure.code);
    case 'closed':
      return 'the store is closed';
  }
};
