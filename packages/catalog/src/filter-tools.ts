import type { CatalogTool } from './catalog-tool.ts';
import { compileGlob } from './glob.ts';
import { createTextFinder } from './text-finder.ts';

/** The requested part of a list; whole numbers, `limit` at least 1 and `offset` at least 0. */
export interface PageRequest {
  /** The most items of the page; absent means all that follow. */
  readonly limit?: number;
  /** Number of items before the page. Default 0. */
  readonly offset?: number;
}

/** A part of a list. */
export interface Page<T> {
  /** The length of the whole list. */
  readonly total: number;
  readonly items: readonly T[];
  /** Items follow the page. */
  readonly truncated: boolean;
}

/** Cuts a page out of a list; past the end it is empty and nothing follows. */
export function toPage<T>(all: readonly T[], { limit, offset = 0 }: PageRequest): Page<T> {
  const end = limit === undefined ? all.length : offset + limit;
  return { total: all.length, items: all.slice(offset, end), truncated: end < all.length };
}

/** The reason why filters are refused. */
export interface FilterError {
  readonly code: 'filter.pattern-invalid';
  readonly pattern: string;
}

/** Conditions on a tool. An absent filter matches every tool. */
export interface ToolFilters {
  /** A glob on the exposed name. @spec §2.2 */
  readonly pattern?: string;
  /** A text that the full description contains. */
  readonly description?: string;
  /** Labels that the tool carries, each with exactly this value. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Makes `pattern` and `description` case-sensitive. */
  readonly caseSensitive?: boolean;
}

/** The tools that pass, in the order in which they came, or why the filters cannot be applied. */
type FilterOutcome =
  | { readonly ok: true; readonly value: readonly CatalogTool[] }
  | { readonly ok: false; readonly error: FilterError };

type Test = (tool: CatalogTool) => boolean;

/** Descriptions in small letters, as long as their tools are served: making them is slower than looking through them. */
const smallDescriptions = new WeakMap<CatalogTool, string>();

function toLowerDescription(tool: CatalogTool): string {
  const known = smallDescriptions.get(tool);
  if (known !== undefined) return known;
  const small = tool.description.toLowerCase();
  smallDescriptions.set(tool, small);
  return small;
}

function createDescriptionTest(text: string, isCaseSensitive: boolean): Test {
  if (isCaseSensitive) {
    const find = createTextFinder(text);
    return ({ description }) => find(description) >= 0;
  }
  const find = createTextFinder(text.toLowerCase());
  return (tool) => find(toLowerDescription(tool)) >= 0;
}

function createLabelsTest(pairs: readonly (readonly [string, string])[]): Test {
  return ({ labels }) =>
    labels !== undefined &&
    pairs.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** Returns the tools that match every filter. */
export function filterTools(tools: readonly CatalogTool[], filters: ToolFilters): FilterOutcome {
  const { pattern, description, labels = {}, caseSensitive = false } = filters;
  const tests: Test[] = [];
  if (pattern !== undefined) {
    const glob = compileGlob(pattern, { caseSensitive });
    if (!glob.ok) return { ok: false, error: { code: 'filter.pattern-invalid', pattern } };
    tests.push(({ name }) => glob.matches(name));
  }
  const pairs = Object.entries(labels);
  if (pairs.length > 0) tests.push(createLabelsTest(pairs));
  if (description !== undefined) tests.push(createDescriptionTest(description, caseSensitive));
  if (tests.length === 0) return { ok: true, value: tools };
  return { ok: true, value: tools.filter((tool) => tests.every((test) => test(tool))) };
}
