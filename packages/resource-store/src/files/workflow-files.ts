import {
  type JsonValue,
  MAX_RESOURCE_BYTES,
  type Workflow,
  type WorkflowDocument,
  workflowDocument,
} from '@gateway/crd-schemas';
import {
  composeYaml,
  isMapping,
  parseYaml,
  PRINTED,
  printYaml,
  rewriteYaml,
  WRITTEN_OUT,
} from '@gateway/files';
import { type Document, isMap, isNode, isScalar, type YAMLMap } from 'yaml';
import { RESOURCE_DIRECTORIES } from './scan-directory.ts';
import type { ResourceFilesOptions } from './server-files.ts';
import { failed, type MadeText, MISSING, type TextBefore, YamlFiles } from './yaml-files.ts';
import { interpretWorkflow } from '../interpretation/interpret-workflow.ts';
import type { WorkflowWriter, WriteResult } from '../port/resource-store.ts';
import type { ResourceKey, WorkflowResource } from '../port/resources.ts';

const TOP_LEVEL: ReadonlySet<unknown> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  'status',
]);

/** Sets the values that differ, so that quotes and comments of equal values stay. */
const setEach = (
  document: Document,
  path: readonly string[],
  values: JsonValue | undefined,
): void => {
  for (const [key, value] of Object.entries(values ?? {})) {
    if (document.getIn([...path, key]) !== value) document.setIn([...path, key], value);
  }
};

const setSpec = (document: Document, root: YAMLMap, spec: unknown): void => {
  const before = root.get('spec', true);
  const node = document.createNode(spec, WRITTEN_OUT);
  if (isNode(before)) node.commentBefore = before.commentBefore ?? null;
  root.set('spec', node);
};

/**
 * Returns the text of a file with the content of another document. Comments and the order of existing keys stay; unknown top-level keys are
 * removed. Returns undefined for invalid YAML. Throws when the result cannot be printed, such as for an alias whose anchor was in the old
 * `spec`.
 */
const editDocument = (text: string, target: WorkflowDocument): string | undefined => {
  const composed = composeYaml(text);
  if (!composed.ok) return undefined;
  const document: Document = composed.document;
  const root = document.contents;
  if (!isMap(root) || !isMap(root.get('metadata', true))) return undefined;
  root.items = root.items.filter(({ key }) => isScalar(key) && TOP_LEVEL.has(key.value));
  const {
    metadata: { name, labels, annotations },
  } = target;
  setEach(document, [], { apiVersion: target.apiVersion, kind: target.kind });
  setEach(document, ['metadata'], { name });
  setEach(document, ['metadata', 'labels'], labels);
  setEach(document, ['metadata', 'annotations'], annotations);
  setSpec(document, root, target.spec);
  return document.toString(PRINTED);
};

const lineEndAfter = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

/** Returns the offset after the colon of the key `spec`; undefined when the key does not start a line. */
const keyEndIn = (text: string, root: YAMLMap): number | undefined => {
  const key = root.items
    .map((pair) => pair.key)
    .find((node) => isScalar(node) && node.value === 'spec');
  const [start, end] = (isNode(key) && key.range) || [];
  if (start === undefined || end === undefined) return undefined;
  const colon = text.indexOf(':', end);
  const startsLine = start === 0 || text[start - 1] === '\n';
  return startsLine && colon !== -1 ? colon + 1 : undefined;
};

/** Returns the text after the value: the value ends before the first line that is not indented, and before the blank lines in front of it. */
const restAfter = (text: string, keyEnd: number): string => {
  let at = lineEndAfter(text, keyEnd);
  let rest = at;
  while (at < text.length) {
    const next = lineEndAfter(text, at);
    const line = text.slice(at, next);
    if (!/^\s/.test(line)) break;
    at = next;
    if (line.trim() !== '') rest = next;
  }
  return text.slice(rest);
};

