/** A Kubernetes object in a test. */
export interface ClusterObject {
  readonly [field: string]: unknown;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly [field: string]: unknown;
    readonly name?: string;
    readonly namespace?: string;
  };
}

/** The resources of a group and version (`APIResourceList`). */
export interface Resources {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** Returns the path of an object, or of its collection when it has no name. Undefined for a kind that is not served. */
export const resourcePath = (
  group: string,
  { resources }: Resources,
  { kind, metadata }: ClusterObject,
): string | undefined => {
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'));
  if (found === undefined) return undefined;
  const { name, namespace } = metadata;
  const space = found.namespaced ? `/namespaces/${namespace ?? 'default'}` : '';
  return `${group}${space}/${found.name}${name === undefined ? '' : `/${name}`}`;
};
