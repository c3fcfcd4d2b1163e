import type { AgentServiceOptions } from '@gateway/agent-manager-service';
import {
  createCallerServices,
  createSharedService,
  type Service,
} from '@gateway/agent-manager-service';
import type { AgentService, AgentServiceParts, AgentStore } from '@gateway/agent-releases';
import { openCallerReleases, type CallerReleases } from '@gateway/agent-releases';
import type { Logger } from 'pino';
import { resolveAgentChart, createServiceFromOptions } from './create-service-from-options.ts';
import { openReleases } from './open-releases.ts';

/** The services for callers over an open store, and the store itself for health checks. */
export interface OpenedServices {
  readonly resolveService: Service;
  readonly store: Pick<AgentStore, 'check' | 'watch' | 'close'>;
}

/** The services, or the reason why the store cannot be opened, as one line. */
export type OpenedServicesOutcome =
  | { readonly ok: true; readonly services: OpenedServices }
  | { readonly ok: false; readonly problem: string };

type Dependencies = Pick<AgentServiceParts, 'skills' | 'onError'>;

/** Opens a store for all callers, or with `--downstream-oauth` a store for each caller. */
export const openServices = (
  options: AgentServiceOptions,
  logger: Logger,
  dependencies: Dependencies,
): Promise<OpenedServicesOutcome> =>
  options.oauth?.isDownstream === true
    ? openCallerServices(options, logger, dependencies)
    : openSharedService(options, logger, dependencies);

const openSharedService = async (
  options: AgentServiceOptions,
  logger: Logger,
  dependencies: Dependencies,
): Promise<OpenedServicesOutcome> => {
  const opened = await openReleases(options.releases, options.namespaces, logger);
  if (!opened.ok) return opened;
  const { store } = opened;
  const service = createServiceFromOptions(options, { ...dependencies, store });
  return { ok: true, services: { resolveService: createSharedService(service), store } };
};

const openCallerServices = async (
  options: AgentServiceOptions,
  logger: Logger,
  dependencies: Dependencies,
): Promise<OpenedServicesOutcome> => {
  const { namespaces, kubeconfig } = options;
  const opened = await openCallerReleases({
    namespaces,
    ...(kubeconfig !== undefined && { kubeconfig }),
    onWarning: (sentence) => {
      logger.warn(sentence);
    },
  });
  if (!opened.ok) return opened;
  const { releases } = opened;
  const resolveService = createCallerServices(createServiceCache(options, releases, dependencies));
  // Without its own credentials, agent-manager cannot watch for changes.
  const store = { ...releases, watch: () => () => undefined };
  return { ok: true, services: { resolveService, store } };
};

/** Returns a function that finds the service of a token. Calls with the same token share a service and a store. */
const createServiceCache = (
  options: AgentServiceOptions,
  releases: CallerReleases,
  dependencies: Dependencies,
): ((token: string) => AgentService) => {
  const chart = resolveAgentChart(options);
  const services = new WeakMap<AgentStore, AgentService>();
  return (token) => {
    const store = releases.getStore(token);
    const known = services.get(store);
    if (known !== undefined) return known;
    const opened = { ...dependencies, store, identity: 'caller' as const };
    const service = createServiceFromOptions(options, opened, chart);
    services.set(store, service);
    return service;
  };
};
