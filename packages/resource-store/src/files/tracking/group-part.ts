import type { McpServer } from '@gateway/crd-schemas';
import path from 'node:path';
import type { ResourceProblem } from '../../port/resource-problem.ts';
import type { ConfigDocument } from '../../port/state.ts';
import type { WorkflowResource } from '../../port/workflow-resource.ts';
import { ambiguousText } from '../interpretation/ambiguous-text.ts';
import { byText } from '../../port/by-text.ts';
import type { FileTrack } from './file-track.ts';
import { problemOf, refuseFile } from '../interpretation/interpret-file.ts';
import { isGood, type Outcome } from '../interpretation/outcome.ts';

/** What the files that stand for one thing say together. */
export interface GroupPart {
  readonly config?: ConfigDocument;
  readonly server?: McpServer;
  readonly workflow?: WorkflowResource;
  readonly problems: readonly ResourceProblem[];
  /** The configuration is there but cannot be used now. */
  readonly keepsConfig: boolean;
}

/** Tracks of files that stand for the same thing: `a.yaml` and `a.yml`. */
export const groupsOf = (
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

/** None of several files is taken, since nobody can know which one is meant. */
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

/** What a group says: the file that is there wins over one that is gone but still within its grace. */
export const partOf = (group: readonly [FileTrack, ...FileTrack[]]): GroupPart => {
  const present = group
    .filter(({ seen }) => seen !== undefined)
    .sort((a, b) => byText(a.file, b.file));
  const last = present.at(-1);
  if (last !== undefined && present.length > 1) return ambiguousPart(present, last);
  const good = [...present, ...group].find(({ published }) => isGood(published));
  const isConfig = group[0].role.kind === 'Configuration';
  return partOfGood(good?.published) ?? partOfBad(group, isConfig);
};
