import type { KubernetesObject, Stored } from '@gateway/agent-releases';
import { fieldsOf, textOf } from './api-answer.ts';
import { apiVersionOf, type ApiKind } from './api-kind.ts';

/**
 * An object of the API as agent-manager sees it: lists leave out what kind their items are, and who set which field
 * (`managedFields`, half of the text) is nobody's business here and stays in the cluster when it is not sent back.
 * `undefined`: it has no name, so it is no object.
 */
export const objectOf = (value: unknown, kind: ApiKind): Stored<KubernetesObject> | undefined => {
  const fields = fieldsOf(value);
  const { managedFields: _managedFields, ...metadata } = fieldsOf(fields['metadata']);
  const name = textOf(metadata['name']);
  const namespace = textOf(metadata['namespace']);
  if (name === undefined || namespace === undefined) return undefined;
  const object: KubernetesObject = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...fields,
    metadata: { ...metadata, name, namespace },
  };
  return { object, revision: textOf(metadata['resourceVersion']) ?? '' };
};
