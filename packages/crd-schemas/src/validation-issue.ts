/** One problem of a document. `path` leads from the document's root to the value. @spec §7.6 */
export interface ValidationIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
