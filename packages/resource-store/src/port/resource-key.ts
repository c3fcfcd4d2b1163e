import { DEFAULT_NAMESPACE } from '@gateway/crd-schemas';

/** The kinds of resources in a store. */
export type ResourceKind = 'MCPServer' | 'Workflow';

/** Identifies a resource of one kind. */
export interface ResourceKey {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the key of a resource in a namespace; the default namespace when absent. */
export const resourceKey = (name: string, namespace = DEFAULT_NAMESPACE): ResourceKey => ({
  namespace,
  name,
});
