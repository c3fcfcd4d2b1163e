/** The states of a workflow for the person who reads it: `missing` lacks tools. */
export const WORKFLOW_STATES = ['available', 'missing', 'invalid'] as const;

/** The state of a workflow for the person who reads it. */
export type WorkflowState = (typeof WORKFLOW_STATES)[number];

/** The states of a run. @spec §2.7 */
export const RUN_STATUSES = ['inprogress', 'completed', 'failed'] as const;

/** The state of a run. @spec §2.7 */
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The parts of the page of a workflow besides its steps. */
export const WORKFLOW_TABS = ['run', 'runs', 'definition'] as const;

/** A part of the page of a workflow besides its steps. */
export type WorkflowTab = (typeof WORKFLOW_TABS)[number];

/** The views of the steps of a workflow. */
export const STEP_VIEWS = ['graph', 'list'] as const;

/** A view of the steps of a workflow. */
export type StepView = (typeof STEP_VIEWS)[number];

/** The state of the list of workflows in its address. */
export interface WorkflowsSearch {
  readonly query?: string;
  readonly state?: WorkflowState;
  readonly page?: number;
}

/** The state of a list of runs in its address. */
export interface RunListSearch {
  readonly status?: RunStatus;
  readonly page?: number;
}

/** The state of the list of all runs in its address. */
export interface RunsSearch extends RunListSearch {
  readonly workflow?: string;
}

/** The state of the page of a workflow in its address. */
export interface WorkflowSearch extends RunListSearch {
  /** The steps when absent. */
  readonly tab?: WorkflowTab;
  /** The steps as a graph or as a list; by the width of the window when absent. */
  readonly view?: StepView;
  /** The id of the step whose details are shown. */
  readonly step?: string;
}

/** The state of the page of a run in its address. */
export interface RunSearch {
  /** The position of the step whose details are shown. */
  readonly step?: number;
}

type Parameters = Record<string, unknown>;

/** The router reads a text such as `12` as a number. */
const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const countOf = (value: unknown, least: number): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined;

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((known) => known === value);

/** Leaves out what is not set. */
const given = <T extends object>(fields: { readonly [K in keyof T]?: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const pageOf = (value: unknown): number | undefined => countOf(value, 2);

const runListOf = ({ status, page }: Parameters): RunListSearch =>
  given({ status: oneOf(RUN_STATUSES, status), page: pageOf(page) });

/** Reads the state of the list of workflows; unknown parameters are left out. */
export const readWorkflowsSearch = ({ query, state, page }: Parameters): WorkflowsSearch =>
  given({ query: textOf(query), state: oneOf(WORKFLOW_STATES, state), page: pageOf(page) });

/** Reads the state of the page of a workflow; unknown parameters are left out. */
export const readWorkflowSearch = (parameters: Parameters): WorkflowSearch => ({
  ...runListOf(parameters),
  ...given<WorkflowSearch>({
    tab: oneOf(WORKFLOW_TABS, parameters['tab']),
    view: oneOf(STEP_VIEWS, parameters['view']),
    step: textOf(parameters['step']),
  }),
});

/** Reads the state of the list of all runs; unknown parameters are left out. */
export const readRunsSearch = (parameters: Parameters): RunsSearch => ({
  ...runListOf(parameters),
  ...given<RunsSearch>({ workflow: textOf(parameters['workflow']) }),
});

/** Reads the state of the page of a run; unknown parameters are left out. */
export const readRunSearch = ({ step }: Parameters): RunSearch => given({ step: countOf(step, 0) });
