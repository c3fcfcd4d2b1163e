import { readOwnField, toList, findText } from '@gateway/call-contract';

/** The effects of a tool as its annotations state them. */
export interface ToolEffects {
  /** `readOnlyHint` is true. */
  readonly isReadOnly: boolean;
  /** `destructiveHint` is true and `readOnlyHint` is not: the tool says that it destroys something. */
  readonly isDestructive: boolean;
  /**
   * `readOnlyHint` is not true and `destructiveHint` is not false, which are the defaults of MCP: also of a tool that says nothing about
   * itself. A user confirms its calls.
   */
  readonly mayDestroy: boolean;
}

/** Reads the annotations of a tool. MCP 2026-07-28, `ToolAnnotations` */
export const parseToolEffects = (annotations: unknown): ToolEffects => {
  const isReadOnly = readOwnField(annotations, 'readOnlyHint') === true;
  const destructive = readOwnField(annotations, 'destructiveHint');
  return {
    isReadOnly,
    isDestructive: !isReadOnly && destructive === true,
    mayDestroy: !isReadOnly && destructive !== false,
  };
};

/** The kind of a tool. @spec §1.3 */
export type ListedToolKind = 'tool' | 'workflow' | 'core';

/** A tool as `list_tools` and `filter_tools` return it. @spec §2.4 */
export interface ListedTool extends ToolEffects {
  readonly name: string;
  readonly kind: ListedToolKind;
  /** Its `MCPServer`, or the family of a family tool. Workflows and core tools have none. */
  readonly server?: string;
  /** The description, or its first line; an empty text for none. */
  readonly description: string;
}

const KINDS: ReadonlySet<unknown> = new Set<ListedToolKind>(['tool', 'workflow', 'core']);
const isKind = (value: unknown): value is ListedToolKind => KINDS.has(value);

const parseTool = (value: unknown): ListedTool | undefined => {
  const name = findText(readOwnField(value, 'name'));
  const kind = readOwnField(value, 'kind');
  if (name === undefined || !isKind(kind)) return undefined;
  const server = findText(readOwnField(value, 'server'));
  return {
    name,
    kind,
    ...(server !== undefined && { server }),
    description:
      findText(readOwnField(value, 'description')) ??
      findText(readOwnField(value, 'summary')) ??
      '',
    ...parseToolEffects(readOwnField(value, 'annotations')),
  };
};

/** Returns the tools of an answer of `list_tools` or `filter_tools`; entries that are no tools are left out. @spec §2.4 */
export const readTools = (answer: unknown): readonly ListedTool[] =>
  toList(readOwnField(answer, 'tools')).flatMap((entry) => parseTool(entry) ?? []);
