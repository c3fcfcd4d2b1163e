import { type CommandResult, escapeToLines } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient, ToolResult } from '../client/gateway-client.ts';
import type { CallArguments } from '../arguments/client-arguments.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf } from '../output/json-fields.ts';
import { progressLine } from '../output/progress-line.ts';
import { resultText } from '../output/result-lines.ts';
import { writeValue } from '../output/write-value.ts';
import { callMetaTool, withClient } from './request-gateway.ts';
import { suggestionFor, withSuggestion } from './with-suggestion.ts';
import { parsePairs, readJsonArgument } from './tool-arguments.ts';

/** A tool and its arguments on the command line. */
export interface NamedCall {
  readonly tool: string;
  /** Each has the form `key=value`. */
  readonly pairs: readonly string[];
}

/** Calls a tool and prints its result. The command fails when the tool does. */
export async function callTool(
  { tool, pairs }: NamedCall,
  args: CallArguments,
  io: CliIo,
): Promise<CommandResult> {
  if (args.json !== undefined && pairs.length > 0)
    throw new CommandFailure('refused', 'give the arguments either as key=value or by --json');
  const jsonArguments = args.json === undefined ? undefined : await readJsonArgument(args.json, io);
  const named = { kind: 'tools', name: tool } as const;
  const result = await withSuggestion(named, { place: args, io }, () =>
    withClient({ ...args, io }, async (gateway) => {
      const given = jsonArguments ?? (await parsePairsBySchema(gateway, tool, pairs));
      return callWithProgress(gateway, { tool, given, timeoutSeconds: args.timeout }, io);
    }),
  );
  if (args.output === 'text' && result.isError === true) {
    const text = escapeToLines(resultText(result)).trimEnd();
    io.stderr.write(`${text}${await suggestionFor(text, named, { place: args, io })}\n`);
    return 'failed';
  }
  writeValue(io, args.output, result, () => {
    const text = resultText(result);
    return io.stdout.isTerminal ? escapeToLines(text) : text;
  });
  return result.isError === true ? 'failed' : 'succeeded';
}

/** Parses values by the schema of the tool, so that `id=007` stays a text where the schema has a string. */
async function parsePairsBySchema(
  gateway: GatewayClient,
  tool: string,
  pairs: readonly string[],
): Promise<object> {
  if (pairs.length === 0) return {};
  const described = fieldsOf(await callMetaTool(gateway, 'describe_tool', { name: tool }));
  return parsePairs(pairs, fieldsOf(described['inputSchema']));
}

interface Call {
  readonly tool: string;
  readonly given: object;
  readonly timeoutSeconds: number;
}

async function callWithProgress(
  gateway: GatewayClient,
  { tool, given, timeoutSeconds }: Call,
  io: CliIo,
): Promise<ToolResult> {
  const progress = progressLine(io);
  try {
    const call = { name: tool, arguments: given };
    const options = { timeoutSeconds, signal: io.interrupted(), onProgress: progress.report };
    return await gateway.call('call_tool', call, options);
  } finally {
    progress.end();
  }
}
