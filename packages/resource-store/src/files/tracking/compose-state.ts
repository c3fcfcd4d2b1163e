import type { McpServer } from '@gateway/crd-schemas';
import type { ResourceProblem } from '../../port/resource-problem.ts';
import { sameList, sameProblems } from '../../interpretation/same-parts.ts';
import type { StoreState } from '../../port/state.ts';
import type { WorkflowResource } from '../../port/workflow-resource.ts';
import { byText } from '../../port/by-text.ts';
import type { FileTrack } from './file-track.ts';
import { groupsOf, partOf, type GroupPart } from './group-part.ts';
import { retainedWorkflow } from '../../interpretation/retained-workflow.ts';

const serversOf = (parts: readonly GroupPart[]): readonly McpServer[] =>
  parts
    .flatMap(({ server }) => (server === undefined ? [] : [server]))
    .toSorted((a, b) => byText(a.metadata.name, b.metadata.name));

const workflowsOf = (
  parts: readonly GroupPart[],
  previous: readonly WorkflowResource[],
): readonly WorkflowResource[] => {
  const known = new Map(previous.map((workflow) => [workflow.name, workflow]));
  return parts
    .flatMap(({ workflow }) =>
      workflow === undefined ? [] : [retainedWorkflow(known.get(workflow.name), workflow)],
    )
    .toSorted((a, b) => byText(a.name, b.name));
};

const NOTHING: StoreState = {
  config: undefined,
  configProblems: [],
  servers: [],
  workflows: [],
  problems: [],
};

/** Composes the state from the published files. Pure. Equal parts keep their identity from `previous`, and an equal state is `previous` itself. */
export const composeState = (
  tracks: Iterable<FileTrack>,
  directoryProblems: readonly ResourceProblem[],
  previous: StoreState = NOTHING,
): StoreState => {
  const parts = groupsOf(tracks).map(partOf);
  const problems = [...directoryProblems, ...parts.flatMap((part) => part.problems)];
  const retainedConfig = parts.some(({ keepsConfig }) => keepsConfig) ? previous.config : undefined;
  const next: StoreState = {
    config: parts.find(({ config }) => config !== undefined)?.config ?? retainedConfig,
    configProblems: sameProblems(
      previous.configProblems,
      problems.filter(({ kind }) => kind === 'Configuration'),
    ),
    servers: sameList(previous.servers, serversOf(parts)),
    workflows: sameList(previous.workflows, workflowsOf(parts, previous.workflows)),
    problems: sameProblems(
      previous.problems,
      problems.filter(({ kind }) => kind !== 'Configuration'),
    ),
  };
  const isSame =
    next.config === previous.config &&
    next.configProblems === previous.configProblems &&
    next.servers === previous.servers &&
    next.workflows === previous.workflows &&
    next.problems === previous.problems;
  return isSame ? previous : next;
};
