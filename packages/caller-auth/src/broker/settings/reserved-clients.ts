/** The command line of the gateway: a public client on the person's own computer. */
export const COMMAND_LINE_CLIENT = 'gateway-cli';

/** The client with which the gateway signs a browser in to itself. It needs the session of the browser, and no token. */
export const BROWSER_CLIENT = 'gateway-browser';

const RESERVED: ReadonlySet<string> = new Set([COMMAND_LINE_CLIENT, BROWSER_CLIENT]);

/** Returns whether an identifier belongs to a client of the gateway itself. */
export const isReservedClient = (clientId: string): boolean => RESERVED.has(clientId);
