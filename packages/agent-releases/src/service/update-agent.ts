import { REFUSALS, type ClientOutcome, type OperationDraft } from '@gateway/agent-manager-client';
import { toManifests } from '../compose/manifests.ts';
import { readAgent } from '../read/read-agent.ts';
import { type AgentResource, type ObjectName, mapOutcome } from '../store/agent-store.ts';
import { formatKeyPath } from '../compose/field-edits.ts';
import {
  type AgentService,
  type AgentServiceParts,
  findAgent,
  resolveAgentName,
  resolveManagedNamespace,
  resolveReleaseSource,
} from './find-agent.ts';
import {
  validateChangeArguments,
  type ChangePlan,
  type ChangeRequest,
  checkToolNames,
  validateChange,
  toWarningsMember,
} from './validate-write.ts';

type Updated = ReturnType<AgentService['update_agent']>;

const write = async (
  parts: AgentServiceParts,
  plan: ChangePlan,
  { name, agent }: { readonly name: ObjectName; readonly agent: AgentResource | undefined },
): Updated => {
  const { before, after, changed, release, revision } = plan;
  const source = await resolveReleaseSource(parts, release, name);
  const written =
    changed.length === 0 ? undefined : await parts.store.replaceRelease(release, revision);
  if (written?.ok === false) return written;
  return {
    ok: true,
    value: {
      agent: readAgent({ release: written?.value.object ?? release, agent }),
      before,
      after,
      changed: changed.map(formatKeyPath).sort(),
      manifests: toManifests(release, source),
    },
  };
};

/** Returns the requested change with the current objects of the agent. */
const changeRequest = async (
  parts: AgentServiceParts,
  draft: OperationDraft<'update_agent'>,
): Promise<ClientOutcome<ChangeRequest>> => {
  const namespace = resolveManagedNamespace(parts, draft.namespace);
  if (!namespace.ok) return namespace;
  const toolNames = checkToolNames(draft);
  if (!toolNames.ok) return toolNames;
  const name = resolveAgentName(parts, draft);
  if (!name.ok) return name;
  const [wrong] = validateChangeArguments(draft);
  if (wrong !== undefined) return { ok: false, error: wrong };
  const found = await findAgent(parts, name.value);
  return found.ok ? { ok: true, value: { name: name.value, draft, found: found.value } } : found;
};

/** Changes the given fields of an agent. Writes nothing when nothing differs. @spec §4.4 */
export const updateAgent =
  (parts: AgentServiceParts): AgentService['update_agent'] =>
  async (draft) => {
    const asked = await changeRequest(parts, draft);
    if (!asked.ok) return asked;
    const { name, found } = asked.value;
    if (found.agent === undefined && found.release === undefined)
      return { ok: false, error: REFUSALS.noAgentToWrite(name) };
    const validated = await validateChange(parts, asked.value);
    if (!validated.ok) return validated;
    const { problems, plan } = validated.value;
    const [problem] = problems;
    if (problem !== undefined) return { ok: false, error: problem };
    if (plan === undefined) throw new Error('nothing is wrong with a change that is not composed');
    const written = await write(parts, plan, { name, agent: found.agent });
    return mapOutcome(written, (value) => ({ ...value, ...toWarningsMember(draft) }));
  };
