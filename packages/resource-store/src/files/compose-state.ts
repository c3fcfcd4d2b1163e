import path from 'node:path';
import { composeResources, sameProblems } from '../interpretation/compose-resources.ts';
import { byText, type ResourceProblem, type StoreState } from '../port/resources.ts';
import type { FileTrack } from './file-track.ts';
import { ABSENT, isGood, type Outcome, refuseFile, findWorkflow } from './interpret-file.ts';

/** Returns the problem of several files that define one resource; none of them is used. */
export const ambiguousText = (fileNames: readonly string[]): string =>
  `${fileNames.join(' and ')} define the same resource; keep one of them`;

/** Groups the tracks of files that define the same resource: `a.yaml` and `a.yml`. */
const groupTracks = (tracks: Iterable<FileTrack>): Iterable<readonly FileTrack[]> => {
  const groups = new Map<string, FileTrack[]>();
  for (const track of tracks) {
    const { role } = track;
    const key = role.kind === 'Configuration' ? role.kind : `${role.kind}/${role.name}`;
    groups.set(key, [...(groups.get(key) ?? []), track]);
  }
  return groups.values();
};

/** Returns the outcome of several files that define one resource: a problem, and none of the files. */
const refuseAmbiguous = (present: readonly FileTrack[], last: FileTrack): Outcome => {
  const message = ambiguousText(present.map(({ file }) => path.basename(file)));
  const known = findWorkflow(last.published);
  const refused = refuseFile(last, message, known);
  return refused.kind === 'problems' && refused.workflow !== undefined
    ? { ...refused, workflow: { ...refused.workflow, text: known?.text ?? '' } }
    : refused;
};

/** Returns the outcome of a group: an existing file has priority over a deleted one that is still in its grace period. */
const findOutcome = (group: readonly FileTrack[]): Outcome => {
  const present = group
    .filter(({ seen }) => seen !== undefined)
    .sort((a, b) => byText(a.file, b.file));
  const last = present.at(-1);
  if (last !== undefined && present.length > 1) return refuseAmbiguous(present, last);
  const outcomes = [...present, ...group].map(({ published }) => published);
  return outcomes.find(isGood) ?? outcomes.find(({ kind }) => kind === 'problems') ?? ABSENT;
};

const NOTHING: StoreState = {
  config: undefined,
  configProblems: [],
  servers: [],
  workflows: [],
  problems: [],
};

const isOfConfiguration = ({ kind }: ResourceProblem): boolean => kind === 'Configuration';

/** Composes the state from the published files. Pure. Equal parts keep their identity from `previous`, and an equal state is `previous` itself. */
export const composeState = (
  tracks: Iterable<FileTrack>,
  directoryProblems: readonly ResourceProblem[],
  previous: StoreState = NOTHING,
): StoreState => {
  const outcomes = [...groupTracks(tracks)].map(findOutcome);
  const fileProblems = outcomes.flatMap((outcome) =>
    outcome.kind === 'problems' ? outcome.problems : [],
  );
  const problems = [...directoryProblems, ...fileProblems];
  const resources = composeResources(
    {
      servers: outcomes.flatMap((outcome) => (outcome.kind === 'server' ? [outcome.server] : [])),
      workflows: outcomes.flatMap((outcome) => findWorkflow(outcome) ?? []),
      problems: problems.filter((problem) => !isOfConfiguration(problem)),
    },
    previous,
  );
  // An invalid file leaves the last version in use.
  const retained = fileProblems.some(isOfConfiguration) ? previous.config : undefined;
  const config = outcomes.find(({ kind }) => kind === 'config');
  const next: StoreState = {
    ...resources,
    config: config?.kind === 'config' ? config.config : retained,
    configProblems: sameProblems(previous.configProblems, problems.filter(isOfConfiguration)),
  };
  const isSame =
    resources === previous &&
    next.config === previous.config &&
    next.configProblems === previous.configProblems;
  return isSame ? previous : next;
};
