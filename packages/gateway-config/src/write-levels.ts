/** Which core tools that write are permitted: `all`, those for definitions of workflows, or `none`. */
export const CORE_TOOL_WRITES = ['all', 'workflows', 'none'] as const;

/** One of {@link CORE_TOOL_WRITES}. */
export type CoreToolWrites = (typeof CORE_TOOL_WRITES)[number];
