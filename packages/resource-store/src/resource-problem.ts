/** What a problem is about. */
export type ResourceProblemKind = 'Configuration' | 'MCPServer' | 'Workflow';

/** Why a file, or a part of the directory, is not in use. */
export interface ResourceProblem {
  readonly file: string;
  /** Counts from 1; absent when the problem is the file itself. */
  readonly line?: number;
  readonly column?: number;
  readonly kind: ResourceProblemKind;
  /** The resource's name, after the file's. */
  readonly name?: string;
  readonly message: string;
}

// A file's name may hold any character but "/" and NUL; a report has one line per problem.
const oneLine = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));

/** One line: `mcpservers/a.yaml:4:3: spec.command: command is required when type is stdio`. */
export const resourceProblemText = ({ file, line, column, message }: ResourceProblem): string => {
  const place = line === undefined ? '' : `:${String(line)}:${String(column ?? 1)}`;
  return oneLine(`${file}${place}: ${message}`);
};

/**
 * The same line for readers who need not know where the directory is: the file's last folder and name are what is left of its path.
 */
export const placedProblemText = (problem: ResourceProblem): string => {
  const parts = problem.file.split(/[/\\]/);
  return resourceProblemText({ ...problem, file: parts.slice(-2).join('/') });
};
