import type { DownstreamError } from './call.ts';

type ErrorOf<C extends DownstreamError['code']> = Extract<DownstreamError, { code: C }>;

const texts: {
  readonly [C in DownstreamError['code']]: (error: ErrorOf<C>) => string;
} = {
  'server.unknown': (error) => `server not found: ${error.server}`,
  'server.not-connected': (error) =>
    `server not connected: ${error.server} (status: ${error.state})`,
  'server.auth-required': (error) =>
    `user not authenticated to server ${error.server}${error.reason === undefined ? '' : `: ${error.reason}`}`,
  'server.connection-lost': (error) =>
    `connection to server ${error.server} was lost: ${error.reason}`,
  'server.busy': (error) =>
    `server ${error.server} has ${error.running} running and ${error.waiting} waiting calls; retry later`,
  'request.timeout': (error) =>
    `server ${error.server} did not answer within ${error.timeoutMs / 1000} s`,
  'request.cancelled': (error) => `request to server ${error.server} was cancelled`,
  'request.refused': (error) =>
    `server ${error.server} refused the request: ${error.message} (code ${error.rpcCode})`,
  'input.not-given': (error) =>
    `server ${error.server} requires input that the caller did not provide: ${error.reason}`,
  'response.invalid': (error) => `server ${error.server} sent an invalid response: ${error.reason}`,
};

const textOf = <C extends DownstreamError['code']>(code: C, error: ErrorOf<C>): string =>
  texts[code](error);

/** Returns one sentence that names the server. */
export const downstreamErrorText = (error: DownstreamError): string => textOf(error.code, error);
