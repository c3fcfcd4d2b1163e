import { type CommandResult, escapeToLines } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import type { GatewayClient, ToolResult } from '../client/gateway-client.ts';
import type { CallArguments } from '../arguments/client-arguments.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf } from '../output/json-fields.ts';
import { progressLine } from '../output/progress-line.ts';
import { resultText } from '../output/result-lines.ts';
import { writeValue } from '../output/write-value.ts';
import { askedValue, connected } from './connected.ts';
import { readPairs, readWhole } from './tool-arguments.ts';

/** A tool and its arguments on the command line. */
export interface NamedCall {
  readonly tool: string;
  /** `key=value` each. */
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
  const whole = args.json === undefined ? undefined : await readWhole(args.json, io);
  const result = await connected(args, async (gateway) => {
    const given = whole ?? (await pairedArguments(gateway, tool, pairs));
    return called(gateway, { tool, given, timeoutSeconds: args.timeout }, io);
  });
  if (args.output === 'text' && result.isError === true) {
    io.stderr.write(`${escapeToLines(resultText(result)).trimEnd()}\n`);
    return 'failed';
  }
  writeValue(io, args.output, result, () => {
    const text = resultText(result);
    return io.stdout.isTerminal ? escapeToLines(text) : text;
  });
  return result.isError === true ? 'failed' : 'succeeded';
}

/** Parses values by the schema of the tool, so that `id=007` stays a text where the schema has a string. */
async function pairedArguments(
  gateway: GatewayClient,
  tool: string,
  pairs: readonly string[],
): Promise<object> {
  if (pairs.length === 0) return {};
  const described = fieldsOf(await askedValue(gateway, 'describe_tool', { name: tool }));
  return readPairs(pairs, fieldsOf(described['inputSchema']));
}

interface Call {
  readonly tool: string;
  readonly given: object;
  readonly timeoutSeconds: number;
}

async function called(
  gateway: GatewayClient,
  { tool, given, timeoutSeconds }: Call,
  io: CliIo,
): Promise<ToolResult> {
  const progress = progressLine(io);
  try {
    const call = { name: tool, arguments: given };
    const options = { timeoutSeconds, signal: io.interrupted(), onProgress: progress.report };
    return await gateway.ask('call_tool', call, options);
  } finally {
    progress.end();
  }
}
