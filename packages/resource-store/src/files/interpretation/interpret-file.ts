import { MAX_ISSUES, parseMcpServer, validationIssueText } from '@gateway/crd-schemas';
import type { ResourceProblem } from '../../port/resource-problem.ts';
import { type FileTimes, type ParsedYaml, parseYaml } from '@gateway/files';
import type { FileRole } from './file-role.ts';
import {
  interpretParsedWorkflow,
  refusedWorkflow,
} from '../../interpretation/interpret-workflow.ts';
import { nameIssues } from '../../interpretation/name-issues.ts';
import type { Outcome } from './outcome.ts';
import type { WorkflowResource } from '../../port/workflow-resource.ts';

/** A file of the configuration directory and its role. */
export interface NamedFile {
  readonly file: string;
  readonly role: FileRole;
}

type Readable = Extract<ParsedYaml, { ok: true }>;

/** Returns a problem of the whole file, or of a position in it. */
export const problemOf = (
  { file, role }: NamedFile,
  message: string,
  position: { readonly line?: number; readonly column?: number } = {},
): ResourceProblem => ({
  source: file,
  ...(position.line === undefined ? {} : { line: position.line }),
  ...(position.column === undefined ? {} : { column: position.column }),
  kind: role.kind,
  ...(role.kind === 'Configuration' ? {} : { name: role.name }),
  message,
});

const interpretServer = (
  named: NamedFile,
  name: string,
  { value, locate }: Readable,
  apiGroup: string | undefined,
): Outcome => {
  if (value === null)
    return { kind: 'problems', problems: [problemOf(named, 'the file is empty')] };
  const parsed = parseMcpServer(value, {
    hasPlaceholders: true,
    ...(apiGroup !== undefined && { apiGroup }),
  });
  const issues = [...nameIssues(value, name), ...(parsed.ok ? [] : parsed.issues)];
  if (parsed.ok && issues.length === 0) return { kind: 'server', server: parsed.server };
  const problems = issues
    .slice(0, MAX_ISSUES)
    .map((issue) => problemOf(named, validationIssueText(issue), locate(issue.path)));
  return { kind: 'problems', problems };
};

const workflowOutcome = (workflow: WorkflowResource): Outcome =>
  workflow.valid
    ? { kind: 'workflow', workflow }
    : { kind: 'problems', problems: workflow.problems, workflow };

/** The text of a file and its times. */
export interface FileText {
  readonly text: string;
  readonly times: FileTimes;
}

/** Validates the parsed text of a file. Pure; never throws. @spec §1.5 */
export const interpretParsed = (
  named: NamedFile,
  { text, times }: FileText,
  parsed: ParsedYaml,
  apiGroup?: string,
): Outcome => {
  const { role, file } = named;
  if (role.kind === 'Workflow') {
    const workflow = { name: role.name, file, text, times };
    return workflowOutcome(interpretParsedWorkflow(workflow, parsed, apiGroup));
  }
  if (!parsed.ok) {
    const problems = parsed.problems.map(({ message, ...position }) =>
      problemOf(named, message, position),
    );
    return { kind: 'problems', problems };
  }
  if (role.kind === 'MCPServer') return interpretServer(named, role.name, parsed, apiGroup);
  const { value, locate } = parsed;
  return { kind: 'config', text, config: { source: file, value: value ?? {}, locate } };
};

/** Parses and validates the text of a file. Pure; never throws. @spec §1.5 */
export const interpretFile = (named: NamedFile, file: FileText, apiGroup?: string): Outcome =>
  interpretParsed(named, file, parseYaml(file.text), apiGroup);

const UNKNOWN: FileTimes = { createdAt: 0, modifiedAt: 0 };

/** Returns the outcome of a file that cannot be read. */
export const refuseFile = (named: NamedFile, message: string, times = UNKNOWN): Outcome => {
  const { role, file } = named;
  return role.kind === 'Workflow'
    ? workflowOutcome(refusedWorkflow({ name: role.name, file, text: '', times }, message))
    : { kind: 'problems', problems: [problemOf(named, message)] };
};
