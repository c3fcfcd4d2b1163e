import { fieldOf } from './json-fields.ts';

/** The effects of a tool as its annotations state them. */
export interface ToolEffects {
  /** `readOnlyHint` is true. */
  readonly isReadOnly: boolean;
  /** `destructiveHint` is true and `readOnlyHint` is not: the tool says that it destroys something. */
  readonly isDestructive: boolean;
  /**
   * `readOnlyHint` is not true and `destructiveHint` is not false, which are the defaults of MCP: also of a tool that says nothing about
   * itself. A person confirms its calls.
   */
  readonly mayDestroy: boolean;
}

/** Reads the annotations of a tool. MCP 2026-07-28, `ToolAnnotations` */
export const effectsOf = (annotations: unknown): ToolEffects => {
  const isReadOnly = fieldOf(annotations, 'readOnlyHint') === true;
  const destructive = fieldOf(annotations, 'destructiveHint');
  return {
    isReadOnly,
    isDestructive: !isReadOnly && destructive === true,
    mayDestroy: !isReadOnly && destructive !== false,
  };
};
