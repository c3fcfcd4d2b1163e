import { isStopRequested, type McpServer } from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import { missingValueOf } from '../wire/referenced-values.ts';

/** The actions that lead to the desired servers. Unchanged servers are not included. */
export interface FleetPlan {
  readonly add: readonly McpServer[];
  readonly remove: readonly string[];
  readonly update: readonly FleetUpdate[];
}

/** A new definition of a known server. */
export interface FleetUpdate {
  readonly server: McpServer;
  /** The connection must be replaced. */
  readonly reconnect: boolean;
  /** `autoStart` was switched on, or the request to stop has ended, which starts the server. @spec §2.6 autoStart */
  readonly start: boolean;
  /** A stop was requested. */
  readonly stop: boolean;
}

/** Returns whether a server starts when it is added. @spec §2.6 autoStart */
export const startsByItself = (server: McpServer): boolean =>
  server.spec.autoStart && !isStopRequested(server);

/**
 * Returns the part of a definition that determines the connection. Remote servers do not use `env`. A value of a Secret or ConfigMap counts,
 * not its reference. @spec §2.6
 */
const connectionPart = (server: McpServer): unknown => {
  const { spec, referenced } = server;
  const protocol = spec.protocol ?? 'auto';
  const values = [
    ...[protocol, referenced?.values, referenced?.args, referenced?.url],
    missingValueOf(server),
  ];
  return spec.type === 'stdio'
    ? [spec.type, spec.command, spec.args, spec.env, spec.cwd, ...values]
    : [spec.type, spec.url, spec.headers, spec.auth, ...values];
};

/** Returns whether both definitions have the same connection. */
export const sameConnection = (before: McpServer, after: McpServer): boolean =>
  isDeepStrictEqual(connectionPart(before), connectionPart(after));

const updateOf = (before: McpServer, after: McpServer): readonly FleetUpdate[] => {
  if (before === after || isDeepStrictEqual(before, after)) return [];
  return [
    {
      server: after,
      reconnect: !sameConnection(before, after),
      start:
        !isStopRequested(after) &&
        (isStopRequested(before) || (after.spec.autoStart && !before.spec.autoStart)),
      stop: isStopRequested(after) && !isStopRequested(before),
    },
  ];
};

/**
 * Compares the desired servers with the present ones. Of two desired servers with one name the first counts.
 *
 * @spec §2.6
 */
export const planFleet = (
  desired: readonly McpServer[],
  present: ReadonlyMap<string, McpServer>,
): FleetPlan => {
  const wanted = new Map<string, McpServer>();
  for (const server of desired) {
    const { name } = server.metadata;
    if (!wanted.has(name)) wanted.set(name, server);
  }
  return {
    add: [...wanted.values()].filter((server) => !present.has(server.metadata.name)),
    remove: [...present.keys()].filter((name) => !wanted.has(name)),
    update: [...wanted].flatMap(([name, server]) => {
      const before = present.get(name);
      return before === undefined ? [] : updateOf(before, server);
    }),
  };
};
