import type { McpServer } from '@gateway/crd-schemas';
import type { DownstreamLog } from '../../wire/log-event.ts';
import { sanitisedLine } from '../../wire/reason.ts';
import type { MachineState } from '../machine/server-machine.ts';
import { stateWord } from '../machine/server-state.ts';

/** Logs a change of the state word, or of the reason for it, as one line. */
export const logTransition = (
  { metadata, spec }: McpServer,
  before: MachineState,
  after: MachineState,
  log: DownstreamLog,
): void => {
  const { phase } = after;
  if (phase === before.phase) return;
  const state = stateWord(spec.type, phase.kind);
  const troubled = phase.kind === 'waiting' || phase.kind === 'auth-required';
  if (!troubled && stateWord(spec.type, before.phase.kind) === state) return;
  log({
    level: troubled ? 'warn' : 'info',
    server: metadata.name,
    event: 'server.state',
    state,
    ...(troubled ? { reason: phase.reason } : {}),
    ...(phase.kind === 'waiting' ? { nextRetryMs: phase.delayMs } : {}),
  });
};

/** Logs that the tools of a live server could not be read again, so that the ones it had stay. */
export const logToolsRefused = (
  { metadata }: McpServer,
  reason: string,
  log: DownstreamLog,
): void =>
  log({
    level: 'warn',
    server: metadata.name,
    event: 'server.list-refused',
    list: 'tools/list',
    reason: sanitisedLine(reason),
  });
