import { workflowDocument, type Workflow, type WorkflowDocument } from '@gateway/crd-schemas';
import { interpretWorkflow } from '../interpretation/interpret-workflow.ts';
import {
  isMapping,
  MAX_FILE_BYTES,
  parseYaml,
  printYaml,
  rewriteYaml,
} from '@gateway/durable-files';
import type { WorkflowResource } from '../../port/workflow-resource.ts';
import { editDocument } from './edit-document.ts';
import { replaceSpec } from './replace-spec.ts';

/** A text that says what was asked for, or why there is none. */
export type WorkflowText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** What the text is made for. */
export interface WorkflowTextRequest {
  readonly workflow: Workflow;
  /** The text that is replaced. */
  readonly before?: string;
  /** When the workflow came to be, in milliseconds since 1970, to be written into a new text. */
  readonly createdAt?: number;
  readonly apiGroup?: string;
}

const read = (text: string, { workflow, apiGroup }: WorkflowTextRequest): WorkflowResource => {
  const times = { createdAt: 0, modifiedAt: 0 };
  return interpretWorkflow({ name: workflow.metadata.name, file: '', text, times }, apiGroup);
};

/** The workflow with what the file says about it beside `spec`. */
const withMetadataOf = (workflow: Workflow, before: WorkflowResource | undefined): Workflow => {
  if (before?.valid !== true) return workflow;
  const { metadata: given } = workflow;
  const { metadata: known } = before.workflow;
  const annotations = { ...known.annotations, ...given.annotations };
  return {
    ...workflow,
    metadata: {
      ...known,
      labels: { ...known.labels, ...given.labels },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
  };
};

/** The old text with the values of `spec` that differ; undefined when something beside `spec` has to change. */
const respelled = (before: string, { spec }: WorkflowDocument): string | undefined => {
  const parsed = parseYaml(before);
  if (!parsed.ok || !isMapping(parsed.value)) return undefined;
  const wanted = JSON.parse(JSON.stringify(spec)) as unknown;
  return rewriteYaml(before, { ...parsed.value, spec: wanted });
};

/** Cluster time has no fractions either; with them it could lie after the file's own time. */
const timestampOf = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');

const freshDocument = (
  document: WorkflowDocument,
  createdAt: number | undefined,
): WorkflowDocument => ({
  ...document,
  metadata: {
    ...document.metadata,
    ...(createdAt === undefined ? {} : { creationTimestamp: timestampOf(createdAt) }),
  },
});

/** What may be said beside what is wanted. */
const holdsEach = (
  wanted: Readonly<Record<string, string>> | undefined,
  actual: Readonly<Record<string, string>> | undefined,
): boolean => Object.entries(wanted ?? {}).every(([key, value]) => actual?.[key] === value);

const saysTheSame = (actual: Workflow, wanted: Workflow): boolean =>
  JSON.stringify(workflowDocument(actual).spec) === JSON.stringify(workflowDocument(wanted).spec) &&
  holdsEach(wanted.metadata.labels, actual.metadata.labels) &&
  holdsEach(wanted.metadata.annotations, actual.metadata.annotations);

/** Why a text does not say what was asked for; undefined when it does. */
const shortcomingOf = (text: string, request: WorkflowTextRequest): string | undefined => {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    return `it would be larger than ${String(MAX_FILE_BYTES)} bytes`;
  }
  const resource = read(text, request);
  if (!resource.valid) return resource.status.validationErrors[0] ?? 'it would not be valid';
  return saysTheSame(resource.workflow, request.workflow)
    ? undefined
    : 'it cannot be written as YAML that says the same';
};

const attempt = (make: () => string | undefined): string | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/**
 * A text for a workflow's file that was read back and says the same: the old text with another `spec`, or edited where
 * that is not enough, else a new one. Never throws.
 */
export const workflowText = (request: WorkflowTextRequest): WorkflowText => {
  const { before, createdAt } = request;
  const known = before === undefined ? undefined : read(before, request);
  const workflow = withMetadataOf(request.workflow, known);
  const document = workflowDocument(workflow);
  const fresh = freshDocument(document, createdAt);
  const edits =
    before === undefined
      ? []
      : [
          () => respelled(before, document),
          () => replaceSpec(before, document.spec),
          () => editDocument(before, document),
        ];
  // JSON is YAML too, and writes every string so that it comes back as it was.
  const ways = [...edits, () => printYaml(fresh), () => `${JSON.stringify(fresh, null, 2)}\n`];
  let reason = 'it cannot be written as YAML';
  for (const make of ways) {
    const text = attempt(make);
    if (text === undefined) continue;
    const shortcoming = shortcomingOf(text, { ...request, workflow });
    if (shortcoming === undefined) return { ok: true, text };
    reason = shortcoming;
  }
  return { ok: false, reason };
};
