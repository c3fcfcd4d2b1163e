/** The prefix of every exposed name of a server tool, a family tool or a prompt. @spec §1.4 */
export const EXPOSED_PREFIX = 'x';

/** A tool whose exposed name is longer is not served, as MCP 2025-11-25 has it for names of tools. */
export const MAX_EXPOSED_NAME_CHARS = 128;
/** A tool whose exposed name is longer is served with a warning: common model APIs take no longer names. */
export const LONG_EXPOSED_NAME_CHARS = 64;

/**
 * The exposed name of a server's or a family's tool or prompt: `x_<prefix>_<name>`, also when the name itself starts with
 * `<prefix>_`. Otherwise the names `status` and `sse_status` of a server `sse` are one exposed name.
 *
 * @param prefix the server's `toolPrefix`, else its name; for a family tool the family's name
 * @spec §1.4, §2.6
 */
export function exposedName(prefix: string, name: string): string {
  return `${EXPOSED_PREFIX}_${prefix}_${name}`;
}

/** The name of a workflow's execution tool. @spec §1.4 */
export function workflowToolName(workflow: string): string {
  return `workflow_${workflow}`;
}

/** The exposed URI of a resource: as it is when it contains `://`, else prefixed like a tool's name. */
export function exposedUri(prefix: string, uri: string): string {
  return uri.includes('://') ? uri : exposedName(prefix, uri);
}
