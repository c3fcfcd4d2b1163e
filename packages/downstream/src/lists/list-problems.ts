/** The methods that read the lists of a server. */
export type ListMethod =
  'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

/** An entry that is left out of a list, and why: the end of a sentence about it. */
export interface OmittedEntry {
  readonly entry: string;
  readonly reason: string;
}

/** The gap in one list of a server. */
export interface ListProblem {
  readonly list: ListMethod;
  /** Why the list could not be read. Its earlier entries stay, and it is read again. */
  readonly unread?: string;
  /** Why the list ends before its last page. */
  readonly cut?: string;
  /** Number of entries that are left out. */
  readonly omitted: number;
  /** The first of them. */
  readonly first: readonly OmittedEntry[];
}

/** Maximum number of entries that a sentence names. */
const MAX_IN_SENTENCE = 5;

const NOUNS: Readonly<Record<ListMethod, readonly [one: string, several: string]>> = {
  'tools/list': ['tool', 'tools'],
  'resources/list': ['resource', 'resources'],
  'resources/templates/list': ['resource template', 'resource templates'],
  'prompts/list': ['prompt', 'prompts'],
};

/** Returns the entries that a list lacks as one phrase with at most 5 names; `undefined` without any. */
export const omittedPhrase = ({ list, omitted, first }: ListProblem): string | undefined => {
  if (omitted === 0) return undefined;
  const named = first.slice(0, MAX_IN_SENTENCE).map(({ entry, reason }) => `${entry} (${reason})`);
  const more = omitted > named.length ? [`and ${omitted - named.length} more`] : [];
  const [one, several] = NOUNS[list];
  const count = omitted === 1 ? `1 ${one} is` : `${omitted} ${several} are`;
  return `${count} left out: ${[...named, ...more].join(', ')}`;
};

/** Returns everything that a list lacks as one phrase; `undefined` when nothing is missing. */
export const problemPhrase = (problem: ListProblem): string | undefined => {
  const parts = [problem.unread, problem.cut, omittedPhrase(problem)];
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join('; ');
};

/** Returns one line for each thing that the lists of a server lack. */
export const problemLines = (problems: readonly ListProblem[]): readonly string[] =>
  problems.flatMap(({ list, unread, cut, omitted, first }) => {
    const [one, several] = NOUNS[list];
    const more = omitted - first.length;
    return [
      ...(unread === undefined ? [] : [unread]),
      ...(cut === undefined ? [] : [cut]),
      ...first.map(({ entry, reason }) => `${one} ${entry} is left out: ${reason}`),
      ...(more > 0 ? [`${more} more ${more === 1 ? one : several} left out`] : []),
    ];
  });
