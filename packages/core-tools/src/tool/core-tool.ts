import type { JsonObject } from '@gateway/call-contract';
import type { CoreToolEntry, ToolAnnotations } from '@gateway/catalog';
import { checkArguments, type ValuesOf } from '../arguments/arguments.ts';
import type { CoreArguments } from '../arguments/core-argument.ts';
import { inputSchemaOf } from '../arguments/input-schema.ts';
import type { CoreCallContext, CoreToolPorts } from './ports.ts';
import { failedResult } from './result.ts';
import type { WriteEffect } from './write-access.ts';

/** The source of one core tool. */
export interface CoreToolSource<A extends CoreArguments> {
  readonly name: `core_${string}`;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** The effect of a tool without `readOnlyHint: true`; the default is `gateway`. `own`: it changes only what belongs to the caller. */
  readonly writes?: WriteEffect | 'own';
  readonly arguments: A;
  readonly run: (
    args: ValuesOf<A>,
    ports: CoreToolPorts,
    context: CoreCallContext,
  ) => JsonObject | Promise<JsonObject>;
}

/** One core tool, which can be listed and called with unchecked arguments. */
export interface CoreTool {
  readonly entry: CoreToolEntry;
  /** Absent for a tool that only reads, or changes only what belongs to its caller. */
  readonly effect?: WriteEffect;
  readonly call: (
    given: unknown,
    ports: CoreToolPorts,
    context: CoreCallContext,
  ) => Promise<JsonObject>;
}

const effectOf = ({
  annotations,
  writes = 'gateway',
}: Pick<CoreToolSource<CoreArguments>, 'annotations' | 'writes'>): Pick<CoreTool, 'effect'> =>
  annotations.readOnlyHint === true || writes === 'own' ? {} : { effect: writes };

/** Returns a core tool; the schema and the checks of its arguments come from one table. */
export const defineCoreTool = <const A extends CoreArguments>(
  source: CoreToolSource<A>,
): CoreTool => ({
  entry: {
    name: source.name,
    description: source.description,
    inputSchema: inputSchemaOf(source.arguments),
    annotations: source.annotations,
  },
  ...effectOf(source),
  call: async (given, ports, context) => {
    const args = checkArguments(source.arguments, given);
    return args.ok ? source.run(args.values, ports, context) : failedResult(args.text);
  },
});
