import { type CommandResult, escapeToJson, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { createStyle } from '../output.ts';

export interface Check {
  readonly area: 'node' | 'configuration' | 'files' | 'port' | 'state' | 'cluster' | 'server';
  /** Stable identifier for programs. */
  readonly code: string;
  readonly subject?: string;
  /** `note`: a fact that may be intended, or that could not be checked. */
  readonly verdict: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** The next step; absent when there is nothing to do. */
  readonly remedy?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Returns a text with a full stop at its end. */
export const toSentence = (text: string): string => (/[.!?]$/u.test(text) ? text : `${text}.`);

type Details = Partial<Pick<Check, 'subject' | 'facts' | 'area'>>;

export const createClusterProblem = (
  code: string,
  message: string,
  remedy: string,
  details: Details = {},
): Check => ({
  area: 'cluster',
  code,
  verdict: 'problem',
  message: toSentence(message),
  remedy,
  ...details,
});

/** Returns a fact of a cluster that may be intended, or that could not be checked. */
export const createClusterNote = (code: string, message: string, remedy?: string): Check => ({
  area: 'cluster',
  code,
  verdict: 'note',
  message: toSentence(message),
  ...(remedy !== undefined && { remedy }),
});

const MAX_LISTED = 10;

/** Returns the first items of a list, and how many more there are. */
export const formatList = (items: readonly string[]): string =>
  items.length > MAX_LISTED
    ? `${items.slice(0, MAX_LISTED).join(', ')} and ${String(items.length - MAX_LISTED)} more`
    : items.join(', ');

export const formatNamespaceScope = (namespace: string | undefined): string =>
  namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;

const STYLES = { ok: 'green', note: 'yellow', problem: 'red' } as const;

const formatCheck = ({ area, subject, verdict, message, remedy }: Check, io: CliIo): string => {
  const about = subject === undefined ? area : `${area} ${subject}`;
  const text = escapeToLine(`${about}: ${message}`);
  const next = remedy === undefined ? '' : `\n         ${escapeToLine(remedy)}`;
  return `${createStyle(io)(STYLES[verdict], verdict.padEnd(7))}  ${text}${next}\n`;
};

interface ReportOptions {
  readonly output: 'text' | 'json';
  /** The result when there are problems. With `refused`, each problem is one line on stderr. */
  readonly onProblem: 'failed' | 'refused';
  readonly io: CliIo;
}

/**
 * Writes each check as it completes, then the number of problems. JSON output is one document.
 *
 * @param checks may return a result, which ends the report without a verdict
 */
export async function reportChecks(
  checks: AsyncGenerator<Check, CommandResult | undefined>,
  { output, onProblem, io }: ReportOptions,
): Promise<CommandResult> {
  const done: Check[] = [];
  let next = await checks.next();
  for (; next.done !== true; next = await checks.next()) {
    const check = next.value;
    done.push(check);
    if (output === 'json') continue;
    if (check.verdict === 'problem' && onProblem === 'refused')
      io.stderr.write(`${escapeToLine(check.message)}\n`);
    else io.stdout.write(formatCheck(check, io));
  }
  if (next.value !== undefined) return next.value;
  const count = done.filter(({ verdict }) => verdict === 'problem').length;
  if (output === 'json')
    io.stdout.write(`${escapeToJson({ healthy: count === 0, checks: done }, 2)}\n`);
  else {
    const style = createStyle(io);
    const problems = count === 1 ? '1 problem' : `${String(count)} problems`;
    io.stdout.write(`${count === 0 ? style('green', 'no problems') : style('red', problems)}\n`);
  }
  return count === 0 ? 'succeeded' : onProblem;
}
