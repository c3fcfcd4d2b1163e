import { workflowAvailability, type CatalogSnapshot } from '@gateway/catalog';
import type {
  CoreToolPorts,
  ExecutionsPort,
  ServiceOutcome,
  WorkflowWriterPort,
} from '@gateway/core-tools';
import type { ControlOutcome, Downstream } from '@gateway/downstream';
import type { GatewayConfig } from './config.ts';
import type { LiveWorkflows } from './workflows/live-workflows.ts';

/** What the core tools see and steer. */
export interface CoreToolParts {
  readonly downstream: Downstream;
  readonly config: () => GatewayConfig;
  readonly workflows: Pick<LiveWorkflows, 'views'>;
  readonly writer: WorkflowWriterPort;
  readonly executions: ExecutionsPort;
  readonly snapshot: () => CatalogSnapshot;
  readonly warn: (text: string) => void;
}

/** Lets the core tools see and steer the downstream servers, the workflows and their runs. */
export function coreToolPorts(parts: CoreToolParts): CoreToolPorts {
  const { downstream, config, workflows, writer, executions, snapshot, warn } = parts;
  return {
    servers: () => downstream.servers(),
    start: async (name) => serviceOutcome(await downstream.start(name)),
    stop: async (name) => serviceOutcome(await downstream.stop(name)),
    restart: async (name) => serviceOutcome(await downstream.restart(name)),
    config: () => ({ ...config() }),
    workflows: workflows.views,
    workflowAvailability: (name) => workflowAvailability(snapshot(), name),
    writeWorkflow: writer,
    executions,
    ...NOT_WIRED,
    apiGroup: config().apiGroup,
    warn,
    mode: 'filesystem',
  };
}

const refused = { kind: 'failed', text: 'this gateway cannot do that yet' } as const;

/** What refuses clearly until it is wired. */
const NOT_WIRED: Pick<
  CoreToolPorts,
  'writeServer' | 'configuration' | 'detect' | 'acceptTools' | 'events'
> = {
  writeServer: {
    create: () => Promise.resolve(refused),
    patch: () => Promise.resolve(refused),
    remove: () => Promise.resolve(refused),
  },
  configuration: {
    aggregator: () => ({}),
    update: () => Promise.resolve(refused),
    save: () => Promise.resolve(refused),
    reload: () => Promise.resolve(refused),
  },
  detect: () => Promise.resolve({ kind: 'refused', detail: refused.text }),
  acceptTools: () => Promise.resolve(refused),
  events: { query: () => Promise.resolve([]), now: Date.now, subscribe: () => () => undefined },
};

function serviceOutcome(outcome: ControlOutcome): ServiceOutcome {
  switch (outcome.code) {
    case 'started':
    case 'stopped':
    case 'restarted':
      return { kind: 'done' };
    case 'already-running':
    case 'already-stopped':
      return { kind: 'already' };
    case 'unknown':
      return { kind: 'unknown' };
    case 'auth-required':
      return { kind: 'failed', text: `${outcome.server} requires sign-in` };
    case 'failed':
      return { kind: 'failed', text: outcome.reason };
  }
}
