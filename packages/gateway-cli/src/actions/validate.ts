import { placeholderWarnings } from '@gateway/crd-schemas';
import {
  overlookedFiles,
  readDirectory,
  resourceProblemText,
  type OverlookedFile,
  type ResourceProblem,
  type StoreState,
  type WorkflowResource,
} from '@gateway/resource-store';
import type { CliIo } from '../cli-io.ts';
import { escapeToLine, escapeToJson, type CommandResult } from '@gateway/service-host';
import { styleOf } from '../output/style.ts';
import { presetWarnings, readConfiguration } from '@gateway/gateway-config';

/** Format and streams of the report. */
export interface ValidateOptions {
  readonly output: 'text' | 'json';
  readonly io: CliIo;
}

/** The result of a validation. */
interface Report {
  readonly directory: string;
  readonly state: StoreState;
  /** The problems of `config.yaml`, then the others by file. */
  readonly problems: readonly ResourceProblem[];
  readonly overlooked: readonly OverlookedFile[];
  /** Of `config.yaml`. */
  readonly presetWarnings: readonly string[];
}

/**
 * Validates every file of the directory. As text, problems go to stderr, one per line, and the status of each workflow and the summary
 * go to stdout. As JSON, the report is one document on stdout.
 */
export async function validate(
  directory: string,
  { output, io }: ValidateOptions,
): Promise<CommandResult> {
  const result = await validateDirectory(directory);
  if (output === 'json') io.stdout.write(`${escapeToJson(reportDocument(result), 2)}\n`);
  else writeReport(result, io);
  return result.problems.length > 0 ? 'refused' : 'succeeded';
}

async function validateDirectory(directory: string): Promise<Report> {
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
  const workflowTools = state.workflows.flatMap(({ status }) => status.referencedTools);
  return {
    directory,
    state,
    problems,
    overlooked: await overlookedFiles(directory),
    presetWarnings: configuration.ok
      ? await presetWarnings({
          ...{ directory, servers: state.servers, workflowTools },
          ...{ config: configuration.config, presets: configuration.presets },
        })
      : [],
  };
}

function writeReport(result: Report, { stdout, stderr, env }: CliIo): void {
  const { directory, state, problems, overlooked } = result;
  const errorStyle = styleOf(stderr, env);
  for (const problem of problems) {
    const text = resourceProblemText(problem);
    const place = resourceProblemText({ ...problem, message: '' }).trimEnd();
    stderr.write(`${errorStyle('red', place)}${text.slice(place.length)}\n`);
  }
  for (const workflow of state.workflows)
    for (const line of workflowLines(workflow)) stdout.write(`${line}\n`);
  for (const { file, message } of [
    ...configWarnings(result),
    ...serverWarnings(result),
    ...overlooked,
  ])
    stdout.write(`${escapeToLine(`${file}: warning: ${message}`)}\n`);
  const style = styleOf(stdout, env);
  const counts = `${countText(state.servers, 'server')}, ${countText(state.workflows, 'workflow')}`;
  const [summaryStyle, summary] =
    problems.length === 0
      ? (['green', 'no problems'] as const)
      : (['red', problemCount(problems)] as const);
  stdout.write(`${escapeToLine(directory)}: ${counts}, ${style(summaryStyle, summary)}\n`);
}

const countText = (items: readonly unknown[], noun: string): string =>
  `${items.length.toString()} ${noun}${items.length === 1 ? '' : 's'}`;

const filesOf = (problems: readonly ResourceProblem[]): readonly string[] => [
  ...new Set(problems.map(({ source }) => source)),
];

const problemCount = (problems: readonly ResourceProblem[]): string =>
  `${countText(problems, 'problem')} in ${countText(filesOf(problems), 'file')}`;

/** Returns the status of a workflow without a caller, then its warnings. @spec §2.7 */
function workflowLines(resource: WorkflowResource): readonly string[] {
  const { source, status } = resource;
  const { valid, stepCount, referencedTools } = status;
  const steps = `${stepCount.toString()} ${stepCount === 1 ? 'step' : 'steps'}`;
  const tools = referencedTools.length === 0 ? 'none' : referencedTools.join(', ');
  const line = `${source}: ${valid ? 'valid' : 'not valid'}, ${steps}, tools: ${tools}`;
  return [line, ...warningsOf(resource).map((text) => `${source}: warning: ${text}`)].map(
    escapeToLine,
  );
}

/** Returns the texts of servers that look like placeholders and are none. */
const serverWarnings = ({ directory, state: { servers } }: Report) =>
  servers.flatMap(({ metadata: { name }, spec }) =>
    placeholderWarnings(spec).map((message) => ({
      file: `${directory}/mcpservers/${name}.yaml`,
      name,
      message,
    })),
  );

/** Returns the warnings of `config.yaml`. */
const configWarnings = ({ directory, state, presetWarnings: messages }: Report) =>
  messages.map((message) => ({
    file: state.config?.source ?? `${directory}/config.yaml`,
    name: 'config',
    message,
  }));

const warningsOf = (resource: WorkflowResource): readonly string[] =>
  resource.valid ? resource.warnings : [];

/** Returns the report as JSON. */
function reportDocument(report: Report): object {
  const { directory, state, problems, overlooked } = report;
  const ofWorkflows = state.workflows.flatMap((resource) =>
    warningsOf(resource).map((message) => ({
      file: resource.source,
      name: resource.name,
      message,
    })),
  );
  const warnings = [
    ...configWarnings(report),
    ...serverWarnings(report),
    ...ofWorkflows,
    ...overlooked,
  ];
  return {
    directory,
    valid: problems.length === 0,
    summary: {
      servers: state.servers.length,
      workflows: state.workflows.length,
      problems: problems.length,
      files_with_problems: filesOf(problems).length,
      warnings: warnings.length,
    },
    problems: problems.map(({ source, ...problem }) => ({ file: source, ...problem })),
    warnings,
    servers: state.servers.map(({ metadata, spec }) => ({ name: metadata.name, type: spec.type })),
    workflows: state.workflows.map(({ name, source, status }) => ({
      name,
      file: source,
      status,
    })),
  };
}
