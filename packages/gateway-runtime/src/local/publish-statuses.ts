import type { McpServerStatus } from '@gateway/crd-schemas';
import type { Downstream } from '@gateway/downstream';
import type { ResourceStore } from '@gateway/resource-store';

/** Writes the status of each server to its object when it changes. The store writes at most one in a second. @returns a function that stops it */
export function publishStatuses(
  { writeStatus }: Pick<ResourceStore, 'writeStatus'>,
  downstream: Pick<Downstream, 'servers' | 'onChange'>,
): () => void {
  let published: ReadonlyMap<string, McpServerStatus> = new Map();
  return downstream.onChange((changedFor) => {
    if (changedFor !== 'all') return;
    const now = new Map<string, McpServerStatus>();
    for (const { definition, status } of downstream.servers()) {
      const { namespace, name } = definition.metadata;
      const id = `${namespace}/${name}`;
      now.set(id, status);
      if (published.get(id) !== status)
        void writeStatus({ kind: 'MCPServer', namespace, name }, status);
    }
    published = now;
  });
}
