/** One step into a value: an own key of an object, or an index of a list. */
export type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number };

/** One selector of a path: an own key of an object, an index of a list (from its end when negative), a slice, or all members. */
export type JsonPathSelector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly written: string }
  | { readonly kind: 'all' };

/** One segment of a path: at least one selector, of the children or of all descendants. RFC 9535 §1.4.3 */
export interface JsonPathSegment {
  readonly descends: boolean;
  readonly selectors: readonly JsonPathSelector[];
}

/** A path to a place in a result. @spec §2.7 `jsonPath` */
export type Path =
  /** `items[0].name`, `labels["a.b"]`. */
  | { readonly kind: 'steps'; readonly steps: readonly PathStep[]; readonly written: string }
  /** `$..name`: JSONPath proper, without filters and scripts. */
  | {
      readonly kind: 'json-path';
      readonly segments: readonly JsonPathSegment[];
      readonly written: string;
    };
