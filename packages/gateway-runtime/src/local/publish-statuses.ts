import type { McpServerStatus } from '@gateway/crd-schemas';
import type { Downstream } from '@gateway/downstream';
import type { ResourceStore } from '@gateway/resource-store';

type ServerView = ReturnType<Downstream['servers']>[number];

/** The published facts of a server. */
interface Published {
  readonly status: McpServerStatus;
  readonly isTrying: boolean;
}

/** A connection that may still turn out to be unstable is shown without the failures before it, which would be a second change a minute later. */
const shownStatus = ({ status, connectedAt }: ServerView): McpServerStatus =>
  connectedAt === undefined ? status : { ...status, consecutiveFailures: 0 };

/**
 * Writes the status of each server to its object when it changes. The store writes at most one in a second. The first
 * attempt and one after a failure are provisional: the last known status stays until they are over. @returns a function that stops it
 */
export function publishStatuses(
  { writeStatus }: Pick<ResourceStore, 'writeStatus'>,
  downstream: Pick<Downstream, 'servers' | 'onChange'>,
): () => void {
  let published: ReadonlyMap<string, Published> = new Map();
  return downstream.onChange((changedFor) => {
    if (changedFor !== 'all') return;
    const now = new Map<string, Published>();
    for (const view of downstream.servers()) {
      const { namespace, name } = view.definition.metadata;
      const id = `${namespace}/${name}`;
      const isTrying = view.isTrying === true;
      const before = published.get(id);
      now.set(id, { status: view.status, isTrying });
      if (before?.status === view.status && before.isTrying === isTrying) continue;
      const reference = { kind: 'MCPServer', namespace, name } as const;
      void writeStatus(reference, shownStatus(view), { isProvisional: isTrying });
    }
    published = now;
  });
}
