import { RISKS } from '@gateway/client-config';
import {
  CORE_TOOL_WRITES,
  DEFAULT_ENDPOINT,
  DEFAULT_HEALTH_PORT,
  EXPOSE,
  MAX_PORT,
} from '@gateway/gateway-config';
import { type CommandResult, LOG_FORMATS, LOG_LEVELS } from '@gateway/service-host';
import { type Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { CliIo } from '../cli-io.ts';
import type { CommandContext } from '../command-context.ts';
import { type CompletedNames, completedNames } from '../completion/command-tree.ts';

/** A command or a group of commands. Parsing, help, completion and the command reference follow from it. */
export interface CommandDeclaration {
  /** The word of the command and its plain arguments, two spaces, and what it does: `call <name>  call a tool`. */
  readonly usage: string;
  readonly isHidden?: true;
  readonly operands?: readonly Argument[];
  readonly options?: readonly (Option | string)[];
  readonly names?: CompletedNames;
  /** Receives the arguments, the options and the command. */
  readonly run?: (...given: never[]) => CommandResult | Promise<CommandResult>;
  readonly commands?: readonly CommandDeclaration[];
}

const splitUsage = (usage: string): readonly [syntax: string, description: string] => {
  const [syntax = '', description = ''] = usage.split('  ', 2);
  return [syntax, description];
};

/** Creates an option. @param usage its flags, two spaces, and its description */
export const createOption = (usage: string): Option => new Option(...splitUsage(usage));

export function declareCommands(
  parent: Command,
  context: Pick<CommandContext, 'end'>,
  declarations: readonly CommandDeclaration[],
): void {
  for (const { usage, isHidden = false, run, names, ...rest } of declarations) {
    const [syntax, description] = splitUsage(usage);
    const command = parent.command(syntax, { hidden: isHidden }).description(description);
    for (const operand of rest.operands ?? []) command.addArgument(operand);
    for (const one of rest.options ?? [])
      command.addOption(typeof one === 'string' ? createOption(one) : one);
    if (names !== undefined) completedNames.set(command, names);
    declareCommands(command, context, rest.commands ?? []);
    if (run !== undefined)
      command.action(async (...given: unknown[]) => {
        context.end(await run(...(given as never[])));
      });
  }
}

type Action = (...given: never[]) => CommandResult | Promise<CommandResult>;

/** Returns a function that makes a `run`: it loads a module and passes the arguments, the options and `io` to one of its functions. */
export const createActionLoader =
  (io: CliIo) =>
  <M>(load: () => Promise<M>, pick: (module: M) => Action) =>
  async (...given: unknown[]): Promise<CommandResult> => {
    const passed = [...given.slice(0, -1), io] as never[];
    return pick(await load())(...passed);
  };

/** The highest value of `--timeout`: one week. */
const MAX_TIMEOUT_SECONDS = 604_800;

const createNumberParser =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,6}$/u.test(text) || value < min || value > max)
      throw new InvalidArgumentError(
        `It must be a whole number from ${min.toString()} to ${max.toString()}.`,
      );
    return value;
  };

export const portNumber = createNumberParser(0, MAX_PORT);

export const createConfigDirOption = (more = ''): Option =>
  createOption(`--config-dir <dir>  directory with config.yaml, mcpservers/ and workflows/${more}`);

export const createMandatoryConfigDir = (): Option => createConfigDirOption().makeOptionMandatory();

export const allowOption = (): Option =>
  createOption(
    '--allow <risks...>  accept parts of an entry that could take over this machine or its secrets',
  ).choices(RISKS);

export const startOption = (): Option =>
  createOption('--start  let the gateway start it (default: autoStart: false)');

export const writeOption = (): Option =>
  createOption('--write  write the files; without it the command shows what it would write');

export const createExposeOption = (): Option =>
  createOption("--expose <what>  the meta-tools, or the servers' own tools, resources and prompts")
    .choices(EXPOSE)
    .default('meta');

export const createWritesOption = (): Option =>
  createOption(
    '--core-tool-writes <what>  permitted core tools that write (default: coreTools.writes of config.yaml; all on a loopback address, over stdio and with sign-in, otherwise none)',
  ).choices(CORE_TOOL_WRITES);

export const createHealthOptions = (): readonly (Option | string)[] => [
  createOption(
    `--health-port <port>  further port for /healthz, /readyz and /metrics (default: health.port of config.yaml, ${DEFAULT_HEALTH_PORT.toString()} if it is free)`,
  ).argParser(portNumber),
  '--no-health-listener  serve /healthz, /readyz and /metrics on the main port only',
];

export const createPortalOptions = (): readonly (Option | string)[] => [
  createOption(
    '--portal [port]  also serve the portal on the loopback address (default port: 8070), for gateways without sign-in',
  )
    .preset('8070')
    .argParser(portNumber),
  '--agent-manager <url>  agent-manager, for the pages of agents of the portal',
];

export const logOptions = (): readonly Option[] => [
  createOption('--log-format <format>  JSON lines, or text for people')
    .choices(LOG_FORMATS)
    .default('json'),
  createOption('--log-level <level>  least severe level that is logged')
    .choices(LOG_LEVELS)
    .default('info'),
];

export const createOutputOption = (): Option =>
  createOption('--output <format>  format of the result, text for people or JSON for programs')
    .choices(['text', 'json'])
    .default('text');

export const createUrlOption = (): Option =>
  createOption('--url <url>  the endpoint of the gateway')
    .env('GATEWAY_URL')
    .default(DEFAULT_ENDPOINT);

export const createToolsetOption = (): Option =>
  createOption(
    '--toolset <selectors>  sent as the header X-Gateway-Toolset, for example preset:read-only',
  );

export const watchOption = (): Option =>
  createOption('--watch  show the table again when it changes, until Ctrl+C');

export const createTimeoutOption = (fallback: number): Option =>
  createOption('--timeout <seconds>  time limit for the answer; progress restarts it')
    .argParser(createNumberParser(1, MAX_TIMEOUT_SECONDS))
    .default(fallback);

/** @param flag such as `--limit` */
export const countOption = (flag: string, description: string, max: number): Option =>
  createOption(`${flag} <count>  ${description}`).argParser(createNumberParser(1, max));
