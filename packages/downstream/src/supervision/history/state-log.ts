import type { McpServer } from '@gateway/crd-schemas';
import type { DownstreamLog } from '../../wire/log-event.ts';
import type { MachineState } from '../machine/server-machine.ts';
import { statusState } from '../machine/phase-table.ts';

/** Logs a change of the state or of its reason as one entry. */
export const logTransition = (
  { metadata, spec }: McpServer,
  before: MachineState,
  after: MachineState,
  log: DownstreamLog,
): void => {
  const { phase } = after;
  if (phase === before.phase) return;
  const state = statusState(spec.type, phase.kind);
  const hasFailed = 'reason' in phase;
  if (!hasFailed && statusState(spec.type, before.phase.kind) === state) return;
  log({
    level: hasFailed ? 'warn' : 'info',
    server: metadata.name,
    event: 'server.state',
    state,
    ...(hasFailed ? { reason: phase.reason } : {}),
    ...('delayMs' in phase ? { nextRetryMs: phase.delayMs } : {}),
  });
};
