import { resolve } from 'node:path';
import process from 'node:process';
import type { ConfigDirectory } from '@gateway/repo-checks';

const SERVER = resolve(import.meta.dirname, '../fixtures/mcp-server.mjs');
const SAMPLES = resolve(import.meta.dirname, '../fixtures/samples-server.mjs');

const fixture = (tools: string, more: object = {}): object => ({
  type: 'stdio',
  command: process.execPath,
  args: [SERVER, tools],
  autoStart: true,
  ...more,
});

const group = (name: string) => ({ 'gateway.internal/tool-group': name });

/** The number of tools of the server `many`. */
export const MANY_TOOLS = 2000;

const writeServers = (config: ConfigDirectory): void => {
  const family = { family: { name: 'notes', instanceArg: 'account' } };
  config.server('hostile', fixture('hostile', { description: '<b>Hostile</b> & \u202Eelitsoh' }));
  config.server('notes-home', fixture('notes', family), group('infrastructure'));
  config.server('notes-work', fixture('notes', family), group('infrastructure'));
  config.server('everything', {
    type: 'stdio',
    command: 'mcp-server-everything',
    args: ['stdio'],
    autoStart: true,
    description: 'The test server of the protocol',
  });
  config.server('broken', {
    type: 'stdio',
    command: process.execPath,
    args: ['--eval', 'process.exit(3)'],
    autoStart: true,
    description: 'Ends as soon as it starts',
  });
  config.server('stopped', fixture('notes', { autoStart: false, toolPrefix: 'stopped' }));
};

const writeWorkflows = (config: ConfigDirectory): void => {
  config.workflow('remember', {
    description: 'Write a note, and list the notes that are there afterwards',
    args: { title: { type: 'string', required: true, description: 'Title of the note' } },
    steps: [
      {
        id: 'write',
        tool: 'x_notes_create_note',
        args: { account: 'notes-home', title: '{{ .input.title }}' },
        output: true,
      },
      {
        id: 'each',
        forEach: {
          items: '{{ list "notes-home" "notes-work" }}',
          as: 'account',
          steps: [
            { id: 'list', tool: 'x_notes_list_notes', args: { account: '{{ .vars.account }}' } },
          ],
        },
      },
    ],
  });
  config.workflow('fails', {
    description: '<img src=x onerror="globalThis.isHacked=true">',
    steps: [{ id: 'missing', tool: 'x_nothing_here', args: {} }],
  });
};

/** What a gateway of a test has besides the sample servers. */
export interface SampleOptions {
  /** Adds a server with {@link MANY_TOOLS} tools. */
  readonly hasManyTools?: boolean;
  /** Adds the server `samples`, whose tools answer with every kind of content, ask, wait and change. */
  readonly hasSamples?: boolean;
  /** Further servers by name. */
  readonly servers?: Readonly<Record<string, object>>;
  /** Further keys of the configuration of the gateway. */
  readonly settings?: object;
}

/** Writes servers, a family, workflows and presets, with hostile names and descriptions among them. */
export const writeSampleConfig = (
  config: ConfigDirectory,
  { hasManyTools = false, hasSamples = false, servers = {}, settings = {} }: SampleOptions,
): void => {
  writeServers(config);
  if (hasManyTools) config.server('many', fixture('many'));
  if (hasSamples)
    config.server('samples', {
      type: 'stdio',
      command: process.execPath,
      args: [SAMPLES],
      autoStart: true,
    });
  for (const [name, spec] of Object.entries(servers)) config.server(name, spec);
  writeWorkflows(config);
  config.config({
    ...settings,
    toolsetPresets: {
      notes: {
        description: 'Notes, without those that delete',
        include: [{ server: 'notes' }],
        exclude: [{ pattern: '*_delete_*' }],
      },
      strange: {
        description: '<script>globalThis.isHacked=true</script>',
        include: [{ server: 'hostile' }],
      },
      observe: { description: 'Everything that only reads', include: [{ readOnly: true }] },
    },
    workflows: { executionsDirectory: 'data/runs' },
  });
};
