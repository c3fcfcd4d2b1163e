import type { JsonObject } from '@gateway/call-contract';
import type { RouteError } from './catalog-error.ts';
import type { CatalogTool, ToolProvider } from './catalog-tool.ts';

/** The server, tool and arguments of a call, or the reason why it has no route. */
export type ToolRoute =
  | {
      readonly ok: true;
      readonly value: {
        readonly server: string;
        /** The tool's name at that server. */
        readonly serverTool: string;
        readonly arguments: JsonObject;
      };
    }
  | { readonly ok: false; readonly error: RouteError };

const refused = (error: RouteError): ToolRoute => ({ ok: false, error });

const routed = ({ server, serverTool }: ToolProvider, args: JsonObject): ToolRoute => ({
  ok: true,
  value: { server, serverTool, arguments: args },
});

function familyRoute(tool: CatalogTool, instanceArg: string, args: JsonObject): ToolRoute {
  const servers = tool.providers.map(({ server }) => server);
  const instance = Object.hasOwn(args, instanceArg) ? args[instanceArg] : undefined;
  if (typeof instance !== 'string' || instance === '') {
    return refused({ code: 'route.instance-required', tool: tool.name, instanceArg, servers });
  }
  const provider = tool.providers.find(({ server }) => server === instance);
  if (provider === undefined) {
    return refused({ code: 'route.instance-unknown', tool: tool.name, server: instance, servers });
  }
  const { [instanceArg]: _instance, ...own } = args;
  return routed(provider, own);
}

/**
 * Finds the server that a tool call goes to. The arguments are passed on as they are, except that a family tool's
 * instance argument chooses the server and stays behind.
 *
 * @param args the caller's arguments; absent means none
 * @spec §2.6
 */
export function routeToolCall(tool: CatalogTool, args: JsonObject | undefined): ToolRoute {
  if (tool.instanceArg !== undefined) return familyRoute(tool, tool.instanceArg, args ?? {});
  const provider = tool.providers[0];
  return provider === undefined
    ? refused({ code: 'route.no-server', tool: tool.name })
    : routed(provider, args ?? {});
}
