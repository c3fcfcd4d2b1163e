import { DEFAULT_ENDPOINT } from '@gateway/gateway-config';
import { CommandFailure } from './failure.ts';

/**
 * Parses the URL of a gateway. A URL without a path has the path `/mcp`.
 *
 * @param option the name of the argument, for the message
 * @throws CommandFailure
 */
export const parseEndpoint = (text: string, option: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol))
    throw new CommandFailure(
      'refused',
      `${option}: It must be an http or https URL, such as ${DEFAULT_ENDPOINT}.`,
    );
  if (url.username !== '' || url.password !== '')
    throw new CommandFailure('refused', `${option}: It must not carry credentials.`);
  if (url.pathname === '/') url.pathname = '/mcp';
  return url;
};

export const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);
