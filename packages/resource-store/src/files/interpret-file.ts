import { setImmediate as otherWork } from 'node:timers/promises';
import { MAX_ISSUES, type McpServer, parseMcpServer, formatError } from '@gateway/crd-schemas';
import {
  type DocumentPath,
  type FileTimes,
  type ParsedYaml,
  parseYaml,
  type Position,
  type YamlAnswer,
} from '@gateway/files';
import type { NamedFile } from './scan-directory.ts';
import {
  interpretParsedWorkflow,
  validateResourceName,
  createInvalidWorkflow,
} from '../interpretation/interpret-resources.ts';
import type {
  ConfigDocument,
  InvalidWorkflow,
  ResourceProblem,
  ValidWorkflow,
  WorkflowResource,
} from '../port/resources.ts';

/** The size from which a file is parsed in another process, in characters. Parsing a smaller text takes a few milliseconds. */
const MIN_LARGE_CHARS = 4_096;
/** The time for which files are validated without a pause for other work, in milliseconds. */
const MAX_BUSY_MS = 10;

/** The result of reading and validating a file. */
export type FileOutcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'config'; readonly config: ConfigDocument; readonly text: string }
  | { readonly kind: 'server'; readonly server: McpServer }
  | { readonly kind: 'workflow'; readonly workflow: ValidWorkflow }
  | {
      readonly kind: 'problems';
      readonly problems: readonly ResourceProblem[];
      /** The parts of an invalid workflow that can be shown. */
      readonly workflow?: InvalidWorkflow;
    };

/** The outcome of a file that does not exist. */
export const ABSENT: FileOutcome = { kind: 'absent' };

/** Returns whether the file is valid. */
export const isGood = ({ kind }: FileOutcome): boolean => kind !== 'absent' && kind !== 'problems';

/** Returns the workflow of a file, valid or not. */
export const findWorkflow = (outcome: FileOutcome): WorkflowResource | undefined =>
  outcome.kind === 'workflow' || outcome.kind === 'problems' ? outcome.workflow : undefined;

/** Returns whether two versions of a file have the same content, so that the older object may stay in use. */
export const isSameContent = (a: FileOutcome, b: FileOutcome): boolean => {
  if (a.kind === 'config' && b.kind === 'config') return a.text === b.text;
  if (a.kind === 'workflow' && b.kind === 'workflow') return a.workflow.text === b.workflow.text;
  if (a.kind === 'server' && b.kind === 'server') {
    return JSON.stringify(a.server) === JSON.stringify(b.server);
  }
  return a.kind === 'absent' && b.kind === 'absent';
};

type Readable = Extract<ParsedYaml, { ok: true }>;

/** Returns a problem of the whole file, or of a position in it. */
const createProblem = (
  { file, role }: NamedFile,
  message: string,
  position: { readonly line?: number; readonly column?: number } = {},
): ResourceProblem => ({
  source: file,
  ...(position.line === undefined ? {} : { line: position.line }),
  ...(position.column === undefined ? {} : { column: position.column }),
  kind: role.kind,
  ...(role.kind === 'Configuration' ? {} : { name: role.name }),
  message,
});

const interpretServer = (
  named: NamedFile,
  name: string,
  { value, locate }: Readable,
  apiGroup: string | undefined,
): FileOutcome => {
  if (value === null)
    return { kind: 'problems', problems: [createProblem(named, 'the file is empty')] };
  const parsed = parseMcpServer(value, {
    hasPlaceholders: true,
    apiGroup,
  });
  const issues = [...validateResourceName(value, name), ...(parsed.ok ? [] : parsed.error)];
  if (parsed.ok && issues.length === 0) return { kind: 'server', server: parsed.value };
  const problems = issues
    .slice(0, MAX_ISSUES)
    .map((issue) => createProblem(named, formatError(issue), locate(issue.path)));
  return { kind: 'problems', problems };
};

const toWorkflowOutcome = (workflow: WorkflowResource): FileOutcome =>
  workflow.valid
    ? { kind: 'workflow', workflow }
    : { kind: 'problems', problems: workflow.problems, workflow };

export interface FileText {
  readonly text: string;
  readonly times: FileTimes;
}

