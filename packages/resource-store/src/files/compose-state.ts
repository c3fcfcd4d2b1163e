import type { McpServer } from '@gateway/crd-schemas';
import path from 'node:path';
import { resourceProblemText, type ResourceProblem } from '../resource-problem.ts';
import type { ConfigDocument, StoreState } from '../store-state.ts';
import type { FileTrack } from './file-track.ts';
import { problemOf } from './interpret-file.ts';
import { isGood } from './outcome.ts';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Tracks of files that stand for the same thing: `a.yaml` and `a.yml`. */
const groupsOf = (tracks: Iterable<FileTrack>): readonly (readonly FileTrack[])[] => {
  const groups = new Map<string, FileTrack[]>();
  for (const track of tracks) {
    const key = track.role.kind === 'MCPServer' ? `MCPServer/${track.role.name}` : track.role.kind;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [track]);
    else group.push(track);
  }
  return [...groups.values()];
};

const ambiguity = (present: readonly FileTrack[]): readonly ResourceProblem[] => {
  const sorted = present.toSorted((a, b) => byText(a.file, b.file));
  const last = sorted.at(-1);
  if (last === undefined || sorted.length < 2) return [];
  const names = sorted.map(({ file }) => path.basename(file)).join(' and ');
  return [problemOf(last, `${names} stand for the same resource; keep one of them`)];
};

interface Part {
  readonly config?: ConfigDocument;
  readonly server?: McpServer;
  readonly problems: readonly ResourceProblem[];
  /** The configuration is there but cannot be used now. */
  readonly keepsConfig: boolean;
}

/** What a group says: the file that is there wins over one that is gone but still within its grace. */
const partOf = (group: readonly FileTrack[]): Part => {
  const present = group.filter(({ seen }) => seen !== undefined);
  const ambiguous = ambiguity(present);
  const isConfig = group.some(({ role }) => role.kind === 'Configuration');
  if (ambiguous.length > 0) return { problems: ambiguous, keepsConfig: isConfig };
  const good = [...present, ...group].find(({ published }) => isGood(published))?.published;
  if (good?.kind === 'server') return { server: good.server, problems: [], keepsConfig: false };
  if (good?.kind === 'config') return { config: good.config, problems: [], keepsConfig: false };
  const problems = group.flatMap(({ published }) =>
    published.kind === 'problems' ? published.problems : [],
  );
  return { problems, keepsConfig: isConfig && problems.length > 0 };
};

const sameList = <T>(previous: readonly T[], next: readonly T[]): readonly T[] =>
  previous.length === next.length && previous.every((item, index) => item === next[index])
    ? previous
    : next;

const sameProblems = (
  previous: readonly ResourceProblem[],
  next: readonly ResourceProblem[],
): readonly ResourceProblem[] => {
  const known = new Map(previous.map((problem) => [resourceProblemText(problem), problem]));
  const sorted = next.toSorted(
    (a, b) =>
      byText(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      byText(a.message, b.message),
  );
  return sameList(
    previous,
    sorted.map((problem) => known.get(resourceProblemText(problem)) ?? problem),
  );
};

const NOTHING: StoreState = {
  config: undefined,
  configProblems: [],
  servers: [],
  workflows: [],
  problems: [],
};

/**
 * The state that the published files make up. Pure. Equal parts keep the identity that they have in `previous`, and a
 * state that is equal in all parts is `previous` itself.
 */
export const composeState = (
  tracks: Iterable<FileTrack>,
  directoryProblems: readonly ResourceProblem[],
  previous: StoreState = NOTHING,
): StoreState => {
  const parts = groupsOf(tracks).map(partOf);
  const problems = [...directoryProblems, ...parts.flatMap((part) => part.problems)];
  const kept = parts.some(({ keepsConfig }) => keepsConfig) ? previous.config : undefined;
  const servers = parts
    .flatMap(({ server }) => (server === undefined ? [] : [server]))
    .toSorted((a, b) => byText(a.metadata.name, b.metadata.name));
  const next: StoreState = {
    config: parts.find(({ config }) => config !== undefined)?.config ?? kept,
    configProblems: sameProblems(
      previous.configProblems,
      problems.filter(({ kind }) => kind === 'Configuration'),
    ),
    servers: sameList(previous.servers, servers),
    workflows: previous.workflows,
    problems: sameProblems(
      previous.problems,
      problems.filter(({ kind }) => kind !== 'Configuration'),
    ),
  };
  const isSame =
    next.config === previous.config &&
    next.configProblems === previous.configProblems &&
    next.servers === previous.servers &&
    next.problems === previous.problems;
  return isSame ? previous : next;
};
