import {
  DEFAULT_HEALTH_PORT,
  type GatewayConfig,
  HEALTH_PORT_OPTION,
  resolveHealthAddress,
  type OptionAddress,
  PORT_OPTION,
  findPortClash,
  listPresetWarnings,
  readConfiguration,
} from '@gateway/gateway-config';
import { findListenError, validateNodeVersion, OLDEST_NODE } from '@gateway/service-host';
import type { Check } from './check.ts';
import { formatClearSecret, listClearSecrets } from '@gateway/client-config';
import { listPlaceholderWarnings, type McpServer } from '@gateway/crd-schemas';
import { parseYaml } from '@gateway/files';
import {
  listOverlookedFiles,
  readDirectory,
  readServerFile,
  type ResourceProblem,
  formatProblem,
  type StoreState,
  type WorkflowResource,
} from '@gateway/resource-store';

export const checkNode = (): Check => {
  const problem = validateNodeVersion({ feature: 'gateway', minimum: OLDEST_NODE });
  return problem === undefined
    ? { area: 'node', code: 'node', verdict: 'ok', message: process.versions.node }
    : { area: 'node', code: 'node-too-old', verdict: 'problem', message: problem };
};

const ANSWER_MS = 2_000;

const toUrl = ({ host, port }: OptionAddress): string => {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host;
  return `http://${reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable}:${port.toString()}`;
};

/** Returns whether a gateway answers: with its page at `/`, or with its metrics on the port of health checks. */
const isGateway = async (address: OptionAddress): Promise<boolean> => {
  const request = async (path: string): Promise<string> => {
    const answer = await fetch(`${toUrl(address)}${path}`, {
      headers: { accept: 'text/plain' },
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'error',
    });
    return (await answer.text()).slice(0, 10_000);
  };
  try {
    if ((await request('/')).startsWith('MCP gateway ')) return true;
    return (await request('/metrics')).includes('gateway_catalog_tools');
  } catch {
    return false;
  }
};

const checkPort = async (address: OptionAddress): Promise<Check> => {
  const { host, port, option } = address;
  const about = { area: 'port', subject: `${host}:${port.toString()}` } as const;
  const error = await findListenError(address);
  if (error === undefined) return { ...about, code: 'port-free', verdict: 'ok', message: 'free' };
  const { code = error.message } = error;
  if (code !== 'EADDRINUSE')
    return {
      ...about,
      code: 'port-unusable',
      verdict: 'problem',
      message: `cannot be listened on: ${code}`,
      remedy: `Choose another address with --host and ${option}.`,
    };
  if (await isGateway(address))
    return { ...about, code: 'port-gateway', verdict: 'ok', message: 'a gateway serves here' };
  return {
    ...about,
    code: 'port-taken',
    verdict: 'problem',
    message: 'another program uses this port, and it is not a gateway',
    remedy: `End that program, or choose another port with ${option}.`,
  };
};

/** Checks the addresses at which a gateway with this configuration listens. */
export const checkPorts = async (config: GatewayConfig): Promise<readonly Check[]> => {
  const { host, port } = config.http;
  const health = resolveHealthAddress(config, { host, healthListener: true });
  const own: OptionAddress = { host, port, option: PORT_OPTION };
  if (health === undefined) return [await checkPort(own)];
  const other: OptionAddress = { ...health, option: HEALTH_PORT_OPTION };
  const clash = findPortClash([own, other]);
  if (clash !== undefined)
    return [{ area: 'port', code: 'port-clash', verdict: 'problem', message: clash }];
  // A gateway starts without the default port of health checks when it is in use.
  const isNeeded = health.isConfigured || health.port !== DEFAULT_HEALTH_PORT;
  return Promise.all((isNeeded ? [own, other] : [own]).map(checkPort));
};

interface FileChecks {
  readonly state: StoreState;
  /** Absent when `config.yaml` is refused. */
  readonly config: GatewayConfig | undefined;
  readonly configuration: readonly Check[];
  readonly resources: readonly Check[];
}

