import type { JsonValue, WorkflowDocument } from '@gateway/crd-schemas';
import { isMap, isNode, isScalar, type Document, type YAMLMap } from 'yaml';
import { composeYaml, PRINTED, WRITTEN_OUT } from '@gateway/files';

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
export const editDocument = (text: string, target: WorkflowDocument): string | undefined => {
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
