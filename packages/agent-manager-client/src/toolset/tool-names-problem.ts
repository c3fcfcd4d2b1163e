const TOOL_NAMES_REMOVED =
  'toolNames never narrowed anything against the gateway (the runtime filters the gateway\'s meta-tools only); declare a toolset instead, e.g. toolset: ["preset:read-only"]';

/**
 * Returns why the former argument `toolNames` is refused, or `undefined` when it is absent. `null` counts as absent, an empty list does not.
 *
 * @spec §7.5
 */
export const toolNamesProblem = (toolNames: unknown): string | undefined =>
  toolNames === undefined || toolNames === null ? undefined : TOOL_NAMES_REMOVED;
