import {
  type Address,
  coreToolWrites,
  type CoreToolWrites,
  type GatewayConfig,
  isLoopbackHost,
} from '@gateway/gateway-config';
import type { WritePermit } from '@gateway/core-tools';
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
 * Returns which core tools that write are permitted. Logs a warning when other machines can reach the listen address, because callers
 * do not authenticate.
 */
export async function resolveCoreToolWrites({
  config,
  option,
  address,
  logger,
}: CoreToolAccessOptions): Promise<CoreToolWrites> {
  const isLocal = address === undefined || (await isLoopbackHost(address.host));
  const writes = coreToolWrites(config, { option, isLocal });
  if (!isLocal)
    logger.warn(
      { host: address.host, coreToolWrites: writes },
      `listening on ${address.host} without authentication: every client that reaches the port can call all tools${CORE_TOOLS[writes]}`,
    );
  return writes;
}

/** The part of the warning about the core tools. */
const CORE_TOOLS: Readonly<Record<CoreToolWrites, string>> = {
  all: ', and with "coreTools.writes: all" it can run commands as the user of the gateway',
  workflows: ' and change workflows; other core tools that write are refused',
  none: '; core tools that write are refused',
};

const PERMITS: Readonly<Record<CoreToolWrites, WritePermit>> = {
  all: () => true,
  workflows: (_principal, effect) => effect === 'workflows',
  none: () => false,
};

/** Returns the decision about each principal. All principals are equal while callers do not authenticate. */
export const writePermitOf = (writes: CoreToolWrites): WritePermit => PERMITS[writes];
