/** One step into a value: an own key of an object, or a place in a list. */
export type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number };

/** Where to look in a result. @spec §2.7 `jsonPath` */
export type Path =
  /** `items[0].name`, `labels["a.b"]`. */
  | { readonly kind: 'steps'; readonly steps: readonly PathStep[]; readonly written: string }
  /** `$..name`: JSONPath proper, without filters and scripts. */
  | { readonly kind: 'json-path'; readonly expression: string };
