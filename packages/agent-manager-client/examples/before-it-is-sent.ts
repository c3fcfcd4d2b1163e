import { validateName, validateToolset } from '@gateway/agent-manager-client';

/** What a form tells about a new agent before it is sent: what agent-manager would refuse, in its words. */
export const problemsOf = (name: string, toolset: readonly string[]): readonly string[] =>
  [validateName(name), validateToolset(toolset, { isRequired: true })].flatMap(
    (problem) => problem ?? [],
  );

problemsOf('sre', ['preset:read-only', 'workflow:incident-triage']); // []
problemsOf('', ['toolset:shared']); // ['name is required', 'toolset selector "toolset:shared": the toolset: prefix is …']
