import { DEFAULT_TIMEOUTS } from '@gateway/downstream';

/** Time for which a request may be on its way between a caller and a server, in seconds. */
export const TRANSIT_SECONDS = 30;

/** Default time that a server has to answer, in seconds. */
export const SERVER_SECONDS = DEFAULT_TIMEOUTS.requestMs / 1000;

/** Default of `http.requestTimeoutSeconds`: the time of a server and the transit. */
export const DEFAULT_REQUEST_SECONDS = SERVER_SECONDS + TRANSIT_SECONDS;

/** Returns the time that a server has to answer, in seconds. A short timeout of requests does not reduce it. */
export const serverTimeoutSeconds = (requestTimeoutSeconds: number): number =>
  Math.max(SERVER_SECONDS, requestTimeoutSeconds - TRANSIT_SECONDS);
