import { fieldOf } from './json-fields.ts';

/** The effects of a tool as its annotations state them. */
export interface ToolEffects {
  /** `readOnlyHint` is true. */
  readonly isReadOnly: boolean;
  /** `readOnlyHint` is not true and `destructiveHint` is not false, which are the defaults of MCP. */
  readonly isDestructive: boolean;
}

/** Reads the annotations of a tool. A tool that says nothing about itself counts as destructive. MCP 2026-07-28, `ToolAnnotations` */
export const effectsOf = (annotations: unknown): ToolEffects => {
  const isReadOnly = fieldOf(annotations, 'readOnlyHint') === true;
  return {
    isReadOnly,
    isDestructive: !isReadOnly && fieldOf(annotations, 'destructiveHint') !== false,
  };
};
