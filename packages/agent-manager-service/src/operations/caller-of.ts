import type { Principal } from '@gateway/call-contract';
import type { OperationCaller } from './operation-call.ts';

const SCHEME = /^bearer +/iu;

/** Returns the caller of a request whose bearer was verified. @param authorization value of the header `Authorization` */
export const callerOf = (
  { email, subject }: Principal,
  authorization: string,
): OperationCaller => ({ name: email ?? subject, token: authorization.replace(SCHEME, '') });
