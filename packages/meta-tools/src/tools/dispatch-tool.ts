import type { CallContext, CallOutcome, JsonObject } from '@gateway/call-contract';
import { routeErrorText, routeToolCall, type CatalogTool } from '@gateway/catalog';
import type { MetaToolPorts } from '../contract/ports.ts';

/** The origin of an answer: the exposed name and, for a server's tool, the server and its own name for it. */
export interface ToolOrigin {
  readonly name: string;
  readonly server?: string;
  readonly serverTool?: string;
}

/** A dispatched call: its origin and its pending outcome. */
export interface Dispatched {
  readonly origin: ToolOrigin;
  readonly outcome: Promise<CallOutcome>;
}

/** One call of a tool of the catalog. */
export interface ToolCall {
  readonly tool: CatalogTool;
  readonly arguments: JsonObject;
  readonly context: CallContext;
}

type Ports = Pick<MetaToolPorts, 'callServerTool' | 'callWorkflow' | 'callCoreTool'>;

/** The dispatcher of each kind of tool. @spec §1.3 */
const dispatch: {
  readonly [K in CatalogTool['kind']]: (call: ToolCall, ports: Ports) => Dispatched;
} = {
  tool: ({ tool, arguments: args, context }, ports) => {
    const { name } = tool;
    const route = routeToolCall(tool, args);
    if (!route.ok) {
      const text = routeErrorText(route.error);
      return { origin: { name }, outcome: Promise.resolve({ ok: false, text }) };
    }
    const { server, serverTool } = route;
    const call = { server, tool: serverTool, arguments: route.arguments };
    return { origin: { name, server, serverTool }, outcome: ports.callServerTool(call, context) };
  },
  workflow: ({ tool: { name }, arguments: args, context }, ports) => ({
    origin: { name },
    outcome: ports.callWorkflow(name, args, context),
  }),
  core: ({ tool: { name }, arguments: args, context }, ports) => ({
    origin: { name },
    outcome: ports.callCoreTool(name, args, context),
  }),
};

/** Sends a call where its tool is served. */
export const dispatchTool = (call: ToolCall, ports: Ports): Dispatched =>
  dispatch[call.tool.kind](call, ports);
