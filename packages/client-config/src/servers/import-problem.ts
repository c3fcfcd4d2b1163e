import { formatRisk, type ServerRisk } from './server-risks.ts';

export type ImportRefusal =
  | { readonly code: 'too-large'; readonly max: number }
  | { readonly code: 'not-readable'; readonly format: 'JSON' | 'TOML'; readonly place?: string }
  | { readonly code: 'no-servers' }
  | { readonly code: 'too-many'; readonly count: number; readonly max: number };

export type ServerProblem =
  | { readonly code: 'not-an-object' }
  | { readonly code: 'repeated-name' }
  | { readonly code: 'no-address' }
  | { readonly code: 'two-addresses' }
  | { readonly code: 'unknown-type'; readonly type: string }
  | { readonly code: 'credentials' }
  | { readonly code: 'wrong-name'; readonly field: string; readonly name: string }
  | ServerRisk
  | { readonly code: 'wrong-value'; readonly field: string; readonly rule: string }
  | { readonly code: 'command-line'; readonly command: string }
  | { readonly code: 'placeholder'; readonly field: string; readonly placeholder: string }
  | { readonly code: 'file'; readonly field: string; readonly placeholder: string };

export type ServerNote =
  | { readonly code: 'renamed'; readonly from: string }
  | { readonly code: 'split-command'; readonly command: string; readonly program: string }
  | { readonly code: 'disabled' }
  | { readonly code: 'not-started' }
  | { readonly code: 'input'; readonly input: string; readonly path: string }
  | { readonly code: 'variable'; readonly variable: string }
  | { readonly code: 'left-out'; readonly keys: readonly string[] };

const MAX_QUOTED = 120;

const quoteText = (text: string): string =>
  `"${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}"`;

export const formatImportRefusal = (refusal: ImportRefusal): string => {
  switch (refusal.code) {
    case 'too-large':
      return `The text has more than ${refusal.max.toLocaleString('en')} characters.`;
    case 'not-readable':
      return `The text is not ${refusal.format}${refusal.place === undefined ? '' : ` (${refusal.place})`}.`;
    case 'no-servers':
      return 'The text has no servers: an object "mcpServers", "servers", "context_servers" or "mcp_servers" with at least one server is required.';
    case 'too-many':
      return `The text has ${refusal.count} servers; at most ${refusal.max} are imported at once.`;
  }
};

const TEXTS: {
  readonly [Code in ServerProblem['code']]: (
    problem: Extract<ServerProblem, { code: Code }>,
  ) => string;
} = {
  'not-an-object': () => 'The definition is not an object.',
  'repeated-name': () => 'The text has more than one server of this name.',
  'no-address': () => 'It has neither "command" nor "url".',
  'two-addresses': () => 'It has both a "command" and a "url".',
  'unknown-type': (problem) =>
    `Its type ${quoteText(problem.type)} is none of stdio, streamable-http and sse.`,
  credentials: () =>
    'Its address contains a user or a password: remove them, and give the credentials as a header.',
  'wrong-name': (problem) =>
    `The name ${quoteText(problem.name)} in its ${quoteText(problem.field)} is not a name of a ${problem.field === 'env' ? 'variable' : 'header'}.`,
  risk: (problem) => `${formatRisk(problem)}.`,
  'wrong-value': (problem) => `Its ${quoteText(problem.field)} must be ${problem.rule}.`,
  'command-line': (problem) =>
    `Its command ${quoteText(problem.command)} is a command line: write the program in "command" and each argument in "args".`,
  placeholder: (problem) =>
    `The value of ${quoteText(problem.field)} is the placeholder ${quoteText(problem.placeholder)} of another program: write the value, or use a Secret.`,
  file: (problem) =>
    `The value of ${quoteText(problem.field)} has the placeholder ${quoteText(problem.placeholder)}: an import names only files in secrets/ with the name of its server.`,
};

export const formatServerProblem = (problem: ServerProblem): string =>
  (TEXTS[problem.code] as (problem: ServerProblem) => string)(problem);

export const formatServerNote = (note: ServerNote): string => {
  switch (note.code) {
    case 'renamed':
      return `The file names it ${quoteText(note.from)}; names of servers have small letters, digits and hyphens.`;
    case 'split-command':
      return `The command line ${quoteText(note.command)} becomes the command ${quoteText(note.program)} and its arguments.`;
    case 'disabled':
      return 'It is disabled in the file, and is created without being started.';
    case 'not-started':
      return 'It is created without being started, because values of this machine would be sent to its URL: check the URL, then set "autoStart" to true.';
    case 'input':
      return `Its client asks for the value of ${quoteText(note.input)}: write it to ${note.path}, with mode 0600.`;
    case 'variable':
      return `The gateway needs the environment variable ${quoteText(note.variable)}.`;
    case 'left-out':
      return `Left out, because the gateway has no such field: ${note.keys.map(quoteText).join(', ')}.`;
  }
};
