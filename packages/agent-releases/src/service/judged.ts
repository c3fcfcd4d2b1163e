import {
  modelConfigProblem,
  nameProblem,
  refusal,
  skillsProblem,
  toolNamesProblem,
  toolsetProblem,
  type Answer,
  type OperationDraft,
  type Refusal,
} from '@gateway/agent-manager-client';

/** What speaks against a write, in the order in which callers are told, and what would be written. */
export interface Judged<Plan> {
  readonly problems: readonly Refusal[];
  /** Absent where nothing could be composed. */
  readonly plan: Plan | undefined;
}

type WriteDraft = OperationDraft<'validate_agent'>;

const invalid = (problem: string | undefined): readonly Refusal[] =>
  problem === undefined ? [] : [refusal('invalid_request', problem)];

/** Refuses callers that still pass `toolNames`, whatever else they say. @spec §7.5 */
export const toolNamesAnswer = ({ toolNames }: WriteDraft): Answer<undefined> => {
  const [problem] = invalid(toolNamesProblem(toolNames));
  return problem === undefined ? { ok: true, value: undefined } : { ok: false, refusal: problem };
};

/** What is wrong with the arguments of a new agent, whatever there is. @spec §4.4 */
export const creationArgumentProblems = (draft: WriteDraft): readonly Refusal[] => [
  ...invalid(nameProblem(draft.name)),
  ...invalid(toolsetProblem(draft.toolset, { isRequired: true })),
  ...invalid(modelConfigProblem(draft.modelConfig)),
  ...invalid(skillsProblem(draft.skills)),
];

/** What is wrong with the arguments of a change, whatever there is. @spec §4.4 */
export const changeArgumentProblems = (draft: WriteDraft): readonly Refusal[] => [
  ...invalid(toolsetProblem(draft.toolset, { isRequired: false })),
  ...invalid(skillsProblem(draft.skills)),
];
