/** The groups of a platform's tools. @spec §2.3 */
export type ToolGroup = 'infrastructure' | 'agent-platform' | 'registered' | 'workflows';

/** The groups in the order in which they are shown, with their names. */
export const TOOL_GROUPS: readonly { readonly group: ToolGroup; readonly label: string }[] = [
  { group: 'infrastructure', label: 'Infrastructure' },
  { group: 'agent-platform', label: 'Agent Platform' },
  { group: 'registered', label: 'Registered servers' },
  { group: 'workflows', label: 'Workflows' },
];

const KEY_NAME = 'tool-group';

/**
 * Returns the group of a server by its label `<domain>/tool-group`. Servers without the label, or with another value, are registered
 * servers.
 *
 * @param labelDomain the domain of the platform's labels; `undefined` accepts any domain
 * @spec §2.3
 */
export const groupOfLabels = (
  labels: ReadonlyMap<string, string>,
  labelDomain?: string,
): ToolGroup => {
  const key = [...labels.keys()].find((name) =>
    labelDomain === undefined
      ? name.endsWith(`/${KEY_NAME}`)
      : name === `${labelDomain}/${KEY_NAME}`,
  );
  const value = key === undefined ? undefined : labels.get(key);
  return value === 'infrastructure' || value === 'agent-platform' ? value : 'registered';
};
