import { DEFAULT_ENDPOINT } from '@gateway/gateway-config';
import { CommandFailure } from '../failure.ts';

/** The endpoint of a URL, or the error. A URL without a path has the path `/mcp`. */
type Endpoint =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly text: string };

/** Parses the URL of a gateway. */
export function endpointOf(text: string): Endpoint {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol))
    return {
      ok: false,
      text: `It must be an http or https URL, such as ${DEFAULT_ENDPOINT}.`,
    };
  if (url.username !== '' || url.password !== '')
    return { ok: false, text: 'It must not carry credentials.' };
  if (url.pathname === '/') url.pathname = '/mcp';
  return { ok: true, url };
}

/** Returns the endpoint of the argument `url`. */
export const gatewayUrl = (text: string): URL => {
  const endpoint = endpointOf(text);
  if (endpoint.ok) return endpoint.url;
  throw new CommandFailure('refused', `url: ${endpoint.text}`);
};
