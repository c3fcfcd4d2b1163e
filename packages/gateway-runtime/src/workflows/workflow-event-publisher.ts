import { workflowEvents, type CatalogSnapshot } from '@gateway/catalog';
import type { EventSink } from '@gateway/events';

/** Tells what happens to the workflows of a catalog. */
export interface WorkflowEventPublisher {
  /** Takes each snapshot. */
  readonly update: (snapshot: CatalogSnapshot) => void;
  /** From now on what is missing is missing, since every server was tried. */
  readonly begin: () => void;
}

/** Tells nothing until it is to begin: while servers start, every workflow lacks something. */
export function createWorkflowEventPublisher(emit: EventSink): WorkflowEventPublisher {
  let latest: CatalogSnapshot | undefined;
  let told: CatalogSnapshot | undefined;
  let hasBegun = false;
  const tell = (): void => {
    if (!hasBegun || latest === undefined) return;
    for (const event of workflowEvents(told, latest)) emit(event);
    told = latest;
  };
  return {
    update: (snapshot) => {
      latest = snapshot;
      tell();
    },
    begin: () => {
      hasBegun = true;
      tell();
    },
  };
}
