import { isText } from '@gateway/call-contract';
import {
  COMPARISON_VIEWS,
  type ComparisonView,
  TOOL_GROUPS,
  TOOL_HINTS,
  TOOL_KINDS,
  type ToolFilter,
  type WizardStep,
} from '@gateway/toolset-composer';

/** The parameters of an address. Every reader below leaves out unknown parameters and values. */
type Parameters = Readonly<Record<string, unknown>>;

/** The most selectors of an address and of a draft; a toolset that can be declared has fewer. */
export const MAX_SELECTORS = 200;
const MAX_CHARS = 1_024;

/** Returns the selectors of a list; `undefined` for any other value. */
const readSelectors = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter(isText).slice(0, MAX_SELECTORS) : undefined;

/** The router reads a parameter such as `7` or `true` as JSON. */
const readText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return isText(text) && text !== '' ? text.slice(0, MAX_CHARS) : undefined;
};

const readCount = (value: unknown, least: number): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined;

const readKnown = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((known) => known === value);

const omitUndefined = <T extends object>(fields: {
  readonly [K in keyof T]?: T[K] | undefined;
}): T => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** The state of a table: its words, and the column that it is sorted by. */
interface TableState {
  readonly query?: string;
  /** The id of a column, after `-` for the opposite order. */
  readonly sort?: string;
}

/** Returns the reader of the addresses of a table with these filters. */
const readTable =
  <K extends string>(...filters: readonly K[]) =>
  (parameters: Parameters): TableState & { readonly [P in K]?: string } =>
    Object.fromEntries(
      ['query', 'sort', ...filters].flatMap((key) => {
        const text = readText(parameters[key]);
        return text === undefined ? [] : [[key, text]];
      }),
    ) as TableState & { readonly [P in K]?: string };

/** The list of agents. */
export const readAgentsSearch = readTable('state', 'namespace', 'selector');

/** The list of presets. */
export const readPresetsSearch = readTable('origin');

/** The list of servers. */
export const readServersSearch = readTable('state', 'group', 'type');

/** The page of a thing in tabs, with the table of a tab. */
export const readDetailSearch = readTable('tab');

/** The state of the catalog; `query` has words to rank by. */
export interface CatalogSearch extends TableState, ToolFilter {
  /** Present for one list of all tools, without groups. */
  readonly flat?: number;
  /** The toolset that narrows the catalog. */
  readonly toolset?: string[];
}

const GROUPS = TOOL_GROUPS.map(({ group }) => group);
const KINDS = TOOL_KINDS.map(({ kind }) => kind);
const HINTS = TOOL_HINTS.map(({ hint }) => hint);

const readToolFilter = ({ group, server, kind, hint }: Parameters): ToolFilter =>
  omitUndefined({
    group: readKnown(GROUPS, group),
    server: readText(server),
    kind: readKnown(KINDS, kind),
    hint: readKnown(HINTS, hint),
  });

export const readCatalogSearch = (parameters: Parameters): CatalogSearch => ({
  ...omitUndefined<CatalogSearch>({
    toolset: readSelectors(parameters['toolset']),
    flat: readCount(parameters['flat'], 1),
  }),
  ...readTable()(parameters),
  ...readToolFilter(parameters),
});

/** The state of the page of a tool. */
interface ToolPageSearch {
  /** The description when absent. */
  readonly tab?: 'try' | 'changes';
}

export const readToolSearch = ({ tab }: Parameters): ToolPageSearch =>
  tab === 'try' || tab === 'changes' ? { tab } : {};

/** The state of the comparison of toolsets. */
interface ToolsetsSearch {
  readonly left?: string[];
  readonly right?: string[];
  /** `selected` when absent. */
  readonly show?: Exclude<ComparisonView, 'selected'>;
  /** A part of the names of the listed tools. */
  readonly find?: string;
  /** The tool whose reasons are shown in full. */
  readonly tool?: string;
}

const VIEWS = COMPARISON_VIEWS.map(({ view }) => view).filter((view) => view !== 'selected');

const readShortText = (value: unknown): string | undefined =>
  isText(value) && value !== '' && value.length <= MAX_CHARS ? value : undefined;

export const readToolsetsSearch = (parameters: Parameters): ToolsetsSearch =>
  omitUndefined({
    left: readSelectors(parameters['left']),
    right: readSelectors(parameters['right']),
    show: readKnown(VIEWS, parameters['show']),
    find: readShortText(parameters['find']),
    tool: readShortText(parameters['tool']),
  });

