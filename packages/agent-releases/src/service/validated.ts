import {
  iconUrlProblem,
  metadataProblem,
  modelConfigProblem,
  nameProblem,
  objectNameProblem,
  refusal,
  skillsProblem,
  toolNamesProblem,
  toolsetProblem,
  toolsetWarnings,
  type Answer,
  type OperationDraft,
  type Refusal,
} from '@gateway/agent-manager-client';

/** The problems of a write, in the order of their report, and its plan. */
export interface Validated<Plan> {
  readonly problems: readonly Refusal[];
  /** Undefined when no plan could be composed. */
  readonly plan: Plan | undefined;
}

type WriteDraft = OperationDraft<'validate_agent'>;

const invalid = (problem: string | undefined): readonly Refusal[] =>
  problem === undefined ? [] : [refusal('invalid_request', problem)];

/** Refuses calls with the former argument `toolNames`, before any other check. @spec §7.5 */
export const toolNamesAnswer = ({ toolNames }: WriteDraft): Answer<undefined> => {
  const [problem] = invalid(toolNamesProblem(toolNames));
  return problem === undefined ? { ok: true, value: undefined } : { ok: false, refusal: problem };
};

/** Returns the member `warnings` of an answer; nothing without warnings. @spec §4.4 */
export const warningsMember = ({ toolset }: WriteDraft): { readonly warnings?: string[] } => {
  const warnings = toolsetWarnings(toolset);
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
};

/** Returns the problems of the arguments of a new agent, without the store. @spec §4.4 */
export const creationArgumentProblems = (draft: WriteDraft): readonly Refusal[] => [
  ...invalid(nameProblem(draft.name)),
  ...invalid(toolsetProblem(draft.toolset, { isRequired: true })),
  ...invalid(modelConfigProblem(draft.modelConfig)),
  ...invalid(iconUrlProblem(draft.iconUrl)),
  ...invalid(skillsProblem(draft.skills)),
  ...invalid(metadataProblem(draft)),
];

/** Returns the problems of the arguments of a change, without the store. @spec §4.4 */
export const changeArgumentProblems = (draft: WriteDraft): readonly Refusal[] => [
  ...invalid(toolsetProblem(draft.toolset, { isRequired: false })),
  ...invalid(objectNameProblem('modelConfig', draft.modelConfig)),
  ...invalid(iconUrlProblem(draft.iconUrl)),
  ...invalid(skillsProblem(draft.skills)),
  ...invalid(metadataProblem(draft)),
];
