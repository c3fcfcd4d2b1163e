import { workflowEvents, type CatalogSnapshot } from '@gateway/catalog';
import type { EventSink } from '@gateway/events';

/** Publishes events about the workflows of the catalog. */
export interface WorkflowEventPublisher {
  /** Receives each snapshot of the catalog. */
  readonly update: (snapshot: CatalogSnapshot) => void;
  /** Starts publishing, from this snapshot on. Called when every server was tried: until then every workflow lacks tools. */
  readonly begin: (snapshot: CatalogSnapshot) => void;
}

/** Creates a publisher that publishes nothing before `begin`. */
export function createWorkflowEventPublisher(emit: EventSink): WorkflowEventPublisher {
  let latest: CatalogSnapshot | undefined;
  let published: CatalogSnapshot | undefined;
  let hasBegun = false;
  const publish = (): void => {
    if (!hasBegun || latest === undefined) return;
    for (const event of workflowEvents(published, latest)) emit(event);
    published = latest;
  };
  return {
    update: (snapshot) => {
      latest = snapshot;
      publish();
    },
    begin: (snapshot) => {
      hasBegun = true;
      latest = snapshot;
      publish();
    },
  };
}
