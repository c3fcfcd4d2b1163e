import type { Expose } from '@gateway/gateway-config';
import type { McpService } from '@gateway/mcp-http';
import { createMetaTools, NativeSurface, type NativeCallMethod } from '@gateway/meta-tools';
import type { Metrics } from '../metrics/metrics.ts';
import { measureService } from '../metrics/measure-service.ts';
import { createMetaToolService } from './meta-tool-service.ts';
import { createNativeService } from './native-service.ts';
import type { LiveServerFeatures } from './server-features.ts';
import type { SurfacePorts } from './surface-ports.ts';
import { withMetaTools } from './with-meta-tools.ts';

/** Options of {@link createExposedService}. */
export interface ExposedServiceOptions {
  readonly apiGroup: string;
  readonly ports: SurfacePorts;
  readonly features: LiveServerFeatures;
  /** Ends what the servers keep for a client whose session has ended. */
  readonly clients: { endClient(client: string): void };
  readonly metrics: Pick<Metrics, 'metaToolTimer' | 'nativeTimer'>;
  /** Calls the listener when the catalog or the presets change, for these callers or for all. Returns a function that stops it. */
  readonly onChange: (listener: (principalKeys?: ReadonlySet<string>) => void) => () => void;
}

const NATIVE_METHODS = [
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
] as const satisfies readonly NativeCallMethod[];

/** Creates the measured service of an exposure: the meta-tools, or the tools, resources and prompts of the servers. */
export const createExposedService = (expose: Expose, options: ExposedServiceOptions): McpService =>
  Object.assign(SERVICES[expose](options), {
    clientEnded: (client: string) => {
      options.clients.endClient(client);
    },
  });

const SERVICES: Readonly<Record<Expose, (options: ExposedServiceOptions) => McpService>> = {
  meta: ({ apiGroup, ports, features, metrics }) => {
    const metaTools = createMetaTools(ports, { apiGroup });
    const timers = timersOf(
      metaTools.definitions.map(({ name }) => name),
      metrics.metaToolTimer,
    );
    const service = createMetaToolService({ metaTools, features: features.union });
    return measureService(service, ({ params }) => timers.get(String(params['name'])));
  },
  native: (options) => {
    const { ports, features, metrics, onChange } = options;
    const timers = timersOf(NATIVE_METHODS, metrics.nativeTimer);
    const surface = new NativeSurface(ports);
    const service = createNativeService({ surface, features: features.union, onChange });
    const measured = measureService(service, ({ method }) => timers.get(method));
    return withMetaTools(measured, SERVICES.meta(options));
  },
};

const timersOf = <Timer>(
  names: readonly string[],
  create: (name: string) => Timer,
): ReadonlyMap<string, Timer> => new Map(names.map((name) => [name, create(name)]));
