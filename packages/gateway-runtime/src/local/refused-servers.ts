import type { RefusedServer } from '@gateway/core-tools';
import { shortProblemText, type ResourceStore } from '@gateway/resource-store';

/** Returns the servers whose definitions are invalid, by name, with every problem of each. */
export function refusedServers(store: Pick<ResourceStore, 'current'>): readonly RefusedServer[] {
  const problems = new Map<string, string[]>();
  for (const problem of store.current().problems) {
    if (problem.kind !== 'MCPServer' || problem.name === undefined) continue;
    const known = problems.get(problem.name);
    const text = shortProblemText(problem);
    if (known === undefined) problems.set(problem.name, [text]);
    else known.push(text);
  }
  return [...problems].map(([name, texts]) => ({ name, problems: texts }));
}