/** Returns the text up to the value, with the comment in the line of `spec:`. */
const headOf = (text: string, keyEnd: number): string => {
  const line = text.slice(keyEnd, lineEndAfter(text, keyEnd)).trimEnd();
  return text.slice(0, keyEnd) + (/^\s+#/.test(line) ? line : '');
};

/**
 * Returns the text with another `spec` and no byte changed outside of it; undefined for a text that is not a block mapping with the key
 * `spec`. The caller must parse the result and compare it.
 */
const replaceSpec = (text: string, spec: unknown): string | undefined => {
  const composed = composeYaml(text);
  const root = composed.ok ? composed.document.contents : undefined;
  if (!isMap(root) || root.flow === true) return undefined;
  const keyEnd = keyEndIn(text, root);
  if (keyEnd === undefined) return undefined;
  const printed = printYaml({ spec });
  const body = printed.slice(lineEndAfter(printed, 0));
  const next = `${headOf(text, keyEnd)}\n${body}`;
  const lines = text.includes('\r\n') ? next.replaceAll(/\r?\n/g, '\r\n') : next;
  return lines + restAfter(text, keyEnd);
};

/** The text of a workflow, or the reason why it cannot be written. */
export type WorkflowText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** A request for the text of a workflow. */
export interface WorkflowTextRequest {
  readonly workflow: Workflow;
  /** The text that the new one replaces; absent for a new file. */
  readonly before?: string;
  /** The creation time that a new text contains, in milliseconds since 1970. */
  readonly createdAt?: number;
  readonly apiGroup?: string;
}

const read = (text: string, { workflow, apiGroup }: WorkflowTextRequest): WorkflowResource => {
  const times = { createdAt: 0, modifiedAt: 0 };
  return interpretWorkflow({ name: workflow.metadata.name, file: '', text, times }, apiGroup);
};

/** Returns the workflow with the metadata of the file. */
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

/** Returns the old text with only the different values of `spec` replaced; undefined for invalid YAML. */
const withSpecValues = (before: string, { spec }: WorkflowDocument): string | undefined => {
  const parsed = parseYaml(before);
  if (!parsed.ok || !isMapping(parsed.value)) return undefined;
  const expected = JSON.parse(JSON.stringify(spec)) as unknown;
  return rewriteYaml(before, { ...parsed.value, spec: expected });
};

/** Returns a timestamp without fractions, like those of a cluster; with fractions it could be later than the time of the file. */
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

/** Returns whether the actual map contains every required entry. */
const includesAll = (
  expected: Readonly<Record<string, string>> | undefined,
  actual: Readonly<Record<string, string>> | undefined,
): boolean => Object.entries(expected ?? {}).every(([key, value]) => actual?.[key] === value);

const hasContentOf = (actual: Workflow, expected: Workflow): boolean =>
  JSON.stringify(workflowDocument(actual).spec) ===
    JSON.stringify(workflowDocument(expected).spec) &&
  includesAll(expected.metadata.labels, actual.metadata.labels) &&
  includesAll(expected.metadata.annotations, actual.metadata.annotations);

/** Returns the reason why a text does not have the requested content; undefined when it has. */
const contentProblem = (text: string, request: WorkflowTextRequest): string | undefined => {
  if (Buffer.byteLength(text) > MAX_RESOURCE_BYTES) {
    return `it would be larger than ${String(MAX_RESOURCE_BYTES)} bytes`;
  }
  const resource = read(text, request);
  if (!resource.valid) return resource.status.validationErrors[0] ?? 'it would not be valid';
  return hasContentOf(resource.workflow, request.workflow)
    ? undefined
    : 'it cannot be written as YAML with the same content';
};

const attempt = (make: () => string | undefined): string | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/**
 * Returns the text of a workflow file, which is parsed again and compared with the request. Preference: the old text with another `spec`,
 * the old text edited, a new text. Never throws.
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
          () => withSpecValues(before, document),
          () => replaceSpec(before, document.spec),
          () => editDocument(before, document),
        ];
  // JSON is valid YAML and preserves every string.
  const candidates = [
    ...edits,
    () => printYaml(fresh),
    () => `${JSON.stringify(fresh, null, 2)}\n`,
  ];
  let reason = 'it cannot be written as YAML';
  for (const make of candidates) {
    const text = attempt(make);
    if (text === undefined) continue;
    const problem = contentProblem(text, { ...request, workflow });
    if (problem === undefined) return { ok: true, text };
    reason = problem;
  }
  return { ok: false, reason };
};

type Request = Omit<Parameters<typeof workflowText>[0], 'apiGroup'>;

/** Writes the files in `workflows/`. */
export class WorkflowFiles implements WorkflowWriter {
  readonly #options: ResourceFilesOptions;
  readonly #files: YamlFiles;

  constructor(options: ResourceFilesOptions) {
    const { directory, onWritten } = options;
    this.#options = options;
    this.#files = new YamlFiles({
      root: directory,
      folder: RESOURCE_DIRECTORIES.Workflow,
      onWritten,
    });
  }

  readonly create = (workflow: Workflow): Promise<WriteResult> =>
    this.#files.create(workflow.metadata.name, () =>
      this.#textOf({ workflow, createdAt: Date.now() }),
    );

  readonly replace = async (workflow: Workflow): Promise<WriteResult> => {
    if (!this.#options.isAddressed(workflow.metadata)) return MISSING;
    return this.#files.replace(workflow.metadata.name, (before) =>
      this.#textOf({ workflow, ...textOf(before) }),
    );
  };

  readonly remove = async (key: ResourceKey): Promise<WriteResult> =>
    this.#options.isAddressed(key) ? this.#files.remove(key.name) : MISSING;

  /** Refuses further writes and waits for the running ones. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  #textOf(request: Request): MadeText<WriteResult> {
    const { apiGroup } = this.#options;
    const made = workflowText({ ...request, ...(apiGroup === undefined ? {} : { apiGroup }) });
    if (made.ok) return made;
    return { ok: false, result: failed(`the workflow cannot be written: ${made.reason}`) };
  }
}

/** Returns the existing text; none for an unusable file, which is replaced by a new text. */
const textOf = (before: TextBefore): { readonly before?: string } =>
  before.kind === 'text' ? { before: before.text } : {};
