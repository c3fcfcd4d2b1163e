import type { z } from 'zod';
import type { RefusalCode } from '../refusals/refusal.ts';

/** MCP tool annotations. All are set: clients assume the worst for an absent hint. */
export interface OperationHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * One operation of agent-manager: a tool for MCP callers and a route for everybody else, with the same arguments, the same
 * results and the same refusals.
 *
 * @spec §4.4
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Route extends `/api/v1/${string}` = `/api/v1/${string}`,
> {
  /** For people: `Create an agent`. */
  readonly title: string;
  /** For models: the effect of the operation, and `WRITES` or `Read-only`. */
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the server's root; arguments in braces. */
  readonly route: Route;
  /** All arguments side by side, as an MCP caller gives them. Strict: unknown names are refused. */
  readonly input: Input;
  /** Arguments that REST takes from the query. Those in braces come from the path, all others from the body. */
  readonly query: readonly (keyof z.output<Input> & string)[];
  readonly output: Output;
  /** Status of the answer over REST. */
  readonly status: 200 | 201;
  readonly hints: OperationHints;
  /** The codes it may be refused with. */
  readonly refusals: readonly RefusalCode[];
}

/** Spells an operation out, keeping the types of its schemas and the arguments in its route. */
export const operation = <
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Route extends `/api/v1/${string}`,
>(
  definition: Operation<Input, Output, Route>,
): Operation<Input, Output, Route> => definition;
