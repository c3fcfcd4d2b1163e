import type { JsonValue, WorkflowDocument } from '@gateway/crd-schemas';
import { isMap, isNode, isScalar, type Document, type YAMLMap } from 'yaml';
import { composeYaml, PRINTED, WRITTEN_OUT } from '@gateway/durable-files';

const TOP_LEVEL: ReadonlySet<unknown> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  'status',
]);

/** Sets what differs and leaves the rest, so that quotes and comments of equal values stay. */
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
 * A file's text as the wanted document, with the comments and the order of what it has already, and without keys that
 * no resource has. Undefined for a text that cannot be read; throws for one that cannot be printed any more, such as one
 * with an alias whose anchor was in the old `spec`.
 */
export const editDocument = (text: string, wanted: WorkflowDocument): string | undefined => {
  const composed = composeYaml(text);
  if (!composed.ok) return undefined;
  const document: Document = composed.document;
  const root = document.contents;
  if (!isMap(root) || !isMap(root.get('metadata', true))) return undefined;
  root.items = root.items.filter(({ key }) => isScalar(key) && TOP_LEVEL.has(key.value));
  const {
    metadata: { name, labels, annotations },
  } = wanted;
  setEach(document, [], { apiVersion: wanted.apiVersion, kind: wanted.kind });
  setEach(document, ['metadata'], { name });
  setEach(document, ['metadata', 'labels'], labels);
  setEach(document, ['metadata', 'annotations'], annotations);
  setSpec(document, root, wanted.spec);
  return document.toString(PRINTED);
};
