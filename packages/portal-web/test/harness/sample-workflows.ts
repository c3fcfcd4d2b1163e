import { type ConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { parseWorkflowList } from '../../src/pages/workflows/workflow-facts.ts';
import { callGateway } from './core-tool.ts';
import { startPortal, type TestPortal } from './portal.ts';

const RTL = 'שלום ‮olleh‬ مرحبا';
const MARKUP = '<img src=x onerror="globalThis.isHacked=true">';

const list = (account: string): object => ({
  tool: 'x_notes_list_notes',
  args: { account },
});

/** The number of steps of the workflow `long`. */
const LONG_STEPS = 200;

/** A workflow with every kind of step. */
const everyKind = {
  description: 'Shows every kind of step',
  args: {
    title: { type: 'string', required: true, description: 'Title of the note' },
    twice: { type: 'boolean', default: false, description: 'Whether to write it twice' },
  },
  steps: [
    {
      id: 'write',
      tool: 'x_notes_create_note',
      description: 'Writes the note',
      args: { account: 'notes-home', title: '{{ .input.title }}' },
      output: true,
    },
    {
      id: 'again',
      tool: 'x_notes_create_note',
      condition: { template: '{{ .input.twice }}' },
      args: { account: 'notes-work', title: '{{ .input.title }}' },
      allowFailure: true,
    },
    {
      id: 'each',
      forEach: {
        items: '{{ list "notes-home" "notes-work" }}',
        as: 'account',
        steps: [{ id: 'list', ...list('{{ .vars.account }}') }],
      },
    },
    {
      id: 'both',
      condition: { fromStep: 'write', expect: { success: true } },
      parallel: [
        { id: 'home', ...list('notes-home') },
        { id: 'work', ...list('notes-work') },
      ],
    },
  ],
  onFailure: [
    { id: 'clean', tool: 'x_notes_delete_note', args: { account: 'notes-home', id: '1' } },
  ],
};

/** A workflow whose second step fails: the tool refuses its argument. */
const failing = {
  description: 'Fails in its second step',
  steps: [
    { id: 'first', ...list('notes-home') },
    { id: 'second', tool: 'x_everything_get-sum', args: { a: 'no number', b: 1 } },
    { id: 'third', ...list('notes-home') },
  ],
  onFailure: [{ id: 'clean', ...list('notes-work') }],
};

/** A workflow that runs until it is cancelled. */
const slow = {
  description: 'Runs for ten minutes',
  steps: [
    { id: 'first', ...list('notes-home') },
    {
      id: 'wait',
      tool: 'x_everything_trigger-long-running-operation',
      args: { duration: 600, steps: 600 },
    },
  ],
};

/** Names and texts that a page must show as text. */
const hostile = {
  description: `${MARKUP} ${RTL} ${'lorem ipsum '.repeat(70)}`,
  args: {
    ['__proto__']: { type: 'string', description: MARKUP },
    constructor: { type: 'string', description: RTL },
  },
  steps: [
    {
      id: '__proto__',
      description: MARKUP,
      tool: 'x_hostile___proto__',
      args: { ['__proto__']: MARKUP, text: 'x'.repeat(16 * 1024) },
      output: true,
    },
    {
      id: 'constructor',
      description: RTL,
      tool: 'x_hostile_rtl',
      condition: { template: `{{ eq "${'x'.repeat(2_000)}" "${RTL}" }}` },
    },
    { id: 'hasOwnProperty', tool: 'x_hostile_markup', args: { text: RTL } },
  ],
};

const long = {
  description: 'Has many steps',
  steps: Array.from({ length: LONG_STEPS }, (_, at) => ({
    id: `step-${at}`,
    ...list('notes-home'),
  })),
};

/** A gateway reads them while it runs. */
const writeSampleWorkflows = (config: ConfigDirectory): void => {
  config.workflow('every-kind', everyKind);
  config.workflow('failing', failing);
  config.workflow('slow', slow);
  config.workflow('hostile', hostile);
  config.workflow('long', long);
  config.workflow('invalid', { description: MARKUP, steps: [{ id: 'a b', tool: '' }] });
};

const NAMES = ['every-kind', 'failing', 'slow', 'hostile', 'long'];

/** Waits until the gateway has the sample workflows with all of their tools. */
const untilAvailable = (gatewayUrl: string): Promise<void> =>
  retryAssertion(async () => {
    const workflows = parseWorkflowList(await callGateway(gatewayUrl, 'core_workflow_list'));
    const available = new Set(
      workflows.filter(({ isAvailable }) => isAvailable).map(({ name }) => name),
    );
    const isComplete = workflows.some(({ isValid }) => !isValid);
    if (!isComplete || !NAMES.every((name) => available.has(name)))
      throw new Error(`the gateway has ${JSON.stringify(workflows)}`);
  });

/** Starts a portal whose gateway has workflows of every kind and state, with hostile ones among them. The caller closes it. */
export const startWorkflowPortal = async (): Promise<TestPortal> => {
  const portal = await startPortal();
  try {
    writeSampleWorkflows(portal.config);
    await untilAvailable(portal.gatewayUrl);
    return portal;
  } catch (error) {
    await portal.close();
    throw error;
  }
};
