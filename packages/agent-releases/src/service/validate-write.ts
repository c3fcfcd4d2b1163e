import {
  type ClientOutcome,
  validateIconUrl,
  validateMetadata,
  validateModelConfig,
  validateName,
  validateObjectName,
  type OperationDraft,
  createRefusal,
  type AgentRefusal,
  REFUSALS,
  validateSkills,
  validateToolNames,
  validateToolset,
  listToolsetWarnings,
} from '@gateway/agent-manager-client';
import type { AgentChart } from '../chart/agent-chart.ts';
import {
  applyEdits,
  listChangedPaths,
  listFieldEdits,
  type KeyPath,
} from '../compose/field-edits.ts';
import { createHelmRelease, createOciRepository } from '../compose/manifests.ts';
import { isDeleting, isSuspended, findKustomization } from '../read/object-facts.ts';
import type {
  AgentStore,
  HelmRelease,
  Json,
  ObjectName,
  OciRepository,
} from '../store/agent-store.ts';
import {
  readNestedValue,
  isWithinDepth,
  toNonBlankText,
  TOO_DEEP,
  readReleaseValues,
} from '../values/lenient.ts';
import { type AgentServiceParts, findAgent, type FoundAgent } from './find-agent.ts';

/** The problems of a write, in report order, and its plan. */
interface WriteValidation<Plan> {
  readonly problems: readonly AgentRefusal[];
  /** Undefined when the arguments are invalid. */
  readonly plan: Plan | undefined;
}

type WriteDraft = OperationDraft<'validate_agent'>;

const toArgumentRefusals = (problem: string | undefined): readonly AgentRefusal[] =>
  problem === undefined ? [] : [createRefusal('invalid_request', problem)];

/** Refuses calls with the former argument `toolNames`, before any other check. @spec §7.5 */
export const checkToolNames = ({ toolNames }: WriteDraft): ClientOutcome<undefined> => {
  const [problem] = toArgumentRefusals(validateToolNames(toolNames));
  return problem === undefined ? { ok: true, value: undefined } : { ok: false, error: problem };
};

/** Returns the member `warnings` of an answer, or an empty object without warnings. @spec §4.4 */
export const toWarningsMember = ({ toolset }: WriteDraft): { readonly warnings?: string[] } => {
  const warnings = listToolsetWarnings(toolset);
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
};

/** Validates the arguments of a creation without reading the store. @spec §4.4 */
export const validateCreationArguments = (draft: WriteDraft): readonly AgentRefusal[] => [
  ...toArgumentRefusals(validateName(draft.name)),
  ...toArgumentRefusals(validateToolset(draft.toolset, { isRequired: true })),
  ...toArgumentRefusals(validateModelConfig(draft.modelConfig)),
  ...toArgumentRefusals(validateIconUrl(draft.iconUrl)),
  ...toArgumentRefusals(validateSkills(draft.skills)),
  ...toArgumentRefusals(validateMetadata(draft)),
];

/** Validates the arguments of a change without reading the store. @spec §4.4 */
export const validateChangeArguments = (draft: WriteDraft): readonly AgentRefusal[] => [
  ...toArgumentRefusals(validateToolset(draft.toolset, { isRequired: false })),
  ...toArgumentRefusals(validateObjectName('modelConfig', draft.modelConfig)),
  ...toArgumentRefusals(validateIconUrl(draft.iconUrl)),
  ...toArgumentRefusals(validateSkills(draft.skills)),
  ...toArgumentRefusals(validateMetadata(draft)),
];

/** Returns a refusal when the namespace does not have the model configuration. A namespace without model configurations may accept every name. */
const findModelConfigProblems = async (
  store: AgentStore,
  namespace: string,
  modelConfig: string,
): Promise<ClientOutcome<readonly AgentRefusal[]>> => {
  const models = await store.modelConfigs(namespace);
  if (!models.ok) return models;
  const { isOpen, listed } = models.value;
  const valid = listed
    .flatMap((model) => toNonBlankText(readNestedValue(model, 'metadata', 'name')) ?? [])
    .sort();
  const isKnown = isOpen || valid.includes(modelConfig);
  return {
    ok: true,
    value: isKnown ? [] : [REFUSALS.noModelConfig({ namespace, modelConfig, valid })],
  };
};

