import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { CommandFailure } from '../failure.ts';
import { signInRequired } from '../sign-in/sign-in-required.ts';
import { escapeToLines } from '@gateway/service-host';

const REFUSED_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'it refuses this caller',
  404: 'there is no MCP endpoint at this address; the path of a gateway is /mcp',
  405: 'there is no MCP endpoint at this address; the path of a gateway is /mcp',
};

/** Returns the code of an error below HTTP, such as `ECONNREFUSED`. */
function systemCodeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^E[A-Z]+|^UND_|^ERR_/u.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

const unreachable = (url: URL, why: string): string =>
  [
    `no gateway answers at ${url.href} (${why}).`,
    'Start one with:      gateway serve --config-dir <dir>',
    'Or name another by:  --url <url>, or the environment variable GATEWAY_URL',
  ].join('\n');

const messageOf = (error: unknown): string =>
  escapeToLines(error instanceof Error ? error.message : String(error)).slice(0, 500);

/** Returns the failure to connect to a gateway, with its cause and remedy. */
export function connectionFailure(url: URL, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof SdkHttpError && error.status === 401) return signInRequired(url.href);
  const code = systemCodeOf(error);
  if (code !== undefined) return new CommandFailure('failed', unreachable(url, code));
  if (isTimeout(error)) return new CommandFailure('failed', unreachable(url, 'no answer in time'));
  // `fetch` could not send the request.
  if (error instanceof TypeError && error.cause instanceof Error)
    return new CommandFailure('failed', unreachable(url, messageOf(error.cause)));
  if (error instanceof SdkHttpError) {
    const why = REFUSED_BY_STATUS[error.status] ?? messageOf(error);
    return new CommandFailure('failed', `${url.href} answers HTTP ${error.status}: ${why}`);
  }
  return new CommandFailure('failed', `${url.href} does not speak MCP: ${messageOf(error)}`);
}

const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;

/** The code of a call of an unknown tool: a gateway without meta-tools answers with it. MCP, Tools, Error Handling */
const INVALID_PARAMS = -32_602;

/** Returns the failure of a request in an open session. */
export function requestFailure(url: URL, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof ProtocolError)
    return new CommandFailure(
      'failed',
      error.code === INVALID_PARAMS
        ? `the gateway at ${url.href} exposes the servers' own tools (--expose native); this command requires meta-tools`
        : messageOf(error),
    );
  if (isTimeout(error))
    return new CommandFailure(
      'failed',
      'no answer in time; --timeout <seconds> sets how long to wait',
    );
  return connectionFailure(url, error);
}
