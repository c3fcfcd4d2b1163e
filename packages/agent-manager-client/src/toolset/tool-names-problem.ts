const TOOL_NAMES_REMOVED =
  'toolNames never narrowed anything against the gateway (the runtime filters the gateway\'s meta-tools only); declare a toolset instead, e.g. toolset: ["preset:read-only"]';

/**
 * Why the former argument `toolNames` is refused, or `undefined` where it is not passed. `null` is not passed; an empty list is.
 *
 * @spec §7.5
 */
export const toolNamesProblem = (toolNames: unknown): string | undefined =>
  toolNames === undefined || toolNames === null ? undefined : TOOL_NAMES_REMOVED;
