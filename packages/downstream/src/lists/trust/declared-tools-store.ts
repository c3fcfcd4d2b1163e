/** Where it is kept between runs what servers said of their tools, as one text. */
export interface DeclaredToolsStore {
  /** The text that was written last; `undefined` when there is none yet. */
  read(): Promise<string | undefined>;
  /** Replaces the text whole. Called by one writer, and never again before it has settled. */
  write(text: string): Promise<void>;
}
