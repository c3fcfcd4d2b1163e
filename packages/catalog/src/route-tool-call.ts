import type { JsonObject } from '@gateway/call-contract';
import { type CatalogTool, type ToolProvider, quoteBriefly } from './catalog-tool.ts';
import type { FilterError } from './filter-tools.ts';

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

/** The server, tool and arguments of a call, or the reason why it has no route. */
export type ToolRoute =
  | {
      readonly ok: true;
      readonly value: {
        readonly server: string;
        readonly serverTool: string;
        readonly arguments: JsonObject;
      };
    }
  | { readonly ok: false; readonly error: RouteError };

const refuseRoute = (error: RouteError): ToolRoute => ({ ok: false, error });

const createRoute = ({ server, serverTool }: ToolProvider, args: JsonObject): ToolRoute => ({
  ok: true,
  value: { server, serverTool, arguments: args },
});

function routeFamilyCall(tool: CatalogTool, instanceArg: string, args: JsonObject): ToolRoute {
  const servers = tool.providers.map(({ server }) => server);
  const instance = Object.hasOwn(args, instanceArg) ? args[instanceArg] : undefined;
  if (typeof instance !== 'string' || instance === '') {
    return refuseRoute({ code: 'route.instance-required', tool: tool.name, instanceArg, servers });
  }
  const provider = tool.providers.find(({ server }) => server === instance);
  if (provider === undefined) {
    return refuseRoute({
      code: 'route.instance-unknown',
      tool: tool.name,
      server: instance,
      servers,
    });
  }
  const { [instanceArg]: _instance, ...own } = args;
  return createRoute(provider, own);
}

/**
 * Finds the server that a tool call goes to. The arguments are passed on as they are, except that a family tool's
 * instance argument chooses the server and stays behind.
 *
 * @param args the caller's arguments; absent means none
 * @spec §2.6
 */
export function routeToolCall(tool: CatalogTool, args: JsonObject | undefined): ToolRoute {
  if (tool.instanceArg !== undefined) return routeFamilyCall(tool, tool.instanceArg, args ?? {});
  const provider = tool.providers[0];
  return provider === undefined
    ? refuseRoute({ code: 'route.no-server', tool: tool.name })
    : createRoute(provider, args ?? {});
}
