import type { ResourceKind } from './resource-key.ts';

/** The subject of a problem. */
export type ResourceProblemKind = 'Configuration' | ResourceKind;

/** The reason why a resource, or a part of the configuration, is not used. */
export interface ResourceProblem {
  /** The origin of the resource, for messages: the path of a file, or `namespace/name` of an object. */
  readonly source: string;
  /** Starts at 1; absent for a problem of the whole source. */
  readonly line?: number;
  readonly column?: number;
  readonly kind: ResourceProblemKind;
  /** The name of the resource. */
  readonly name?: string;
  readonly message: string;
}

// A source may have any character but "/" and NUL; a report has one line per problem.
const oneLine = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));

/** Returns one line: `mcpservers/a.yaml:4:3: spec.command: command is required when type is stdio`. */
export const resourceProblemText = ({ source, line, column, message }: ResourceProblem): string => {
  const position = line === undefined ? '' : `:${String(line)}:${String(column ?? 1)}`;
  return oneLine(`${source}${position}: ${message}`);
};

/** Returns the same line with only the last two segments of the source, for readers outside the host. */
export const shortProblemText = (problem: ResourceProblem): string => {
  const parts = problem.source.split(/[/\\]/);
  return resourceProblemText({ ...problem, source: parts.slice(-2).join('/') });
};
