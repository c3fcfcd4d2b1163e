/** The servers with all their tools read-only, so that no derivation is over at the first step. */
export const readOnlyOnes = (servers) =>
  servers.map((server) => ({
    ...server,
    tools: server.tools.map((tool) => ({ ...tool, annotations: { readOnlyHint: true } })),
  }));

/** Workflows of some steps each; every second one calls the next as its first step. */
export const workflowsOver = (tools, count, steps) =>
  Array.from({ length: count }, (_, at) => {
    const referencedTools = Array.from(
      { length: steps },
      (__, step) => tools[(at * 7919 + step * 104_729) % tools.length].name,
    );
    if (at % 2 === 0 && at + 1 < count && steps > 0) referencedTools[0] = `workflow_w${at + 1}`;
    return {
      name: `w${at}`,
      description: `Does ${at}.`,
      inputSchema: { type: 'object' },
      referencedTools,
    };
  });

/** The plain way: each workflow for itself, nested ones again and again, tools looked for in the list. */
export const readOnlyOneByOne = (workflows, tools) => {
  const isReadOnly = (name, path) => {
    const workflow = workflows.find((one) => `workflow_${one.name}` === name);
    if (workflow === undefined) {
      return tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint === true;
    }
    return (
      !path.includes(name) &&
      workflow.referencedTools.every((tool) => isReadOnly(tool, [...path, name]))
    );
  };
  return workflows.filter(({ name }) => isReadOnly(`workflow_${name}`, []));
};