const createRefusalCheck = (problem: ResourceProblem): Check => {
  const { source, message, ...place } = problem;
  const isConfiguration = problem.kind === 'Configuration';
  return {
    area: isConfiguration ? 'configuration' : 'files',
    code: isConfiguration ? 'configuration-refused' : 'file-refused',
    verdict: 'problem',
    message: formatProblem(problem),
    remedy: 'Correct the file; gateway validate --config-dir checks it again.',
    facts: { file: source, ...place, reason: message },
  };
};

const createFileNote = (code: string, file: string, message: string): Check => ({
  area: 'files',
  code,
  verdict: 'note',
  message: `${file}: ${message}`,
  facts: { file },
});

const formatItemCount = (items: readonly unknown[], noun: string): string =>
  `${items.length.toString()} ${noun}${items.length === 1 ? '' : 's'}`;

/** Returns the status of a workflow without a caller, then its warnings. @spec §2.7 */
const listWorkflowChecks = (resource: WorkflowResource): readonly Check[] => {
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
      createFileNote('workflow-warning', source, warning),
    ),
  ];
};

/** Returns a note for each secret in clear text, with its line. */
const listClearTextNotes = async (
  directory: string,
  { metadata: { name }, spec }: McpServer,
): Promise<readonly Check[]> => {
  const secrets = listClearSecrets(spec);
  const file = secrets.length === 0 ? undefined : await readServerFile(directory, name);
  const parsed = parseYaml(file?.text ?? '');
  const path = `${directory}/${file?.path ?? `mcpservers/${name}.yaml`}`;
  return secrets.map((secret) => {
    const position = parsed.ok ? parsed.locate(secret.path) : { line: 1, column: 1 };
    const { line, column } = position;
    return {
      ...createFileNote(
        'clear-text',
        `${path}:${String(line)}:${String(column)}`,
        formatClearSecret(secret),
      ),
      facts: { file: path, ...position, field: secret.field },
    };
  });
};

const listResourceChecks = async (
  directory: string,
  { servers, workflows, problems }: StoreState,
): Promise<readonly Check[]> => [
  ...problems.map(createRefusalCheck),
  ...workflows.flatMap(listWorkflowChecks),
  ...servers.flatMap(({ metadata: { name }, spec }) =>
    listPlaceholderWarnings(spec).map((warning) =>
      createFileNote('server-warning', `${directory}/mcpservers/${name}.yaml`, warning),
    ),
  ),
  ...(await Promise.all(servers.map((server) => listClearTextNotes(directory, server)))).flat(),
  ...(await listOverlookedFiles(directory)).map(({ file, message }) =>
    createFileNote('file-overlooked', file, message),
  ),
];

export const checkFiles = async (directory: string): Promise<FileChecks> => {
  const first = await readDirectory(directory);
  const configuration = readConfiguration(first.config);
  if (!configuration.ok)
    return {
      state: first,
      config: undefined,
      configuration: [...first.configProblems, ...configuration.problems].map(createRefusalCheck),
      resources: await listResourceChecks(directory, first),
    };
  const { config, presets } = configuration;
  const state = await readDirectory(directory, { apiGroup: config.apiGroup });
  const { servers, workflows, problems, configProblems } = state;
  const workflowTools = workflows.flatMap(({ status }) => status.referencedTools);
  const warnings = await listPresetWarnings({ directory, servers, workflowTools, config, presets });
  const file = state.config?.source ?? `${directory}/config.yaml`;
  const counts = `${formatItemCount(servers, 'server')}, ${formatItemCount(workflows, 'workflow')}`;
  const isRefused = configProblems.length + problems.length > 0;
  return {
    state,
    config,
    configuration: [
      ...configProblems.map(createRefusalCheck),
      ...warnings.map((warning) => createFileNote('preset-warning', file, warning)),
    ],
    resources: [
      ...(await listResourceChecks(directory, state)),
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
      message: `${formatItemCount(files, 'file')} in mcpservers/ and workflows/ not used, because kubernetes is enabled.`,
      remedy: 'Create the resources as objects of the cluster, or delete the files.',
    },
  ];
};
