import { readDirectory, resourceProblemText, type WorkflowResource } from '@gateway/resource-store';
import { readConfiguration } from './configuration.ts';
import type { Ending } from './ending.ts';

/**
 * Checks every file of the directory. Problems go to stderr, one a line; what each workflow is, and the summary where there is no
 * problem, go to stdout.
 */
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
  for (const workflow of state.workflows)
    for (const line of workflowLines(workflow)) process.stdout.write(`${line}\n`);
  if (problems.length > 0) return 'refused';
  const counts = `${counted(state.servers, 'server')}, ${counted(state.workflows, 'workflow')}`;
  process.stdout.write(`${directory}: ${counts}, no problems\n`);
  return 'fine';
}

const counted = (items: readonly unknown[], noun: string): string =>
  `${items.length.toString()} ${noun}${items.length === 1 ? '' : 's'}`;

/** The status of a workflow as it is known without a caller, then its warnings. @spec §2.7 */
function workflowLines(resource: WorkflowResource): readonly string[] {
  const { file, status } = resource;
  const { valid, stepCount, referencedTools } = status;
  const steps = `${stepCount.toString()} ${stepCount === 1 ? 'step' : 'steps'}`;
  const tools = referencedTools.length === 0 ? 'none' : referencedTools.join(', ');
  const line = `${file}: ${valid ? 'valid' : 'not valid'}, ${steps}, tools: ${tools}`;
  const warnings = resource.valid ? resource.warnings : [];
  return [line, ...warnings.map((text) => `${file}: warning: ${text}`)].map(oneLine);
}

/** Names of files and tools may hold any character. */
const oneLine = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