const toValuesRefusals = (
  chart: AgentChart,
  problems: readonly string[],
): readonly AgentRefusal[] => {
  const { schemaVersion, schemaSource } = chart;
  return problems.length === 0
    ? []
    : [REFUSALS.valuesRefused({ schemaVersion, schemaSource, problems })];
};

/** Returns the refusal of the values of a new agent by the chart, if any. */
const findValuesProblems = (chart: AgentChart, values: Json): readonly AgentRefusal[] =>
  toValuesRefusals(chart, chart.problems(values));

const formatJsonPointer = (path: KeyPath): string =>
  path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns whether a problem is about a value at or below one of these paths. */
const isAboutPaths = (problem: string, paths: readonly KeyPath[]): boolean =>
  paths
    .map(formatJsonPointer)
    .some((path) => problem.startsWith(`${path}:`) || problem.startsWith(`${path}/`));

/** The values before and after a change. */
interface ValuesChange {
  readonly before: Json;
  readonly after: Json;
  readonly changed: readonly KeyPath[];
}

/**
 * Returns the refusal of changed values by the chart, if any. A problem that existed before and is not about a changed value does not block
 * the change: another client wrote the value, possibly for a newer chart.
 */
const findChangeProblems = (
  chart: AgentChart,
  { before, after, changed }: ValuesChange,
): readonly AgentRefusal[] => {
  const problems = chart.problems(after);
  if (problems.length === 0) return [];
  const known = new Set(chart.problems(before));
  return toValuesRefusals(
    chart,
    problems.filter((problem) => !known.has(problem) || isAboutPaths(problem, changed)),
  );
};

/** Returns why a release can be changed or deleted only with `force`: Git would revert the change, or Flux would ignore it. */
export const findReleaseProtection = (release: HelmRelease): AgentRefusal | undefined => {
  const kustomization = findKustomization(release);
  if (kustomization !== undefined)
    return REFUSALS.releaseFromGit({ ...release.metadata, kustomization });
  return isSuspended(release) ? REFUSALS.releaseSuspended(release.metadata) : undefined;
};

/** The objects of a new agent. */
export interface CreationPlan {
  readonly source: OciRepository;
  readonly release: HelmRelease;
}

type CreationDraft = OperationDraft<'validate_agent'>;

/** Returns the refusal of a creation whose release exists. */
const createExistenceRefusal = (release: HelmRelease, isTrial: boolean): AgentRefusal => {
  const { metadata } = release;
  if (isDeleting(release)) return REFUSALS.releaseIsBeingDeleted(metadata);
  return isTrial ? REFUSALS.releaseExistsAlready(metadata) : REFUSALS.releaseExists(metadata);
};

/** Returns the problems of a name that is in use. */
const findNameConflicts = async (
  parts: AgentServiceParts,
  name: ObjectName,
  isTrial: boolean,
): Promise<ClientOutcome<readonly AgentRefusal[]>> => {
  const named = await parts.store.getRelease(name);
  if (!named.ok) return named;
  if (named.value !== undefined)
    return { ok: true, value: [createExistenceRefusal(named.value.object, isTrial)] };
  const found = await findAgent(parts, name);
  if (!found.ok) return found;
  const { release, agent } = found.value;
  if (release !== undefined)
    return { ok: true, value: [createExistenceRefusal(release.object, isTrial)] };
  return { ok: true, value: agent === undefined ? [] : [REFUSALS.bareAgentExists(name)] };
};

const findStoreProblems = async (
  parts: AgentServiceParts,
  name: ObjectName,
  { modelConfig, isTrial }: { readonly modelConfig: string | undefined; readonly isTrial: boolean },
): Promise<ClientOutcome<readonly AgentRefusal[]>> => {
  const taken = await findNameConflicts(parts, name, isTrial);
  if (!taken.ok || modelConfig === undefined) return taken;
  const models = await findModelConfigProblems(parts.store, name.namespace, modelConfig);
  return models.ok ? { ok: true, value: [...taken.value, ...models.value] } : models;
};

const composeValues = (name: string, draft: CreationDraft): Json =>
  applyEdits({ agent: { name } }, listFieldEdits(draft));

