import type { ToolAnnotations } from '@gateway/catalog';

/** Reads the gateway's own state. @spec §2.3 read-only */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Asks others about themselves, and changes nothing. */
export const ASKS_OUTSIDE: ToolAnnotations = { ...READS, openWorldHint: true };

/** Adds, or ends what only the caller has; doing it again changes nothing. */
export const STARTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Takes away or replaces what is there, and doing it again changes nothing. */
export const ENDS_OR_REPLACES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Interrupts, or takes away for good: doing it again does more, or is refused. */
export const DISRUPTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Adds something new each time, or is refused. */
export const CREATES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
