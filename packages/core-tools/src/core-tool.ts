import type { JsonObject } from '@gateway/call-contract';
import type { CoreToolEntry, ToolAnnotations } from '@gateway/catalog';
import {
  checkArguments,
  type CoreArguments,
  createInputSchema,
  type CoreArgumentValues,
} from './arguments.ts';
import type { CoreCallContext, CoreToolPorts, WriteEffect } from './ports.ts';

/** Compares names by code units, independent of the locale. */
export const compareNames = (
  left: { readonly name: string },
  right: { readonly name: string },
): number => {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
};

/** Returns a time in milliseconds since the epoch as RFC 3339 text in UTC. */
export const formatUtcTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Returns a result with an object, as compact JSON text and as structured content. */
export const createObjectResult = (value: JsonObject): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** Returns a result with a list, as compact JSON text, and as structured content under `name` with additional facts. */
export const createArrayResult = (
  name: string,
  items: readonly JsonObject[],
  facts: JsonObject = {},
): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(items) }],
  structuredContent: { [name]: items, ...facts },
});

/** Returns a result with one sentence, and as structured content with `message` and additional facts. */
export const createSentenceResult = (text: string, facts: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent: { message: text, ...facts },
});

/** Returns a failed result with one sentence, and as structured content with `error` and additional facts. */
export const createErrorResult = (text: string, facts: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text }],
  structuredContent: { error: text, ...facts },
  isError: true,
});

/** Annotations of a tool that reads the gateway's own state. @spec §2.3 read-only */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of a tool that sends read-only requests to other systems. */
export const ASKS_OUTSIDE: ToolAnnotations = { ...READS, openWorldHint: true };

/** Annotations of a tool that adds data, or ends what only the caller owns; repetition has no further effect. */
export const STARTS: ToolAnnotations = { ...READS, readOnlyHint: false };

/** Annotations of a tool that removes or replaces data; repetition has no further effect. */
export const ENDS_OR_REPLACES: ToolAnnotations = { ...STARTS, destructiveHint: true };

/** Annotations of a tool that interrupts or removes permanently; repetition has a further effect or is refused. */
export const DISRUPTS: ToolAnnotations = { ...ENDS_OR_REPLACES, idempotentHint: false };

/** Annotations of a tool that adds data each time, or is refused. */
export const CREATES: ToolAnnotations = { ...STARTS, idempotentHint: false };

export interface CoreToolSource<A extends CoreArguments> {
  readonly name: `core_${string}`;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** The effect of a tool without `readOnlyHint: true`; the default is `gateway`. `own`: it changes only what belongs to the caller. */
  readonly writes?: WriteEffect | 'own';
  readonly arguments: A;
  readonly run: (
    args: CoreArgumentValues<A>,
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

const resolveEffect = ({
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
    inputSchema: createInputSchema(source.arguments),
    annotations: source.annotations,
  },
  ...resolveEffect(source),
  call: async (given, ports, context) => {
    const args = checkArguments(source.arguments, given);
    return args.ok ? source.run(args.values, ports, context) : createErrorResult(args.text);
  },
});
