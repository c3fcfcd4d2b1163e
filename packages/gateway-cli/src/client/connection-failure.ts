import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { CommandFailure, TemporaryFailure } from '../failure.ts';
import { signInRequired } from '../sign-in/sign-in-required.ts';
import { escapeToLines } from '@gateway/service-host';

const REFUSED_BY_STATUS: Readonly<Record<number, string>> = {
  403: 'it refuses this caller',
  404: 'there is no MCP endpoint at this address; the path of a gateway is /mcp',
  405: 'there is no MCP endpoint at this address; the path of a gateway is /mcp',
};

const NO_ANSWER = 'no answer in time';

/** Returns the code of an error below HTTP, such as `ECONNREFUSED`. */
function systemCodeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^E[A-Z]+|^UND_|^ERR_/u.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

const unreachable = (url: URL, reason: string): TemporaryFailure =>
  gatewayOutage(url, {
    reason,
    message: [
      `no gateway answers at ${url.href} (${reason}).`,
      'Start one with:      gateway serve --config-dir <dir>',
      'Or name another by:  --url <url>, or the environment variable GATEWAY_URL',
    ].join('\n'),
  });

/** Returns the failure of a gateway that may answer again later. */
export const gatewayOutage = (
  url: URL,
  { reason, message }: { readonly reason: string; readonly message: string },
): TemporaryFailure =>
  new TemporaryFailure(message, { subject: `the gateway at ${url.href}`, reason });

const messageOf = (error: unknown): string =>
  escapeToLines(error instanceof Error ? error.message : String(error)).slice(0, 500);

/** Returns the failure to connect to a gateway, with its cause and remedy. */
export function connectionFailure(url: URL, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof SdkHttpError && error.status === 401) return signInRequired(url.href);
  const code = systemCodeOf(error);
  if (code !== undefined) return unreachable(url, code);
  if (isTimeout(error)) return unreachable(url, NO_ANSWER);
  // `fetch` could not send the request.
  if (error instanceof TypeError && error.cause instanceof Error)
    return unreachable(url, messageOf(error.cause));
  if (error instanceof SdkHttpError) return statusFailure(url, error);
  return new CommandFailure('failed', `${url.href} does not speak MCP: ${messageOf(error)}`);
}

/** Statuses that a later attempt may not have, besides 5xx: a session or route that is gone, and limits. RFC 9110 §15.5, RFC 6585 */
const TEMPORARY: ReadonlySet<number> = new Set([404, 408, 425, 429]);

function statusFailure(url: URL, error: SdkHttpError): CommandFailure {
  const { status } = error;
  const message = `${url.href} answers HTTP ${status}: ${REFUSED_BY_STATUS[status] ?? messageOf(error)}`;
  return status >= 500 || TEMPORARY.has(status)
    ? gatewayOutage(url, { reason: `HTTP ${status}`, message })
    : new CommandFailure('failed', message);
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
        ? `the server at ${url.href} has no meta-tools: it is another MCP server, or an older gateway in native mode`
        : messageOf(error),
    );
  if (isTimeout(error))
    return gatewayOutage(url, {
      reason: NO_ANSWER,
      message: 'no answer in time; --timeout <seconds> sets how long to wait',
    });
  return connectionFailure(url, error);
}
