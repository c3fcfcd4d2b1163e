import {
  MAX_ISSUES,
  type ValidationIssue,
  WORKFLOW_KIND,
  computeWorkflowStatus,
  formatError,
  formatWarning,
  mergeWorkflowStatus,
  parseWorkflow,
} from '@gateway/crd-schemas';
import { type DocumentPath, type FileTimes, type ParsedYaml, parseYaml } from '@gateway/files';
import {
  type InvalidWorkflow,
  type ResourceProblem,
  type ResourceState,
  type ValidWorkflow,
  type WorkflowResource,
  compareTexts,
  formatProblem,
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

const findCreationTime = (document: unknown): number | undefined => {
  const metadata = (document as { readonly metadata?: unknown } | null | undefined)?.metadata;
  const stamp = (metadata as { readonly creationTimestamp?: unknown } | null | undefined)
    ?.creationTimestamp;
  const at = typeof stamp === 'string' && TIMESTAMP.test(stamp) ? Date.parse(stamp) : NaN;
  return Number.isNaN(at) ? undefined : at;
};

const toWorkflowParts = ({ name, file, text, times }: WorkflowFile, document: unknown) => ({
  name,
  source: file,
  text,
  createdAt: findCreationTime(document) ?? times.createdAt,
  modifiedAt: times.modifiedAt,
});

/**
 * Returns the text of an invalid file that may be shown. Any other file, also one that is no YAML, may contain secrets: a server that is in
 * the wrong folder, a file of another program.
 */
const maskText = ({ text }: WorkflowFile, document: unknown): string =>
  (document as { readonly kind?: unknown } | null | undefined)?.kind === WORKFLOW_KIND ? text : '';

const createRefusal = (
  of: WorkflowFile,
  { document, findings, errors }: RefusedParts,
): InvalidWorkflow => ({
  ...toWorkflowParts(of, document),
  text: maskText(of, document),
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
  createRefusal(of, { findings: [{ message }], errors: [message] });

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
    return createRefusal(of, {
      document: value,
      findings,
      errors: findings.map(({ message }) => message),
    });
  }
  const valid: ValidWorkflow = {
    ...toWorkflowParts(of, value),
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
  return createRefusal(of, { findings: parsed.problems, errors });
};

/** Parses and validates the text of a workflow file. Pure; never throws. @spec §1.5, §2.7 */
export const interpretWorkflow = (of: WorkflowFile, apiGroup?: string): WorkflowResource =>
  interpretParsedWorkflow(of, parseYaml(of.text), apiGroup);

const keepEqualList = <T>(previous: readonly T[], next: readonly T[]): readonly T[] =>
  previous.length === next.length && previous.every((item, index) => item === next[index])
    ? previous
    : next;

/** Returns the problems sorted by their place; equal ones keep their identity, and an equal list is the previous one. */
export const sortResourceProblems = (
  previous: readonly ResourceProblem[],
  next: readonly ResourceProblem[],
): readonly ResourceProblem[] => {
  const known = new Map(previous.map((problem) => [formatProblem(problem), problem]));
  const sorted = next.toSorted(
    (a, b) =>
      compareTexts(a.source, b.source) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      compareTexts(a.message, b.message),
  );
  return keepEqualList(
    previous,
    sorted.map((problem) => known.get(formatProblem(problem)) ?? problem),
  );
};

const isEqualJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isUnchanged = (before: WorkflowResource, now: WorkflowResource): boolean =>
  before.source === now.source &&
  before.text === now.text &&
  before.valid === now.valid &&
  isEqualJson(before.status.validationErrors, now.status.validationErrors);

/**
 * Returns the current resource with the identity of every equal part of the previous one: a workflow that differs only in comments is the
 * previous workflow.
 */
const keepEqualWorkflow = (
  before: WorkflowResource | undefined,
  now: WorkflowResource,
): WorkflowResource => {
  if (before === undefined) return now;
  if (isUnchanged(before, now)) return before;
  const retained = {
    // A rewritten file has a new creation time; the resource keeps the old one.
    createdAt: before.createdAt > 0 ? Math.min(before.createdAt, now.createdAt) : now.createdAt,
    status: mergeWorkflowStatus(before.status, now.status),
  };
  if (!now.valid) return { ...now, ...retained };
  const isSame = before.valid && isEqualJson(before.workflow, now.workflow);
  return { ...now, ...retained, workflow: isSame ? before.workflow : now.workflow };
};

/**
 * Composes a state from resources in any order. Pure. Equal parts keep their identity from `previous`, and an equal state is `previous`
 * itself.
 */
export const composeResources = (
  { servers, workflows, problems }: ResourceState,
  previous: ResourceState,
): ResourceState => {
  const known = new Map(previous.workflows.map((workflow) => [workflow.name, workflow]));
  const next: ResourceState = {
    servers: keepEqualList(
      previous.servers,
      servers.toSorted((a, b) => compareTexts(a.metadata.name, b.metadata.name)),
    ),
    workflows: keepEqualList(
      previous.workflows,
      workflows
        .map((workflow) => keepEqualWorkflow(known.get(workflow.name), workflow))
        .toSorted((a, b) => compareTexts(a.name, b.name)),
    ),
    problems: sortResourceProblems(previous.problems, problems),
  };
  const isSame =
    next.servers === previous.servers &&
    next.workflows === previous.workflows &&
    next.problems === previous.problems;
  return isSame ? previous : next;
};