/** The state of the wizard. */
export interface WizardSearch {
  /** The first step when absent. */
  readonly step?: WizardStep;
  /** The composed toolset; absent until the user has changed it. */
  readonly toolset?: string[];
}

const STEPS: readonly WizardStep[] = ['Details', 'Skills', 'Tools', 'Review'];

export const readWizardSearch = ({ step, toolset }: Parameters): WizardSearch =>
  omitUndefined({ step: readKnown(STEPS, step), toolset: readSelectors(toolset) });

/** The states of a workflow for the user who reads it: `missing` lacks tools. */
export const WORKFLOW_STATES = ['available', 'missing', 'invalid'] as const;

export type WorkflowState = (typeof WORKFLOW_STATES)[number];

/** The states of a run. @spec §2.7 */
export const RUN_STATUSES = ['inprogress', 'completed', 'failed'] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** The parts of the page of a workflow besides its steps. */
export const WORKFLOW_TABS = ['run', 'runs', 'definition'] as const;

const STEP_VIEWS = ['graph', 'list'] as const;

export type StepView = (typeof STEP_VIEWS)[number];

/** The list of workflows. */
export const readWorkflowsSearch = readTable('state');

/** The state of a list of runs. */
interface RunListSearch {
  readonly sort?: string;
  readonly status?: RunStatus;
  /** How often older runs were asked for. */
  readonly page?: number;
}

/** The state of the list of all runs. */
export interface RunsSearch extends RunListSearch {
  readonly workflow?: string;
}

/** The state of the page of a workflow. */
export interface WorkflowSearch extends RunListSearch {
  /** The steps when absent. */
  readonly tab?: (typeof WORKFLOW_TABS)[number];
  /** The steps as a graph or as a list; by the width of the window when absent. */
  readonly view?: StepView;
  /** The id of the step whose details are shown. */
  readonly step?: string;
}

/** The state of the page of a run. */
interface RunSearch {
  /** The position of the step whose details are shown. */
  readonly step?: number;
}

const readPage = (value: unknown): number | undefined => readCount(value, 2);

const readRunListSearch = ({ status, page, sort }: Parameters): RunListSearch =>
  omitUndefined({
    status: readKnown(RUN_STATUSES, status),
    page: readPage(page),
    sort: readText(sort),
  });

export const readWorkflowSearch = (parameters: Parameters): WorkflowSearch => ({
  ...readRunListSearch(parameters),
  ...omitUndefined<WorkflowSearch>({
    tab: readKnown(WORKFLOW_TABS, parameters['tab']),
    view: readKnown(STEP_VIEWS, parameters['view']),
    step: readText(parameters['step']),
  }),
});

export const readRunsSearch = (parameters: Parameters): RunsSearch => ({
  ...readRunListSearch(parameters),
  ...omitUndefined<RunsSearch>({ workflow: readText(parameters['workflow']) }),
});

export const readRunSearch = ({ step }: Parameters): RunSearch =>
  omitUndefined({ step: readCount(step, 0) });

/** How the gateway reaches a new server. */
export const readNewServerSearch = ({ by }: Parameters): { by?: 'command' } =>
  by === 'command' ? { by } : {};

/** The filters of the events. */
export interface EventSearch extends TableState {
  /** Present when the events of the steps of workflows are listed. */
  readonly steps?: number;
  readonly resourceType?: string;
  readonly resourceName?: string;
  readonly eventType?: 'Normal' | 'Warning';
  readonly since?: string;
}

const EVENT_TYPES = ['Normal', 'Warning'] as const;

export const readEventSearch = (search: Parameters): EventSearch =>
  omitUndefined({
    ...readTable()(search),
    steps: readCount(search['steps'], 1),
    resourceType: readText(search['resourceType']),
    resourceName: readText(search['resourceName']),
    eventType: readKnown(EVENT_TYPES, search['eventType']),
    since: readText(search['since']),
  });

/** The periods of usage in hours. */
export const USAGE_HOURS = [1, 24, 168, 720] as const;

/** What usage is added up by. */
export const USAGE_HEADS = ['tool', 'toolset', 'user'] as const;

/** The page of usage. */
interface UsageSearch extends TableState {
  /** A day when absent. */
  readonly hours?: (typeof USAGE_HOURS)[number];
  /** By tool when absent. */
  readonly by?: (typeof USAGE_HEADS)[number];
}

export const readUsageSearch = (parameters: Parameters): UsageSearch =>
  omitUndefined<UsageSearch>({
    ...readTable()(parameters),
    hours: USAGE_HOURS.find((known) => known === parameters['hours']),
    by: readKnown(USAGE_HEADS, parameters['by']),
  });