/**
 * Returns the problems of a creation, and the objects to write. Reads the store only for a valid name.
 *
 * @spec §4.4
 */
export const validateCreation = async (
  parts: AgentServiceParts,
  namespace: string,
  { draft, isTrial }: { readonly draft: CreationDraft; readonly isTrial: boolean },
): Promise<ClientOutcome<WriteValidation<CreationPlan>>> => {
  const problems = validateCreationArguments(draft);
  const name = { namespace, name: draft.name ?? '' };
  if (validateName(name.name) !== undefined)
    return { ok: true, value: { problems, plan: undefined } };
  const modelConfig = toNonBlankText(draft.modelConfig);
  const stored = await findStoreProblems(parts, name, { modelConfig, isTrial });
  if (!stored.ok) return stored;
  const values = composeValues(name.name, draft);
  const plan = {
    source: createOciRepository(parts, namespace),
    release: createHelmRelease(parts, name, values),
  };
  return {
    ok: true,
    value: {
      problems: [...problems, ...stored.value, ...findValuesProblems(parts.chart, values)],
      plan: problems.length === 0 ? plan : undefined,
    },
  };
};

/** The release before and after a change. */
export interface ChangePlan extends ValuesChange {
  /** The complete release to write. */
  readonly release: HelmRelease;
  readonly revision: string;
}

/** A requested change of an agent, with the objects that were found for it. */
export interface ChangeRequest {
  readonly name: ObjectName;
  readonly draft: OperationDraft<'validate_agent'>;
  readonly found: FoundAgent;
}

const findProtectionProblems = (
  release: HelmRelease,
  force: boolean | undefined,
): readonly AgentRefusal[] => {
  if (isDeleting(release)) return [REFUSALS.releaseIsBeingDeleted(release.metadata)];
  const protection = force === true ? undefined : findReleaseProtection(release);
  return protection === undefined ? [] : [protection];
};

const withValues = (release: HelmRelease, values: HelmRelease['spec']): HelmRelease => ({
  ...release,
  spec: { ...release.spec, values },
});

const findNewModelProblems = async (
  { store }: AgentServiceParts,
  { name, draft }: ChangeRequest,
  { before, after }: ValuesChange,
): Promise<ClientOutcome<readonly AgentRefusal[]>> => {
  const modelConfig = toNonBlankText(draft.modelConfig);
  const isChanged =
    readNestedValue(before, 'modelConfig', 'name') !==
    readNestedValue(after, 'modelConfig', 'name');
  return modelConfig === undefined || !isChanged
    ? { ok: true, value: [] }
    : await findModelConfigProblems(store, name.namespace, modelConfig);
};

const createDepthRefusal = ({ chart }: AgentServiceParts): AgentRefusal =>
  REFUSALS.valuesRefused({
    schemaVersion: chart.schemaVersion,
    schemaSource: chart.schemaSource,
    problems: [`(root): ${TOO_DEEP}`],
  });

/**
 * Returns the problems of a change of an existing agent, and the release to write.
 *
 * @spec §4.4
 */
export const validateChange = async (
  parts: AgentServiceParts,
  request: ChangeRequest,
): Promise<ClientOutcome<WriteValidation<ChangePlan>>> => {
  const { name, draft, found } = request;
  const stored = found.release;
  if (stored === undefined)
    return { ok: true, value: { problems: [REFUSALS.bareAgent(name)], plan: undefined } };
  const protection = findProtectionProblems(stored.object, draft.force);
  const before = readReleaseValues(stored.object);
  if (!isWithinDepth(before))
    return {
      ok: true,
      value: { problems: [...protection, createDepthRefusal(parts)], plan: undefined },
    };
  const argument = validateChangeArguments(draft);
  const after = applyEdits(before, listFieldEdits(draft));
  const change = { before, after, changed: listChangedPaths(before, after) };
  const models = await findNewModelProblems(parts, request, change);
  if (!models.ok) return models;
  const values = change.changed.length === 0 ? [] : findChangeProblems(parts.chart, change);
  const plan = { ...change, release: withValues(stored.object, after), revision: stored.revision };
  return {
    ok: true,
    value: {
      problems: [...argument, ...protection, ...models.value, ...values],
      plan: argument.length === 0 ? plan : undefined,
    },
  };
};
