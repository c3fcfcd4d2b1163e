import path from 'node:path';
import type { McpServer } from '@gateway/crd-schemas';
import type { FileTrack } from './file-track.ts';
import { isGood, type Outcome, problemOf, refuseFile } from './interpret-file.ts';
import { retainedWorkflow, sameList, sameProblems } from '../interpretation/compose-resources.ts';
import {
  byText,
  type ConfigDocument,
  type ResourceProblem,
  type StoreState,
  type WorkflowResource,
} from '../port/resources.ts';

/** Returns the problem of several files that define one resource; none of them is used. */
export const ambiguousText = (fileNames: readonly string[]): string =>
  `${fileNames.join(' and ')} define the same resource; keep one of them`;

/** The part of the state that comes from the files of one resource. */
export interface GroupPart {
  readonly config?: ConfigDocument;
  readonly server?: McpServer;
  readonly workflow?: WorkflowResource;
  readonly problems: readonly ResourceProblem[];
  /** True when the configuration file exists and is invalid, so that its last version stays in use. */
  readonly keepsConfig: boolean;
}

/** Groups the tracks of files that define the same resource: `a.yaml` and `a.yml`. */
const groupsOf = (
  tracks: Iterable<FileTrack>,
): readonly (readonly [FileTrack, ...FileTrack[]])[] => {
  const groups = new Map<string, [FileTrack, ...FileTrack[]]>();
  for (const track of tracks) {
    const { role } = track;
    const key = role.kind === 'Configuration' ? role.kind : `${role.kind}/${role.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [track]);
    else group.push(track);
  }
  return [...groups.values()];
};

const workflowOf = (outcome: Outcome): WorkflowResource | undefined =>
  outcome.kind === 'workflow' || outcome.kind === 'problems' ? outcome.workflow : undefined;

/** Returns the part of several files that define one resource: a problem, and none of the files. */
const ambiguousPart = (present: readonly FileTrack[], last: FileTrack): GroupPart => {
  const message = ambiguousText(present.map(({ file }) => path.basename(file)));
  const known = workflowOf(last.published);
  const times = known && { createdAt: known.createdAt, modifiedAt: known.modifiedAt };
  const outcome = refuseFile(last, message, times);
  const workflow = workflowOf(outcome);
  return {
    problems: [problemOf(last, message)],
    keepsConfig: last.role.kind === 'Configuration',
    ...(workflow === undefined ? {} : { workflow: { ...workflow, text: known?.text ?? '' } }),
  };
};

const partOfGood = (outcome: Outcome | undefined): GroupPart | undefined => {
  const rest = { problems: [], keepsConfig: false };
  switch (outcome?.kind) {
    case 'server':
      return { ...rest, server: outcome.server };
    case 'workflow':
      return { ...rest, workflow: outcome.workflow };
    case 'config':
      return { ...rest, config: outcome.config };
    case 'problems':
    case 'absent':
    case undefined:
      return undefined;
  }
};

const partOfBad = (group: readonly FileTrack[], isConfig: boolean): GroupPart => {
  const bad = group
    .map(({ published }) => published)
    .filter((published) => published.kind === 'problems');
  const workflow = bad.map(workflowOf).find((resource) => resource !== undefined);
  return {
    problems: bad.flatMap(({ problems }) => problems),
    keepsConfig: isConfig && bad.length > 0,
    ...(workflow === undefined ? {} : { workflow }),
  };
};

/** Returns the part of a group: an existing file has priority over a deleted one that is still in its grace period. */
const partOf = (group: readonly [FileTrack, ...FileTrack[]]): GroupPart => {
  const present = group
    .filter(({ seen }) => seen !== undefined)
    .sort((a, b) => byText(a.file, b.file));
  const last = present.at(-1);
  if (last !== undefined && present.length > 1) return ambiguousPart(present, last);
  const good = [...present, ...group].find(({ published }) => isGood(published));
  const isConfig = group[0].role.kind === 'Configuration';
  return partOfGood(good?.published) ?? partOfBad(group, isConfig);
};

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
