import type { CoreToolPorts, ServiceOutcome, WriteOutcome } from '@gateway/core-tools';
import type { ControlOutcome, Downstream } from '@gateway/downstream';
import type { GatewayConfig } from './config.ts';

/** Lets the core tools see and steer the downstream servers. */
export function coreToolPorts(downstream: Downstream, config: () => GatewayConfig): CoreToolPorts {
  return {
    servers: () => downstream.servers(),
    start: async (name) => serviceOutcome(await downstream.start(name)),
    stop: async (name) => serviceOutcome(await downstream.stop(name)),
    restart: async (name) => serviceOutcome(await downstream.restart(name)),
    config: () => ({ ...config() }),
    workflows: () => [],
    workflowAvailable: () => false,
    writeWorkflow: { create: noWriter, replace: noWriter, remove: noWriter },
    executions: {
      list: () => Promise.resolve({ executions: [], total: 0 }),
      get: () => Promise.resolve(undefined),
    },
    warn: () => undefined,
    mode: 'filesystem',
  };
}

const noWriter = (): Promise<WriteOutcome> =>
  Promise.resolve({ kind: 'failed', text: 'workflows are not written yet' });

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
