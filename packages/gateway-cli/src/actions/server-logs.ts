import { toObject, type JsonObject } from '@gateway/call-contract';
import { MAX_LOG_LINES } from '@gateway/core-tools';
import { type CommandResult, escapeToJson, escapeToLine } from '@gateway/service-host';
import { setTimeout as pause } from 'node:timers/promises';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient } from '../client/gateway-client.ts';
import {
  callCoreTool,
  type ClientArguments,
  followGateway,
  withClient,
} from '../client/request-gateway.ts';
import { CommandFailure, TemporaryFailure } from '../failure.ts';
import { listEntries, formatField } from '../json-fields.ts';
import { createStyle, writeValue } from '../output.ts';

export interface LogsArguments extends ClientArguments {
  readonly lines: number;
  readonly follow?: boolean;
}

const toId = (line: JsonObject | undefined): number => Number(line?.['id'] ?? 0);

const isSameLine = (one: JsonObject, other: JsonObject): boolean =>
  formatField(one, 'timestamp') === formatField(other, 'timestamp') &&
  formatField(one, 'line') === formatField(other, 'line');

/** The position in the log of a server. The gateway numbers log lines from its start. */
class LogPosition {
  #last: JsonObject | undefined;

  /** Returns the new lines. @param lines the last lines of the server, oldest first */
  take(lines: readonly JsonObject[]): readonly JsonObject[] {
    if (this.#isRestarted(lines)) this.#last = undefined;
    const after = toId(this.#last);
    this.#last = lines.at(-1) ?? this.#last;
    return lines.filter((line) => toId(line) > after);
  }

  /** Returns whether the gateway was restarted: the last id is lower, or the line with the known id has changed. */
  #isRestarted(lines: readonly JsonObject[]): boolean {
    const last = this.#last;
    if (last === undefined) return false;
    if (toId(lines.at(-1)) < toId(last)) return true;
    const found = lines.find((line) => toId(line) === toId(last));
    return found !== undefined && !isSameLine(found, last);
  }
}

const FOLLOW_MS = 1_000;

/** Prints the last lines that a stdio server wrote to stderr, oldest first. With `--follow`, prints new lines until Ctrl+C. */
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
        : lines.map((line) => formatLogLine(line, io)).join(''),
    );
    return 'succeeded';
  });
}

const requestLines = async (
  gateway: GatewayClient,
  name: string,
  logLines: number,
): Promise<readonly JsonObject[]> => {
  const status = await callCoreTool(gateway, 'core_service_status', { name, logLines });
  const type = formatField(toObject(toObject(status)['metadata']), 'type');
  if (type !== '' && type !== 'stdio')
    throw new CommandFailure(
      'failed',
      `${escapeToLine(name)} is a remote server (${escapeToLine(type)}): the gateway does not start it, and cannot read its stderr`,
    );
  return listEntries(status, 'log');
};

const formatLogLine = (line: JsonObject, io: CliIo): string =>
  `${createStyle(io)('dim', escapeToLine(formatField(line, 'timestamp')))}  ${escapeToLine(formatField(line, 'line'))}\n`;

/** Prints new lines until Ctrl+C. Waits while the gateway is unreachable or the file of the server is invalid. */
async function followLines(name: string, args: LogsArguments, io: CliIo): Promise<CommandResult> {
  const position = new LogPosition();
  let isKnown = false;
  return followGateway({ ...args, io }, async ({ gateway, interrupted, onAnswer }) => {
    while (!interrupted.aborted) {
      const lines = isKnown
        ? await requestKnownLines(gateway, name)
        : await requestLines(gateway, name, args.lines);
      isKnown = true;
      onAnswer();
      for (const line of position.take(lines))
        io.stdout.write(
          args.output === 'json' ? `${escapeToJson(line)}\n` : formatLogLine(line, io),
        );
      await pause(FOLLOW_MS, undefined, { signal: interrupted }).catch(() => undefined);
    }
  });
}

/** Requests the lines of a server that existed before. @throws TemporaryFailure when it no longer exists */
async function requestKnownLines(
  gateway: GatewayClient,
  name: string,
): Promise<readonly JsonObject[]> {
  try {
    return await requestLines(gateway, name, MAX_LOG_LINES);
  } catch (error) {
    if (error instanceof TemporaryFailure || !(error instanceof CommandFailure)) throw error;
    const services = listEntries(await callCoreTool(gateway, 'core_service_list', {}), 'services');
    if (services.some((service) => formatField(service, 'name') === name)) throw error;
    throw new TemporaryFailure(error.message, {
      subject: `server "${name}" of the gateway at ${gateway.url.href}`,
      reason: 'the gateway has no valid definition of it',
    });
  }
}
