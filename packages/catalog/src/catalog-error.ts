import { quoteBriefly } from './exposed-name.ts';

/** The reason why filters are refused. */
export interface FilterError {
  readonly code: 'filter.pattern-invalid';
  readonly pattern: string;
}

/** The reason why a tool call has no route. */
export type RouteError =
  | {
      /** The instance argument of a family tool is missing, empty or no string. @spec §2.6 */
      readonly code: 'route.instance-required';
      readonly tool: string;
      readonly instanceArg: string;
      readonly servers: readonly string[];
    }
  | {
      /** The instance argument names no member that provides the tool. @spec §2.6 */
      readonly code: 'route.instance-unknown';
      readonly tool: string;
      readonly server: string;
      readonly servers: readonly string[];
    }
  | {
      /** A workflow or a core tool: no server serves it. */
      readonly code: 'route.no-server';
      readonly tool: string;
    };

/** Returns the refusal as one sentence for the caller. */
export function formatError(error: FilterError | RouteError): string {
  switch (error.code) {
    case 'filter.pattern-invalid':
      return `Invalid pattern ${quoteBriefly(error.pattern)}: syntax error in pattern`;
    case 'route.instance-required':
      return `tool ${error.tool} is provided by a family on servers ${error.servers.join(', ')}; the "${error.instanceArg}" parameter is required`;
    case 'route.instance-unknown':
      return `tool ${error.tool} is not available on server ${quoteBriefly(error.server)} (available: ${error.servers.join(', ')})`;
    case 'route.no-server':
      return `tool ${error.tool} is not served by a server`;
  }
}
