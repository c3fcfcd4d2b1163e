import {
  validateName,
  formatReason,
  createRefusal,
  REFUSALS,
  type ClientOutcome,
  type AgentManifests,
  type OperationDraft,
  type AgentRefusal,
} from '@gateway/agent-manager-client';
import { toManifests } from '../compose/manifests.ts';
import {
  type AgentService,
  type AgentServiceParts,
  findAgent,
  resolveManagedNamespace,
  resolveReleaseSource,
} from './find-agent.ts';
import {
  validateChangeArguments,
  checkToolNames,
  validateChange,
  validateCreation,
  toWarningsMember,
} from './validate-write.ts';

/** The problems and the manifests of a dry run. */
interface DryRun {
  readonly problems: readonly AgentRefusal[];
  readonly manifests: AgentManifests | undefined;
}

type Draft = OperationDraft<'validate_agent'>;

const tryCreation = async (
  parts: AgentServiceParts,
  namespace: string,
  draft: Draft,
): Promise<ClientOutcome<DryRun>> => {
  const validated = await validateCreation(parts, namespace, { draft, isTrial: true });
  if (!validated.ok) return validated;
  const { problems, plan } = validated.value;
  return {
    ok: true,
    value: { problems, manifests: plan && toManifests(plan.release, plan.source) },
  };
};

const tryChange = async (
  parts: AgentServiceParts,
  namespace: string,
  draft: Draft,
): Promise<ClientOutcome<DryRun>> => {
  const given = draft.name ?? '';
  const name = { namespace, name: given };
  const refuseChange = (problem: AgentRefusal): ClientOutcome<DryRun> => ({
    ok: true,
    value: { problems: [problem, ...validateChangeArguments(draft)], manifests: undefined },
  });
  if (given.trim() === '')
    return refuseChange(createRefusal('invalid_request', validateName(given) ?? ''));
  const found = await findAgent(parts, name);
  if (!found.ok) return found;
  if (found.value.agent === undefined && found.value.release === undefined)
    return refuseChange(REFUSALS.noAgentToRead(name));
  const validated = await validateChange(parts, { name, draft, found: found.value });
  if (!validated.ok) return validated;
  const { problems, plan } = validated.value;
  const manifests =
    plan && toManifests(plan.release, await resolveReleaseSource(parts, plan.release, name));
  return { ok: true, value: { problems, manifests } };
};

/** Returns every problem of a creation or a change, and its result. Writes nothing. @spec §4.4 */
export const validateAgent =
  (parts: AgentServiceParts): AgentService['validate_agent'] =>
  async (draft) => {
    const namespace = resolveManagedNamespace(parts, draft.namespace);
    if (!namespace.ok) return namespace;
    const toolNames = checkToolNames(draft);
    if (!toolNames.ok) return toolNames;
    const mode = draft.update === true ? 'update' : 'create';
    const attempt = mode === 'update' ? tryChange : tryCreation;
    const outcome = await attempt(parts, namespace.value, draft);
    if (!outcome.ok) return outcome;
    const { problems, manifests } = outcome.value;
    const { schemaVersion, schemaSource } = parts.chart;
    return {
      ok: true,
      value: {
        valid: problems.length === 0,
        mode,
        ...(problems.length > 0 && { errors: problems.map(formatReason) }),
        ...toWarningsMember(draft),
        schemaVersion,
        schemaSource,
        ...(manifests !== undefined && { manifests }),
      },
    };
  };
