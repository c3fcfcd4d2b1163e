import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import type { AcceptOutcome } from '../lists/trust/server-ledger.ts';
import type { Supervisor } from './supervisor.ts';

/** The outcome of a start, stop or restart. */
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

const outcomeAtRest = (supervisor: Supervisor, done: 'started' | 'restarted'): ControlOutcome => {
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

/** Starts a server that is not running and waits for the outcome of the attempt. */
export const startServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  if (supervisor.state.phase.kind === 'live')
    return { code: 'already-running', server: supervisor.definition.metadata.name };
  supervisor.dispatch({ kind: 'start' });
  await supervisor.atRest();
  return outcomeAtRest(supervisor, 'started');
};

/** Stops a server and its retries, and waits until it has ended. */
export const stopServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  const server = supervisor.definition.metadata.name;
  if (supervisor.state.phase.kind === 'stopped') return { code: 'already-stopped', server };
  supervisor.dispatch({ kind: 'stop' });
  await supervisor.ended();
  return { code: 'stopped', server };
};

/** Stops a running server, starts it again and waits for the outcome of the attempt. */
export const restartServer = async (supervisor: Supervisor): Promise<ControlOutcome> => {
  supervisor.dispatch({ kind: 'restart' });
  await supervisor.atRest();
  return outcomeAtRest(supervisor, 'restarted');
};

/** Maximum time to write an acceptance, in milliseconds. */
const SAVE_MS = 5_000;

const savedInTime = async (declared: DeclaredTools): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), SAVE_MS);
  });
  const saved = await Promise.race([declared.saved(), late]);
  clearTimeout(timer);
  return saved;
};

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
  return (await savedInTime(declared)) ? outcome : { ...outcome, unsaved: true };
};
