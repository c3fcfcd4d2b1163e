import { placeholderWarnings } from '@gateway/crd-schemas';
import { type GatewayConfig, presetWarnings, readConfiguration } from '@gateway/gateway-config';
import {
  overlookedFiles,
  readDirectory,
  type ResourceProblem,
  resourceProblemText,
  type StoreState,
  type WorkflowResource,
} from '@gateway/resource-store';
import type { Check } from './check.ts';

interface CheckedFiles {
  readonly state: StoreState;
  /** Absent when `config.yaml` is refused. */
  readonly config: GatewayConfig | undefined;
  readonly configuration: readonly Check[];
  readonly resources: readonly Check[];
}

const refusedFile = (problem: ResourceProblem): Check => {
  const { source, message, ...place } = problem;
  const isConfiguration = problem.kind === 'Configuration';
  return {
    area: isConfiguration ? 'configuration' : 'files',
    code: isConfiguration ? 'configuration-refused' : 'file-refused',
    verdict: 'problem',
    message: resourceProblemText(problem),
    remedy: 'Correct the file; gateway validate --config-dir checks it again.',
    facts: { file: source, ...place, reason: message },
  };
};

const fileNote = (code: string, file: string, message: string): Check => ({
  area: 'files',
  code,
  verdict: 'note',
  message: `${file}: ${message}`,
  facts: { file },
});

const countText = (items: readonly unknown[], noun: string): string =>
  `${items.length.toString()} ${noun}${items.length === 1 ? '' : 's'}`;

/** Returns the status of a workflow without a caller, then its warnings. @spec §2.7 */
const workflowChecks = (resource: WorkflowResource): readonly Check[] => {
  const { name, source, status } = resource;
  const { valid, stepCount, referencedTools } = status;
  const tools = referencedTools.length === 0 ? 'none' : referencedTools.join(', ');
  const steps = `${stepCount.toString()} ${stepCount === 1 ? 'step' : 'steps'}`;
  return [
    {
      area: 'files',
      code: 'workflow',
      verdict: valid ? 'ok' : 'note',
      message: `${source}: ${valid ? 'valid' : 'not valid'}, ${steps}, tools: ${tools}`,
      facts: { file: source, name, status },
    },
    ...(resource.valid ? resource.warnings : []).map((warning) =>
      fileNote('workflow-warning', source, warning),
    ),
  ];
};

const resourceChecks = async (
  directory: string,
  { servers, workflows, problems }: StoreState,
): Promise<readonly Check[]> => [
  ...problems.map(refusedFile),
  ...workflows.flatMap(workflowChecks),
  ...servers.flatMap(({ metadata: { name }, spec }) =>
    placeholderWarnings(spec).map((warning) =>
      fileNote('server-warning', `${directory}/mcpservers/${name}.yaml`, warning),
    ),
  ),
  ...(await overlookedFiles(directory)).map(({ file, message }) =>
    fileNote('file-overlooked', file, message),
  ),
];

export const checkFiles = async (directory: string): Promise<CheckedFiles> => {
  const first = await readDirectory(directory);
  const configuration = readConfiguration(first.config);
  if (!configuration.ok)
    return {
      state: first,
      config: undefined,
      configuration: [...first.configProblems, ...configuration.problems].map(refusedFile),
      resources: await resourceChecks(directory, first),
    };
  const { config, presets } = configuration;
  const state = await readDirectory(directory, { apiGroup: config.apiGroup });
  const { servers, workflows, problems, configProblems } = state;
  const workflowTools = workflows.flatMap(({ status }) => status.referencedTools);
  const warnings = await presetWarnings({ directory, servers, workflowTools, config, presets });
  const file = state.config?.source ?? `${directory}/config.yaml`;
  const counts = `${countText(servers, 'server')}, ${countText(workflows, 'workflow')}`;
  const isRefused = configProblems.length + problems.length > 0;
  return {
    state,
    config,
    configuration: [
      ...configProblems.map(refusedFile),
      ...warnings.map((warning) => fileNote('preset-warning', file, warning)),
    ],
    resources: [
      ...(await resourceChecks(directory, state)),
      ...(isRefused
        ? []
        : ([
            { area: 'files', code: 'files', verdict: 'ok', message: `${directory}: ${counts}` },
          ] as const)),
    ],
  };
};

/** Returns a note when resource files exist that a gateway in a cluster does not use. */
export const checkUnusedFiles = ({ servers, workflows }: StoreState): readonly Check[] => {
  const files = [...servers, ...workflows];
  if (files.length === 0) return [];
  return [
    {
      area: 'files',
      code: 'files-unused',
      verdict: 'note',
      message: `${countText(files, 'file')} in mcpservers/ and workflows/ not used, because kubernetes is enabled.`,
      remedy: 'Create the resources as objects of the cluster, or delete the files.',
    },
  ];
};
