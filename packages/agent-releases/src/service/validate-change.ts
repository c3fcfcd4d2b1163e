import {
  REFUSALS,
  type Answer,
  type OperationDraft,
  type Refusal,
} from '@gateway/agent-manager-client';
import { fieldEdits } from '../compose/field-edits.ts';
import { at, textOf } from '../values/lenient.ts';
import type { HelmRelease, ObjectName } from '../store/objects.ts';
import { isDeleting } from '../read/ownership.ts';
import { applyEdits } from '../update/apply-edits.ts';
import { differences } from '../update/changed-paths.ts';
import { isWithinDepth, TOO_DEEP } from '../values/depth.ts';
import { valuesOf } from '../values/values-of.ts';
import type { AgentServiceParts } from './agent-service.ts';
import type { FoundAgent } from './find-agent.ts';
import { releaseProtection } from './release-protection.ts';
import { changeArgumentProblems, type Validated } from './validated.ts';
import { modelConfigProblems } from './model-config-problems.ts';
import { changeProblems, type ValuesChange } from './values-problems.ts';

/** The release before and after a change. */
export interface ChangePlan extends ValuesChange {
  /** The whole release as it is written. */
  readonly release: HelmRelease;
  readonly revision: string;
}

/** A requested change of an agent, with the objects that were found for it. */
export interface ChangeRequest {
  readonly name: ObjectName;
  readonly draft: OperationDraft<'validate_agent'>;
  readonly found: FoundAgent;
}

const protectionProblems = (
  release: HelmRelease,
  force: boolean | undefined,
): readonly Refusal[] => {
  if (isDeleting(release)) return [REFUSALS.releaseIsBeingDeleted(release.metadata)];
  const protection = force === true ? undefined : releaseProtection(release);
  return protection === undefined ? [] : [protection];
};

const withValues = (release: HelmRelease, values: HelmRelease['spec']): HelmRelease => ({
  ...release,
  spec: { ...release.spec, values },
});

const newModelProblems = async (
  { store }: AgentServiceParts,
  { name, draft }: ChangeRequest,
  { before, after }: ValuesChange,
): Promise<Answer<readonly Refusal[]>> => {
  const modelConfig = textOf(draft.modelConfig);
  const isChanged = at(before, 'modelConfig', 'name') !== at(after, 'modelConfig', 'name');
  return modelConfig === undefined || !isChanged
    ? { ok: true, value: [] }
    : await modelConfigProblems(store, name.namespace, modelConfig);
};

const tooDeep = ({ chart }: AgentServiceParts): Refusal =>
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
  asked: ChangeRequest,
): Promise<Answer<Validated<ChangePlan>>> => {
  const { name, draft, found } = asked;
  const stored = found.release;
  if (stored === undefined)
    return { ok: true, value: { problems: [REFUSALS.bareAgent(name)], plan: undefined } };
  const protection = protectionProblems(stored.object, draft.force);
  const before = valuesOf(stored.object);
  if (!isWithinDepth(before))
    return { ok: true, value: { problems: [...protection, tooDeep(parts)], plan: undefined } };
  const argument = changeArgumentProblems(draft);
  const after = applyEdits(before, fieldEdits(draft));
  const change = { before, after, changed: differences(before, after) };
  const models = await newModelProblems(parts, asked, change);
  if (!models.ok) return models;
  const values = change.changed.length === 0 ? [] : changeProblems(parts.chart, change);
  const plan = { ...change, release: withValues(stored.object, after), revision: stored.revision };
  return {
    ok: true,
    value: {
      problems: [...argument, ...protection, ...models.value, ...values],
      plan: argument.length === 0 ? plan : undefined,
    },
  };
};
