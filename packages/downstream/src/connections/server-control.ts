import { type AcceptOutcome, raceLimit } from '@gateway/call-contract';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { Supervisor } from './fleet.ts';

export type ControlOutcome =
  | { readonly code: 'started'; readonly server: string }
  | { readonly code: 'already-running'; readonly server: string }
  | { readonly code: 'stopped'; readonly server: string }
  | { readonly code: 'already-stopped'; readonly server: string }
  | { readonly code: 'restarted'; readonly server: string }
  | { readonly code: 'auth-required'; readonly server: string }
  | { readonly code: 'unknown'; readonly server: string }
  | { readonly code: 'failed'; readonly server: string; readonly reason: string };

const STOPPED_MEANWHILE = 'the server was stopped meanwhile';

const toOutcome = (supervisor: Supervisor, done: 'started' | 'restarted'): ControlOutcome => {
  const server = supervisor.definition.metadata.name;
  const { phase } = supervisor.state;
  switch (phase.kind) {
    case 'live':
      return { code: done, server };
    case 'waiting':
      return { code: 'failed', server, reason: phase.reason };
    case 'auth-required':
      return { code: 'auth-required', server };
    case 'stopped':
    case 'stopping':
    case 'starting':
    case 'restarting':
      return { code: 'failed', server, reason: STOPPED_MEANWHILE };
  }
};

export const startServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  if (supervisor.state.phase.kind === 'live')
    return { code: 'already-running', server: supervisor.definition.metadata.name };
  supervisor.dispatch({ kind: 'start' });
  await supervisor.waitForRest();
  return toOutcome(supervisor, 'started');
};

export const stopServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  const server = supervisor.definition.metadata.name;
  if (supervisor.state.phase.kind === 'stopped') return { code: 'already-stopped', server };
  supervisor.dispatch({ kind: 'stop' });
  await supervisor.waitForEnd();
  return { code: 'stopped', server };
};

export const restartServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  supervisor.dispatch({ kind: 'restart' });
  await supervisor.waitForRest();
  return toOutcome(supervisor, 'restarted');
};

/** Maximum time to write an acceptance, in milliseconds. */
const SAVE_MS = 5_000;

/** Accepts the declarations of these tools, or of all, exposes held hints and writes the acceptance. */
export const acceptTools = async (
  supervisor: Supervisor | undefined,
  declared: DeclaredTools,
  tools: readonly string[] | undefined,
): Promise<AcceptOutcome> => {
  if (supervisor === undefined) return { kind: 'unknown' };
  const outcome = await declared.accept(supervisor.definition.metadata, tools);
  if (outcome.kind !== 'done' || outcome.tools.length === 0) return outcome;
  supervisor.refreshExposedLists();
  const isSaved = await raceLimit(declared.save(), { ms: SAVE_MS }, () => false);
  return isSaved ? outcome : { ...outcome, unsaved: true };
};
