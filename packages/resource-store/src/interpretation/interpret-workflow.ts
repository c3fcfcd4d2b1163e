import {
  MAX_ISSUES,
  parseWorkflow,
  type ValidationIssue,
  formatError,
  WORKFLOW_KIND,
  computeWorkflowStatus,
  formatWarning,
} from '@gateway/crd-schemas';
import { type DocumentPath, type FileTimes, type ParsedYaml, parseYaml } from '@gateway/files';
import type {
  InvalidWorkflow,
  ResourceProblem,
  ValidWorkflow,
  WorkflowResource,
} from '../port/resources.ts';

/** Returns the issue of a resource whose name differs from the name of its file. A missing name is reported with the other fields. */
export const validateResourceName = (value: unknown, name: string): readonly ValidationIssue[] => {
  const metadata = (value as { readonly metadata?: unknown }).metadata;
  const actual = (metadata as { readonly name?: unknown } | null | undefined)?.name;
  return typeof actual !== 'string' || actual === name
    ? []
    : [{ path: ['metadata', 'name'], message: `must equal the name of the file, ${name}` }];
};

/** A file of the directory of workflows. The text of an unreadable file is empty. */
export interface WorkflowFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly times: FileTimes;
}

/** A problem, with its position in the file if it has one. */
type Finding = Pick<ResourceProblem, 'message' | 'line' | 'column'>;

interface RefusedParts {
  /** The parsed document, if the file could be parsed. */
  readonly document?: unknown;
  readonly findings: readonly Finding[];
  /** One line for each problem, without the name of the file. */
  readonly errors: readonly string[];
}

/** An RFC 3339 time, as the cluster writes it. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const declaredCreationTime = (document: unknown): number | undefined => {
  const metadata = (document as { readonly metadata?: unknown } | null | undefined)?.metadata;
  const stamp = (metadata as { readonly creationTimestamp?: unknown } | null | undefined)
    ?.creationTimestamp;
  const at = typeof stamp === 'string' && TIMESTAMP.test(stamp) ? Date.parse(stamp) : NaN;
  return Number.isNaN(at) ? undefined : at;
};

const partsOf = ({ name, file, text, times }: WorkflowFile, document: unknown) => ({
  name,
  source: file,
  text,
  createdAt: declaredCreationTime(document) ?? times.createdAt,
  modifiedAt: times.modifiedAt,
});

/**
 * Returns the text of an invalid file that may be shown. Any other file, also one that is no YAML, may contain secrets: a server that is in
 * the wrong folder, a file of another program.
 */
const shownText = ({ text }: WorkflowFile, document: unknown): string =>
  (document as { readonly kind?: unknown } | null | undefined)?.kind === WORKFLOW_KIND ? text : '';

const refused = (
  of: WorkflowFile,
  { document, findings, errors }: RefusedParts,
): InvalidWorkflow => ({
  ...partsOf(of, document),
  text: shownText(of, document),
  status: computeWorkflowStatus({ document, errors, at: of.times.modifiedAt }),
  valid: false,
  problems: findings.map((finding) => ({
    source: of.file,
    kind: 'Workflow',
    name: of.name,
    ...finding,
  })),
});

export const createInvalidWorkflow = (of: WorkflowFile, message: string): InvalidWorkflow =>
  refused(of, { findings: [{ message }], errors: [message] });

/** A parsed document, and the position of a path in it, if it has positions. */
export interface LocatedDocument {
  readonly value: unknown;
  readonly locate: (path: DocumentPath) => Pick<ResourceProblem, 'line' | 'column'>;
}

/** Validates the document of a workflow. Pure; never throws. @spec §1.5, §2.7 */
export const interpretWorkflowDocument = (
  of: WorkflowFile,
  { value, locate }: LocatedDocument,
  apiGroup: string | undefined,
): WorkflowResource => {
  if (value === null) return createInvalidWorkflow(of, 'the file is empty');
  const parsed = parseWorkflow(value, { apiGroup });
  const issues = [...validateResourceName(value, of.name), ...(parsed.ok ? [] : parsed.error)];
  if (!parsed.ok || issues.length > 0) {
    const findings = issues.slice(0, MAX_ISSUES).map((issue) => ({
      message: formatError(issue),
      ...locate(issue.path),
    }));
    return refused(of, {
      document: value,
      findings,
      errors: findings.map(({ message }) => message),
    });
  }
  const valid: ValidWorkflow = {
    ...partsOf(of, value),
    status: computeWorkflowStatus({ document: value, errors: [], at: of.times.modifiedAt }),
    valid: true,
    workflow: parsed.value.workflow,
    warnings: parsed.value.warnings.map((warning) => formatWarning(warning, of.name)),
  };
  return valid;
};

/** Validates the parsed text of a workflow file. Pure; never throws. @spec §1.5, §2.7 */
export const interpretParsedWorkflow = (
  of: WorkflowFile,
  parsed: ParsedYaml,
  apiGroup?: string,
): WorkflowResource => {
  if (parsed.ok) return interpretWorkflowDocument(of, parsed, apiGroup);
  const errors = parsed.problems.map(
    ({ line, column, message }) => `line ${String(line)}, column ${String(column)}: ${message}`,
  );
  return refused(of, { findings: parsed.problems, errors });
};

/** Parses and validates the text of a workflow file. Pure; never throws. @spec §1.5, §2.7 */
export const interpretWorkflow = (of: WorkflowFile, apiGroup?: string): WorkflowResource =>
  interpretParsedWorkflow(of, parseYaml(of.text), apiGroup);
