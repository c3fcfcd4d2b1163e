/** The state of the page of a tool in its address. */
export interface ToolPageSearch {
  /** Its description when absent. */
  readonly tab?: 'try' | 'changes';
}

/** Reads the state from the parameters of an address; unknown ones are left out. */
export const readToolSearch = ({ tab }: Record<string, unknown>): ToolPageSearch =>
  tab === 'try' || tab === 'changes' ? { tab } : {};
