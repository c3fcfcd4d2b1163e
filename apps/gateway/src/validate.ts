import { readDirectory, resourceProblemText } from '@gateway/resource-store';
import { readConfiguration } from './configuration.ts';
import type { Ending } from './ending.ts';

/** Checks every file of the directory: problems go to stderr, one a line; the summary goes to stdout. */
export async function validate(directory: string): Promise<Ending> {
  const first = await readDirectory(directory);
  const configuration = readConfiguration(first.config);
  const state = configuration.ok
    ? await readDirectory(directory, { apiGroup: configuration.config.apiGroup })
    : first;
  const problems = [
    ...state.configProblems,
    ...(configuration.ok ? [] : configuration.problems),
    ...state.problems,
  ];
  for (const problem of problems) process.stderr.write(`${resourceProblemText(problem)}\n`);
  if (problems.length > 0) return 'refused';
  process.stdout.write(`${directory}: ${state.servers.length.toString()} servers, no problems\n`);
  return 'fine';
}
