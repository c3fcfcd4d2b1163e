/** The resources that exist now. Series of deleted ones are not reported. */
export interface ExistingResources {
  readonly servers: () => readonly { readonly name: string }[];
  readonly workflows: () => readonly { readonly name: string }[];
}

/** Replaces names beyond the limit. No resource has this name. */
export const OTHERS = '_other';

/** Returns the names of resources. */
export const namesOf = (resources: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(resources.map(({ name }) => name));
