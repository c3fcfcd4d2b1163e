import type { McpServer } from '@gateway/crd-schemas';
import type { PhaseTimers } from './phase-timers.ts';
import { dependencyOf } from './starts/dependency.ts';
import type { MachineEvent, Phase } from './machine/phase.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';

/** What waits, and whom to dispatch. */
export interface Waiter {
  readonly definition: McpServer;
  readonly phase: Phase;
  readonly dispatch: (event: MachineEvent) => void;
}

/** Puts the next try of a server that waits on the timers of its phase, and the looks for what it needs. */
export const scheduleRetry = (
  timers: PhaseTimers,
  { definition, phase, dispatch }: Waiter,
  {
    dependencyWatch,
    baseDirectory,
  }: Pick<SupervisorDependencies, 'dependencyWatch' | 'baseDirectory'>,
): void => {
  if (phase.kind !== 'waiting') return;
  timers.after(phase.delayMs, () => dispatch({ kind: 'retry-due' }));
  if (phase.checkMs === undefined) return;
  const dependency = dependencyOf(definition, baseDirectory);
  timers.onEnd(
    dependencyWatch.watch(dependency, phase.checkMs, () => dispatch({ kind: 'appeared' })),
  );
};
