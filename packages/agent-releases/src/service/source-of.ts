import { ociRepository } from '../compose/manifests.ts';
import { sourceNameOf } from '../read/chart-ref.ts';
import type { HelmRelease, ObjectName, OciRepository } from '../store/objects.ts';
import type { AgentServiceParts } from './agent-service.ts';

/** The source that a release names, where it can be read; else the one that new agents of its namespace get. */
export const sourceOf = async (
  parts: AgentServiceParts,
  release: HelmRelease,
  { namespace }: ObjectName,
): Promise<OciRepository> => {
  const named = sourceNameOf(release);
  const own = named?.namespace === namespace ? await parts.store.getSource(named) : undefined;
  return own?.ok === true && own.value !== undefined ? own.value : ociRepository(parts, namespace);
};
