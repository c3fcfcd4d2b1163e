/**
 * A file that is made from the sources and committed. A package lists its own in `generated.ts`, as
 * `export const generated: readonly GeneratedFile[]`; `pnpm gen` finds and writes them.
 */
export interface GeneratedFile {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  /** The whole text, with a final newline; the same for the same sources. */
  readonly text: () => string | Promise<string>;
}
