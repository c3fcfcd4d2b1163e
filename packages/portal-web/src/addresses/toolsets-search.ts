import { COMPARISON_VIEWS, type ComparisonView } from '@gateway/toolset-composer';
import { selectorsOf } from './catalog-search.ts';

/** The state of the comparison of toolsets in its address. */
export interface ToolsetsSearch {
  readonly left?: string[];
  readonly right?: string[];
  /** `selected` when absent. */
  readonly show?: Exclude<ComparisonView, 'selected'>;
  /** A part of the names of the tools that are listed. */
  readonly find?: string;
  /** The tool whose reasons are shown in full. */
  readonly tool?: string;
}

const MAX_CHARS = 1_024;

const VIEWS: ReadonlySet<unknown> = new Set(
  COMPARISON_VIEWS.map(({ view }) => view).filter((view) => view !== 'selected'),
);
const isView = (value: unknown): value is NonNullable<ToolsetsSearch['show']> => VIEWS.has(value);

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CHARS;

/** Reads the state from the parameters of an address; unknown ones are left out. */
export const readToolsetsSearch = (parameters: Record<string, unknown>): ToolsetsSearch => {
  const { show, find, tool } = parameters;
  const [left, right] = [selectorsOf(parameters['left']), selectorsOf(parameters['right'])];
  return {
    ...(left !== undefined && { left }),
    ...(right !== undefined && { right }),
    ...(isView(show) && { show }),
    ...(isText(find) && { find }),
    ...(isText(tool) && { tool }),
  };
};