/** Validates the parsed text of a file. Pure; never throws. @spec §1.5 */
const interpretParsed = (
  named: NamedFile,
  { text, times }: FileText,
  parsed: ParsedYaml,
  apiGroup?: string,
): FileOutcome => {
  const { role, file } = named;
  if (role.kind === 'Workflow') {
    const workflow = { name: role.name, file, text, times };
    return toWorkflowOutcome(interpretParsedWorkflow(workflow, parsed, apiGroup));
  }
  if (!parsed.ok) {
    const problems = parsed.problems.map(({ message, ...position }) =>
      createProblem(named, message, position),
    );
    return { kind: 'problems', problems };
  }
  if (role.kind === 'MCPServer') return interpretServer(named, role.name, parsed, apiGroup);
  const { value, locate } = parsed;
  return { kind: 'config', text, config: { source: file, value: value ?? {}, locate } };
};

/** Parses and validates the text of a file. Pure; never throws. @spec §1.5 */
const interpretFile = (named: NamedFile, file: FileText, apiGroup?: string): FileOutcome =>
  interpretParsed(named, file, parseYaml(file.text), apiGroup);

const UNKNOWN: FileTimes = { createdAt: 0, modifiedAt: 0 };

/** Returns the outcome of a file that cannot be read. */
export const refuseFile = (
  named: NamedFile,
  message: string,
  { createdAt, modifiedAt }: FileTimes = UNKNOWN,
): FileOutcome => {
  const { role, file } = named;
  return role.kind === 'Workflow'
    ? toWorkflowOutcome(
        createInvalidWorkflow(
          { name: role.name, file, text: '', times: { createdAt, modifiedAt } },
          message,
        ),
      )
    : { kind: 'problems', problems: [createProblem(named, message)] };
};

/** Parses a text in another process, and finds the positions of paths in it. Never rejects. */
export type ExternalYamlParser = (
  text: string,
  paths?: readonly DocumentPath[],
) => Promise<YamlAnswer>;

const START: Position = { line: 1, column: 1 };

const addLocator = (answer: YamlAnswer, locate: (path: DocumentPath) => Position): ParsedYaml =>
  answer.ok ? { ok: true, value: answer.value, locate } : answer;

/** Returns positions that are found when the first one is needed, after the file was read: those of the configuration. */
const createLazyLocator = (text: string): ((path: DocumentPath) => Position) => {
  let parsed: ParsedYaml | undefined;
  return (path) => {
    parsed ??= parseYaml(text);
    return parsed.ok ? parsed.locate(path) : START;
  };
};

/**
 * Parses and validates files one after the other, with pauses for other work. A large text is parsed elsewhere, if there is such a place;
 * it is parsed again for the positions of its problems.
 */
export class FileInterpreter {
  readonly #apiGroup: string | undefined;
  readonly #parse: ExternalYamlParser | undefined;
  #busySince = 0;

  constructor(apiGroup: string | undefined, parse: ExternalYamlParser | undefined) {
    this.#apiGroup = apiGroup;
    this.#parse = parse;
  }

  /** Returns the outcome of a file. Never rejects. */
  async interpret(named: NamedFile, file: FileText): Promise<FileOutcome> {
    const parse = this.#parse;
    if (parse === undefined || file.text.length < MIN_LARGE_CHARS) {
      await this.#pause();
      return interpretFile(named, file, this.#apiGroup);
    }
    const answer = await parse(file.text);
    this.#busySince = 0;
    if (named.role.kind === 'Configuration')
      return this.#interpret(named, file, addLocator(answer, createLazyLocator(file.text)));
    const paths: DocumentPath[] = [];
    const outcome = this.#interpret(
      named,
      file,
      addLocator(answer, (path) => {
        paths.push(path);
        return START;
      }),
    );
    if (paths.length === 0) return outcome;
    const located = await parse(file.text, paths);
    const positions = located.ok ? located.positions : [];
    let next = 0;
    return this.#interpret(
      named,
      file,
      addLocator(located, () => positions[next++] ?? START),
    );
  }

  #interpret(named: NamedFile, file: FileText, parsed: ParsedYaml): FileOutcome {
    return interpretParsed(named, file, parsed, this.#apiGroup);
  }

  /** Lets other work run when files were interpreted for a while. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#busySince < MAX_BUSY_MS) return;
    await otherWork();
    this.#busySince = performance.now();
  }
}
