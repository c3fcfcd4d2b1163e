import type { McpServer } from '@gateway/crd-schemas';
import type { Agenda } from './phase-timers.ts';
import { dependencyOf } from './starts/dependency.ts';
import type { MachineEvent, Phase } from './machine/phase.ts';
import type { SupervisorWorld } from './supervisor-dependencies.ts';

/** What waits, and whom to tell. */
export interface Waiter {
  readonly definition: McpServer;
  readonly phase: Phase;
  readonly tell: (event: MachineEvent) => void;
}

/** Puts the next try of a server that waits on the agenda of its phase, and the looks for what it needs. */
export const planRetry = (
  agenda: Agenda,
  { definition, phase, tell }: Waiter,
  { dependencies, baseDirectory }: Pick<SupervisorWorld, 'dependencies' | 'baseDirectory'>,
): void => {
  if (phase.kind !== 'waiting') return;
  agenda.after(phase.delayMs, () => tell({ kind: 'retry-due' }));
  if (phase.lookMs === undefined) return;
  const dependency = dependencyOf(definition, baseDirectory);
  agenda.begun(dependencies.watch(dependency, phase.lookMs, () => tell({ kind: 'appeared' })));
};
