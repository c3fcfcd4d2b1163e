import type { ClientServer } from '@gateway/client-config';

/** The program of the gateway: its command, its package, or its script in a clone. */
const PROGRAM =
  /(?:^|[\\/])gateway(?:\.(?:[cm]?js|cmd|exe))?$|^@gateway\/gateway(?:@.*)?$|[\\/]gateway[\\/](?:.*[\\/])?cli\.js$/u;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;
const TOOLSET_HEADER = 'x-gateway-toolset';

const isText = (value: unknown): value is string => typeof value === 'string';

/** `gateway stdio`, however it is started. */
const startsGateway = (command: unknown, args: unknown): boolean => {
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])].filter(isText);
  return words.some((word, at) => words[at + 1] === 'stdio' && PROGRAM.test(word));
};

const namesGateway = ({ source, definition }: ClientServer, text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.pathname !== '/mcp' || !LOOPBACK.test(url.hostname)) return false;
  const headers = Object.keys(definition['headers'] ?? {});
  return source === 'gateway' || headers.some((name) => name.toLowerCase() === TOOLSET_HEADER);
};

/** Returns whether a server of a client is the entry that `gateway export` writes. As a server of the gateway it would start itself without end. */
export const isOwnEntry = (server: ClientServer): boolean => {
  const { command, args, url } = server.definition;
  return startsGateway(command, args) || (isText(url) && namesGateway(server, url));
};
