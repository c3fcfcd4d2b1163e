import { MAX_LOG_LINES } from '@gateway/core-tools';
import { setTimeout as pause } from 'node:timers/promises';
import { escapeToJson, escapeToLine, type CommandResult } from '@gateway/service-host';
import type { LogsArguments } from '../arguments/logs-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure, TemporaryFailure } from '../failure.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import { valueOf } from '../client/result-text.ts';
import { entriesOf, fieldsOf, fieldText, type Fields } from '../output/json-fields.ts';
import { styleOf } from '../output/style.ts';
import { UnprintedLines } from '../output/unprinted-lines.ts';
import { writeValue } from '../output/write-value.ts';
import { followGateway } from './follow-gateway.ts';
import { callCoreTool, withClient } from './request-gateway.ts';

/** Interval between requests for new lines, in milliseconds. */
const FOLLOW_MS = 1_000;

/** Prints the last lines that a stdio server wrote to stderr, oldest first. With `--follow`, also new ones until Ctrl+C. */
export async function showServerLogs(
  name: string,
  args: LogsArguments,
  io: CliIo,
): Promise<CommandResult> {
  if (args.follow === true) return followLines(name, args, io);
  return withClient({ ...args, io }, async (gateway): Promise<CommandResult> => {
    const lines = await requestLines(gateway, name, args.lines);
    writeValue(io, args.output, lines, () =>
      lines.length === 0
        ? 'no lines: the server has written nothing to stderr since the gateway started\n'
        : lines.map((line) => lineText(line, io)).join(''),
    );
    return 'succeeded';
  });
}

const requestLines = async (
  gateway: GatewayClient,
  name: string,
  logLines: number,
): Promise<readonly Fields[]> => {
  const status = valueOf(await callCoreTool(gateway, 'core_service_status', { name, logLines }));
  const type = fieldText(fieldsOf(fieldsOf(status)['metadata']), 'type');
  if (type !== '' && type !== 'stdio')
    throw new CommandFailure(
      'failed',
      `${escapeToLine(name)} is a remote server (${escapeToLine(type)}): the gateway does not start it, and cannot read its stderr`,
    );
  return entriesOf(status, 'log');
};

const lineText = (line: Fields, { stdout, env }: CliIo): string =>
  `${styleOf(stdout, env)('dim', escapeToLine(fieldText(line, 'timestamp')))}  ${escapeToLine(fieldText(line, 'line'))}\n`;

/** Prints new lines until Ctrl+C. Waits for a gateway, or for a server of a file that is invalid for a while. */
async function followLines(name: string, args: LogsArguments, io: CliIo): Promise<CommandResult> {
  const unprinted = new UnprintedLines();
  let isKnown = false;
  return followGateway({ ...args, io }, async ({ gateway, interrupted, onAnswer }) => {
    while (!interrupted.aborted) {
      const lines = isKnown
        ? await requestKnown(gateway, name)
        : await requestLines(gateway, name, args.lines);
      isKnown = true;
      onAnswer();
      for (const line of unprinted.take(lines))
        io.stdout.write(args.output === 'json' ? `${escapeToJson(line)}\n` : lineText(line, io));
      await pause(FOLLOW_MS, undefined, { signal: interrupted }).catch(() => undefined);
    }
  });
}

/** Requests the lines of a server that was there before. @throws TemporaryFailure when it is not there now */
async function requestKnown(gateway: GatewayClient, name: string): Promise<readonly Fields[]> {
  try {
    return await requestLines(gateway, name, MAX_LOG_LINES);
  } catch (error) {
    if (error instanceof TemporaryFailure || !(error instanceof CommandFailure)) throw error;
    const services = entriesOf(
      valueOf(await callCoreTool(gateway, 'core_service_list', {})),
      'services',
    );
    if (services.some((service) => fieldText(service, 'name') === name)) throw error;
    throw new TemporaryFailure(error.message, {
      subject: `server "${name}" of the gateway at ${gateway.url.href}`,
      reason: 'the gateway has no valid definition of it',
    });
  }
}
