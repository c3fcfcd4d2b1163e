import type { JsonObject, Principal } from '@gateway/call-contract';
import type { MetaToolPorts } from '@gateway/meta-tools';

/** The source of the resource `auth://status`. */
export interface AuthStatusSource {
  /** Returns whether any server signs persons in. Reads memory. */
  readonly isUsed: () => boolean;
  /** Returns the content of the resource for a person; never rejects. */
  readonly read: (principal: Principal) => Promise<JsonObject>;
  /** Returns a text that differs when the person has the tools of other servers of their own. Reads memory. */
  readonly reached: (principal: Principal) => string;
  /** Calls the listener after changes that a person may see. Returns a function that stops it. */
  readonly onChange: (listener: (changedFor: 'all' | ReadonlySet<string>) => void) => () => void;
}

/** The resource with the sign-ins of the caller. */
export const AUTH_STATUS_URI = 'auth://status';

const MIME_TYPE = 'application/json';

/** The description of the resource in lists of MCP and of meta-tools. */
export const AUTH_STATUS_RESOURCE = {
  uri: AUTH_STATUS_URI,
  name: 'auth-status',
  title: 'Sign-in status',
  description: 'Your own sign-in to each server that signs persons in.',
  mimeType: MIME_TYPE,
} as const satisfies JsonObject;

/** Returns the `contents` of the resource for a person; never rejects. */
export const authStatusContents = async (
  { read }: Pick<AuthStatusSource, 'read'>,
  principal: Principal,
): Promise<readonly JsonObject[]> => {
  const text = JSON.stringify(await read(principal));
  return [{ uri: AUTH_STATUS_URI, mimeType: MIME_TYPE, text }];
};

type GatewayResources = Pick<MetaToolPorts, 'gatewayResources' | 'readGatewayResource'>;

const NONE: ReturnType<GatewayResources['gatewayResources']> = [];
const STATUS_ONLY: ReturnType<GatewayResources['gatewayResources']> = [AUTH_STATUS_RESOURCE];

/** Returns the ports through which the meta-tools list the resource, while a server signs persons in, and read it. */
export const gatewayResourcesOf = (
  source: Pick<AuthStatusSource, 'isUsed' | 'read'>,
): GatewayResources => ({
  gatewayResources: () => (source.isUsed() ? STATUS_ONLY : NONE),
  readGatewayResource: (_uri, { principal }) => authStatusContents(source, principal),
});
