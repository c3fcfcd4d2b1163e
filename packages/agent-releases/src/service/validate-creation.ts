import {
  nameProblem,
  REFUSALS,
  type Answer,
  type OperationDraft,
  type Refusal,
} from '@gateway/agent-manager-client';
import { isDeleting } from '../read/ownership.ts';
import { fieldEdits } from '../compose/field-edits.ts';
import { helmRelease, ociRepository } from '../compose/manifests.ts';
import { textOf } from '../values/lenient.ts';
import type { HelmRelease, Json, ObjectName, OciRepository } from '../store/objects.ts';
import { applyEdits } from '../update/apply-edits.ts';
import type { AgentServiceParts } from './agent-service.ts';
import { findAgent } from './find-agent.ts';
import { creationArgumentProblems, type Validated } from './validated.ts';
import { modelConfigProblems } from './model-config-problems.ts';
import { valuesProblems } from './values-problems.ts';

/** The objects of a new agent. */
export interface CreationPlan {
  readonly source: OciRepository;
  readonly release: HelmRelease;
}

type CreationDraft = OperationDraft<'validate_agent'>;

/** Returns the refusal of a creation whose release exists. */
const existenceRefusal = (release: HelmRelease, isTrial: boolean): Refusal => {
  const { metadata } = release;
  if (isDeleting(release)) return REFUSALS.releaseIsBeingDeleted(metadata);
  return isTrial ? REFUSALS.releaseExistsAlready(metadata) : REFUSALS.releaseExists(metadata);
};

/** Returns the problems of a name that is in use. */
const takenProblems = async (
  parts: AgentServiceParts,
  name: ObjectName,
  isTrial: boolean,
): Promise<Answer<readonly Refusal[]>> => {
  const named = await parts.store.getRelease(name);
  if (!named.ok) return named;
  if (named.value !== undefined)
    return { ok: true, value: [existenceRefusal(named.value.object, isTrial)] };
  const found = await findAgent(parts, name);
  if (!found.ok) return found;
  const { release, agent } = found.value;
  if (release !== undefined)
    return { ok: true, value: [existenceRefusal(release.object, isTrial)] };
  return { ok: true, value: agent === undefined ? [] : [REFUSALS.bareAgentExists(name)] };
};

const storeProblems = async (
  parts: AgentServiceParts,
  name: ObjectName,
  { modelConfig, isTrial }: { readonly modelConfig: string | undefined; readonly isTrial: boolean },
): Promise<Answer<readonly Refusal[]>> => {
  const taken = await takenProblems(parts, name, isTrial);
  if (!taken.ok || modelConfig === undefined) return taken;
  const models = await modelConfigProblems(parts.store, name.namespace, modelConfig);
  return models.ok ? { ok: true, value: [...taken.value, ...models.value] } : models;
};

const composedValues = (name: string, draft: CreationDraft): Json =>
  applyEdits({ agent: { name } }, fieldEdits(draft));

/**
 * Returns the problems of a creation, and the objects to write. Reads the store only for a valid name.
 *
 * @spec §4.4
 */
export const validateCreation = async (
  parts: AgentServiceParts,
  namespace: string,
  { draft, isTrial }: { readonly draft: CreationDraft; readonly isTrial: boolean },
): Promise<Answer<Validated<CreationPlan>>> => {
  const problems = creationArgumentProblems(draft);
  const name = { namespace, name: draft.name ?? '' };
  if (nameProblem(name.name) !== undefined)
    return { ok: true, value: { problems, plan: undefined } };
  const modelConfig = textOf(draft.modelConfig);
  const stored = await storeProblems(parts, name, { modelConfig, isTrial });
  if (!stored.ok) return stored;
  const values = composedValues(name.name, draft);
  const plan = {
    source: ociRepository(parts, namespace),
    release: helmRelease(parts, name, values),
  };
  return {
    ok: true,
    value: {
      problems: [...problems, ...stored.value, ...valuesProblems(parts.chart, values)],
      plan: problems.length === 0 ? plan : undefined,
    },
  };
};
