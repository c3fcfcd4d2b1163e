/** Storage for the remembered tool declarations, as one text. */
export interface DeclaredToolsStore {
  /** Returns the last written text; `undefined` when there is none. */
  read(): Promise<string | undefined>;
  /** Replaces the whole text. Called by one writer, one call at a time. */
  write(text: string): Promise<void>;
}
