import type { ToolAnnotations } from '@gateway/catalog';

/** Annotations of a tool that reads the gateway's own state. @spec §2.3 read-only */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of a tool that sends read-only requests to other systems. */
export const ASKS_OUTSIDE: ToolAnnotations = { ...READS, openWorldHint: true };

/** Annotations of a tool that adds data, or ends what only the caller owns; repetition has no further effect. */
export const STARTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of a tool that removes or replaces data; repetition has no further effect. */
export const ENDS_OR_REPLACES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of a tool that interrupts or removes permanently; repetition has a further effect or is refused. */
export const DISRUPTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Annotations of a tool that adds data each time, or is refused. */
export const CREATES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
