import {
  type Address,
  coreToolWrites,
  type CoreToolWrites,
  type GatewayConfig,
  isLoopbackHost,
} from '@gateway/gateway-config';
import { isAdministrator } from '@gateway/caller-auth';
import type { CoreToolPorts, WritePermit } from '@gateway/core-tools';
import type { Logger } from 'pino';

/** Options of {@link resolveCoreToolWrites}. */
export interface CoreToolAccessOptions {
  readonly config: GatewayConfig;
  /** The value of `--core-tool-writes`. */
  readonly option: CoreToolWrites | undefined;
  /** The listen address; absent for stdio, whose client runs on this machine. */
  readonly address?: Address;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Returns which core tools that write are permitted. Logs a warning when other machines can reach the listen address and callers do not
 * sign in.
 */
export async function resolveCoreToolWrites({
  config,
  option,
  address,
  logger,
}: CoreToolAccessOptions): Promise<CoreToolWrites> {
  const isLocal = address === undefined || (await isLoopbackHost(address.host));
  const isSignedIn = address !== undefined && config.auth.mode !== 'none';
  const writes = coreToolWrites(config, { option, isLocal: isLocal || isSignedIn });
  if (!isLocal && !isSignedIn)
    logger.warn(
      { host: address.host, coreToolWrites: writes },
      `listening on ${address.host} without authentication: every client that reaches the port can call all tools${CORE_TOOLS[writes]}; ${REMEDY}`,
    );
  return writes;
}

/** The part of the warning about the core tools. */
const CORE_TOOLS: Readonly<Record<CoreToolWrites, string>> = {
  all: ', and with "coreTools.writes: all" it can run commands as the user of the gateway',
  workflows: ' and change workflows; other core tools that write are refused',
  none: '; core tools that write are refused',
};

const REMEDY =
  'set "auth.mode: resource-server" with "auth.issuers" to accept tokens of an authorization server, or "auth.mode: broker" with "auth.broker.upstream" to sign persons in at an OpenID provider';

const PERMITS: Readonly<Record<CoreToolWrites, WritePermit>> = {
  all: () => true,
  workflows: (_principal, effect) => effect === 'workflows',
  none: () => false,
};

type AdminGroups = Pick<GatewayConfig['auth'], 'adminGroups'>;

/** Returns the decision about each principal: a person who signed in must also be an administrator. */
export const writePermitOf = (writes: CoreToolWrites, auth: AdminGroups): WritePermit => {
  const permit = PERMITS[writes];
  const isTrusted = runsPermitOf(auth);
  return (principal, effect) => permit(principal, effect) && isTrusted(principal);
};

/** Returns the decision who may see the workflow runs of all persons: administrators, and everybody where callers do not sign in. */
export const runsPermitOf =
  ({ adminGroups }: AdminGroups): CoreToolPorts['seesAllRuns'] =>
  (principal) =>
    principal.issuer === undefined || isAdministrator(principal, adminGroups);
