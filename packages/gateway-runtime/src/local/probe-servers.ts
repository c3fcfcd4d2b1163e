import { raceLimit } from '@gateway/call-contract';
import type { ServerProbe } from '@gateway/core-tools';
import type { McpServer } from '@gateway/crd-schemas';
import { createDownstream, type Downstream } from '@gateway/downstream';
import { createFileReferences } from '@gateway/downstream-auth';
import type { GatewayConfig } from '@gateway/gateway-config';
import { createLogger } from '@gateway/service-host';
import { toDownstreamOptions } from './create-services.ts';
import { withReferences } from './referenced-servers.ts';

export interface ProbeOptions {
  readonly config: GatewayConfig;
  /** The configuration directory, to which relative paths refer. */
  readonly directory: string;
  readonly servers: readonly McpServer[];
  /** Ends the servers that have been started; no further results follow. */
  readonly signal: AbortSignal;
}

/** Servers that start at a time. */
const CONCURRENT = 4;

/**
 * Starts each server once with the limits of the configuration, lists its tools and ends it. Nothing is stored, and a running gateway keeps its
 * own connections. Yields the results in the order of `servers`. Users are not signed in.
 */
export async function* probeServers(options: ProbeOptions): AsyncGenerator<ServerProbe, void> {
  const { config, directory, signal } = options;
  const logger = createLogger({ format: 'json', level: 'silent' });
  const downstream = withReferences(
    createDownstream({ ...toDownstreamOptions(config, logger), baseDirectory: directory }),
    {
      texts: createFileReferences({ directory }),
      logger,
      ...(!config.kubernetes.enabled && { directory }),
    },
  );
  // The timers of the connections do not keep a process running: a gateway has its listener.
  const keepRunning = setInterval(() => undefined, 60_000);
  const running: Promise<ServerProbe>[] = [];
  try {
    const servers = options.servers.map(withoutStart);
    downstream.apply(servers);
    await raceLimit(downstream.settled(), { signal }, () => undefined);
    const waiting = servers.map(({ metadata: { name } }) => name);
    while (!signal.aborted && running.length + waiting.length > 0) {
      for (const name of waiting.splice(0, CONCURRENT - running.length))
        running.push(probe(downstream, name));
      const next = running.shift();
      const probed = next && (await raceLimit(next, { signal }, () => undefined));
      if (probed !== undefined) yield probed;
    }
  } finally {
    void Promise.allSettled(running);
    await downstream.close();
    clearInterval(keepRunning);
  }
}

const withoutStart = (server: McpServer): McpServer => ({
  ...server,
  spec: { ...server.spec, autoStart: false },
});

const probe = async (downstream: Downstream, name: string): Promise<ServerProbe> => {
  const start = performance.now();
  const outcome = await downstream.start(name);
  const durationMs = performance.now() - start;
  const view = downstream.servers().find((server) => server.name === name);
  await downstream.stop(name);
  return {
    name,
    durationMs,
    outcome: toOutcome(outcome.code),
    ...(outcome.code === 'failed' && { reason: view?.reason ?? outcome.reason }),
    ...(outcome.code === 'unknown' && { reason: 'its references could not be read' }),
    ...toProbeFacts(view),
  };
};

const toProbeFacts = (
  view: ReturnType<Downstream['servers']>[number] | undefined,
): Pick<ServerProbe, 'isCommandMissing' | 'isValueMissing' | 'toolsCount'> &
  Partial<ServerProbe> => ({
  isCommandMissing: view?.failureCode === 'command-not-found',
  isValueMissing: view?.failureCode === 'missing-value',
  toolsCount: view?.toolsCount ?? 0,
  ...(view?.protocolVersion !== undefined && { protocolVersion: view.protocolVersion }),
  ...(view?.serverInfo && {
    serverName: view.serverInfo.name,
    serverVersion: view.serverInfo.version,
  }),
});

const toOutcome = (
  code: Awaited<ReturnType<Downstream['start']>>['code'],
): ServerProbe['outcome'] => {
  if (code === 'started' || code === 'already-running') return 'started';
  return code === 'auth-required' ? 'auth-required' : 'failed';
};
