import type { McpServer } from '@gateway/crd-schemas';
import type { PhaseTimers } from './phase-timers.ts';
import { dependencyOf } from './starts/dependency.ts';
import type { MachineEvent, Phase } from './machine/phase.ts';
import type { SupervisorDependencies } from './supervisor-dependencies.ts';

/** A waiting server and the receiver of its events. */
export interface Waiter {
  readonly definition: McpServer;
  readonly phase: Phase;
  readonly dispatch: (event: MachineEvent) => void;
}

/** Schedules the next attempt of a waiting server and the checks for its dependency. */
export const scheduleRetry = (
  timers: PhaseTimers,
  { definition, phase, dispatch }: Waiter,
  {
    dependencyWatch,
    baseDirectory,
  }: Pick<SupervisorDependencies, 'dependencyWatch' | 'baseDirectory'>,
): void => {
  if (!('delayMs' in phase)) return;
  timers.after(phase.delayMs, () => dispatch({ kind: 'retry-due' }));
  if (!('checkMs' in phase)) return;
  const dependency = dependencyOf(definition, baseDirectory);
  timers.onEnd(
    dependencyWatch.watch(dependency, phase.checkMs, () => dispatch({ kind: 'appeared' })),
  );
};
