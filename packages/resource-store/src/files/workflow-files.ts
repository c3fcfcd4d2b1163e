import { type WriteOutcome, isJsonObject } from '@gateway/call-contract';
import {
  MAX_RESOURCE_BYTES,
  type Workflow,
  type WorkflowDocument,
  toWorkflowDocument,
} from '@gateway/crd-schemas';
import { type Mapping, mergePatch, parseYaml, printYaml, rewriteYaml } from '@gateway/files';
import { interpretWorkflow } from '../interpretation/interpret-resources.ts';
import type { WorkflowWriter } from '../port/resource-store.ts';
import type { WorkflowResource } from '../port/resources.ts';
import type { ResourceFiles } from './server-files.ts';
import { createWriteFailure, type TextOutcome, MISSING } from './yaml-files.ts';

/** The text of a workflow, or the reason why it cannot be written. */
export type WorkflowText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

export interface WorkflowTextRequest {
  readonly workflow: Workflow;
  /** The text that the new one replaces; absent for a new file. */
  readonly before?: string;
  /** The creation time that a new text contains, in milliseconds since 1970. */
  readonly createdAt?: number;
  readonly apiGroup?: string | undefined;
}

const read = (text: string, { workflow, apiGroup }: WorkflowTextRequest): WorkflowResource => {
  const times = { createdAt: 0, modifiedAt: 0 };
  return interpretWorkflow({ name: workflow.metadata.name, file: '', text, times }, apiGroup);
};

const keepKnownMetadata = (workflow: Workflow, before: WorkflowResource | undefined): Workflow => {
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

/** The keys of a workflow document. Others are not valid, and removed. */
const TOP_LEVEL: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  'status',
]);

/** Returns the content of a file with the content of a workflow: its other metadata stays. */
const mergeDocument = (before: Mapping, document: Mapping): Mapping => {
  const kept = Object.entries(before).filter(([key]) => TOP_LEVEL.has(key));
  const { apiVersion, kind, metadata, spec } = document;
  return {
    ...Object.fromEntries(kept),
    apiVersion,
    kind,
    metadata: mergePatch(before['metadata'], metadata),
    spec,
  };
};

/** Returns the old text with the content of a workflow; undefined when it is no YAML mapping. */
const editText = (before: string, document: WorkflowDocument): string | undefined => {
  const parsed = parseYaml(before);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const plain = JSON.parse(JSON.stringify(document)) as Mapping;
  return rewriteYaml(before, mergeDocument(parsed.value, plain));
};

/** Returns a timestamp without fractions, like those of a cluster; with fractions it could be later than the time of the file. */
const formatTimestamp = (at: number): string =>
  new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');

const addCreationTime = (
  document: WorkflowDocument,
  createdAt: number | undefined,
): WorkflowDocument => ({
  ...document,
  metadata: {
    ...document.metadata,
    ...(createdAt === undefined ? {} : { creationTimestamp: formatTimestamp(createdAt) }),
  },
});

/** Returns whether the actual map contains every required entry. */
const hasEntries = (
  expected: Readonly<Record<string, string>> | undefined,
  actual: Readonly<Record<string, string>> | undefined,
): boolean => Object.entries(expected ?? {}).every(([key, value]) => actual?.[key] === value);

const hasSameContent = (actual: Workflow, expected: Workflow): boolean =>
  JSON.stringify(toWorkflowDocument(actual).spec) ===
    JSON.stringify(toWorkflowDocument(expected).spec) &&
  hasEntries(expected.metadata.labels, actual.metadata.labels) &&
  hasEntries(expected.metadata.annotations, actual.metadata.annotations);

/** Returns the reason why a text does not have the requested content; undefined when it has. */
const validateContent = (text: string, request: WorkflowTextRequest): string | undefined => {
  if (Buffer.byteLength(text) > MAX_RESOURCE_BYTES) {
    return `it would be larger than ${String(MAX_RESOURCE_BYTES)} bytes`;
  }
  const resource = read(text, request);
  if (!resource.valid) return resource.status.validationErrors[0] ?? 'it would not be valid';
  return hasSameContent(resource.workflow, request.workflow)
    ? undefined
    : 'it cannot be written as YAML with the same content';
};

const tryMake = (make: () => string | undefined): string | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/**
 * Returns the text of a workflow file, which is parsed again and compared with the request. Preference: the old text
 * edited, a new text. Never throws.
 */
export const renderWorkflowText = (request: WorkflowTextRequest): WorkflowText => {
  const { before, createdAt } = request;
  const known = before === undefined ? undefined : read(before, request);
  const workflow = keepKnownMetadata(request.workflow, known);
  const document = toWorkflowDocument(workflow);
  const fresh = addCreationTime(document, createdAt);
  // JSON is valid YAML and preserves every string.
  const candidates = [
    () => (before === undefined ? undefined : editText(before, document)),
    () => printYaml(fresh),
    () => `${JSON.stringify(fresh, null, 2)}\n`,
  ];
  let reason = 'it cannot be written as YAML';
  for (const make of candidates) {
    const text = tryMake(make);
    if (text === undefined) continue;
    const problem = validateContent(text, { ...request, workflow });
    if (problem === undefined) return { ok: true, text };
    reason = problem;
  }
  return { ok: false, reason };
};

export const createWorkflowWriter = ({
  files,
  apiGroup,
  isAddressed,
}: ResourceFiles): WorkflowWriter => {
  const make = (request: Omit<WorkflowTextRequest, 'apiGroup'>): TextOutcome<WriteOutcome> => {
    const made = renderWorkflowText({ ...request, apiGroup });
    return made.ok
      ? made
      : { ok: false, result: createWriteFailure(`the workflow cannot be written: ${made.reason}`) };
  };
  return {
    create: (workflow) =>
      files.create(workflow.metadata.name, () => make({ workflow, createdAt: Date.now() })),
    replace: async (workflow) =>
      isAddressed(workflow.metadata)
        ? files.replace(workflow.metadata.name, (before) =>
            // An unusable file is replaced by a new text.
            make({ workflow, ...(before.kind === 'text' ? { before: before.text } : {}) }),
          )
        : MISSING,
    remove: async (key) => (isAddressed(key) ? files.remove(key.name) : MISSING),
  };
};
