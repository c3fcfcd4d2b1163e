import type { ToolAnnotations } from '@gateway/catalog';

/** Reads the gateway's own state. @spec §2.3 read-only */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds, and doing it again changes nothing. */
export const STARTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Takes away, and doing it again changes nothing. */
export const STOPS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Interrupts each time it is done. */
export const RESTARTS: ToolAnnotations = {
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

/** Puts something in the place of what is there; doing it again changes nothing. */
export const REPLACES: ToolAnnotations = STOPS;

/** Takes something away for good: doing it again is refused. */
export const DELETES: ToolAnnotations = RESTARTS;
