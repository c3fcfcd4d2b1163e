import { createGuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { CommandFailure } from '../failure.ts';

const MAX_BYTES = 8_000_000;
const TIMEOUT_MS = 30_000;

/**
 * The address was named by the person who runs the command, so that it may be in a private network. It is resolved once, redirects are not
 * followed, and http is for this machine only.
 */
const guardedFetch = createGuardedFetch({
  allowPrivate: true,
  maxBytes: MAX_BYTES,
  timeoutMs: TIMEOUT_MS,
});

/** A text at an address, and how its registry is called in messages. */
interface FetchRequest {
  readonly url: URL;
  readonly label: string;
  readonly signal: AbortSignal;
}

/**
 * Returns the text at an address; `undefined` when it does not exist.
 *
 * @throws CommandFailure when it cannot be read
 */
export const fetchDocument = async ({
  url,
  label,
  signal,
}: FetchRequest): Promise<string | undefined> => {
  let response: Response;
  try {
    response = await guardedFetch(url, { headers: { accept: 'application/json' }, signal });
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    throw new CommandFailure('failed', `${label} cannot be read: ${error.message}`);
  }
  if (response.status === 404) return undefined;
  if (response.status !== 200)
    throw new CommandFailure(
      'failed',
      `${label} cannot be read: the response has the status ${String(response.status)}`,
    );
  return response.text();
};
