import type { HttpExchange, RequestCredentials } from './http-exchange.ts';

/** Longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Time after which the credentials of an open stream are checked again, in milliseconds. */
const CHECK_MS = 5_000;

/** The streams of a process are checked together, so that they wake it once. */
const untilNextCheck = (): number => CHECK_MS - (performance.now() % CHECK_MS);

const untilExpiry = (expiresAt: number): number =>
  Math.min(Math.max(0, expiresAt - Date.now()), MAX_DELAY_MS);

/** Calls `end` when credentials are no longer accepted: the person has signed out, or the token was revoked. Returns what ends the checks. */
const followCredentials = ({ areAccepted }: RequestCredentials, end: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(() => void check(), untilNextCheck()).unref();
  };
  const check = async (): Promise<void> => {
    timer = undefined;
    if (!(await areAccepted())) end();
    else if (!isOver) wait();
  };
  let isOver = false;
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};

/**
 * Closes the connection of a stream when the credentials of its request expire, so that the client continues with new ones, or when they
 * are no longer accepted. A stream that can be resumed is resumed by new ones.
 */
export const endWithCredentials = ({
  credentials,
  response,
}: Pick<HttpExchange, 'credentials' | 'response'>): void => {
  if (credentials === undefined) return;
  const { expiresAt } = credentials;
  const end = (): void => void response.destroy();
  const expiry =
    expiresAt === undefined ? undefined : setTimeout(end, untilExpiry(expiresAt)).unref();
  const stopChecks = followCredentials(credentials, end);
  response.once('close', () => {
    clearTimeout(expiry);
    stopChecks();
  });
};
