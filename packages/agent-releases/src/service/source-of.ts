import { ociRepository } from '../compose/manifests.ts';
import { sourceNameOf } from '../read/chart-ref.ts';
import type { HelmRelease, ObjectName, OciRepository } from '../store/objects.ts';
import type { AgentServiceParts } from './agent-service.ts';

/** Returns the source that a release names if it is valid, else the source of new agents in its namespace. */
export const sourceOf = async (
  parts: AgentServiceParts,
  release: HelmRelease,
  { namespace }: ObjectName,
): Promise<OciRepository> => {
  const named = sourceNameOf(release);
  const own = named?.namespace === namespace ? await parts.store.getSource(named) : undefined;
  return own?.ok === true && own.value !== undefined ? own.value : ociRepository(parts, namespace);
};
