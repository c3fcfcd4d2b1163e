import { ANONYMOUS, type JsonObject, type Principal } from '@gateway/call-contract';
import type { CoreToolEntry } from '@gateway/catalog';
import { authTools } from './auth-tools.ts';
import { createConfigTools } from './config-tools.ts';
import { type CoreTool, createErrorResult } from './core-tool.ts';
import { eventTool } from './event-tool.ts';
import { mcpServerTools, acceptTool, detectTool } from './server-tools.ts';
import { type CoreCallContext, type CoreToolPorts, writeRefusalText } from './ports.ts';
import { serverWriteTools } from './server-write-tools.ts';
import { serviceTools } from './service-tools.ts';
import { usageTool } from './usage-tool.ts';
import { executionTools } from './execution-tools.ts';
import { workflowReadTools, workflowWriteTools } from './workflow-tools.ts';

/** The result of the tool (its own failures are results with `isError`), or that the tool does not exist. */
export type CoreCallOutcome =
  | {
      readonly ok: true;
      readonly result: JsonObject;
      /** The tool was not called, because the principal may not call tools that write. */
      readonly refused?: 'writes';
    }
  | { readonly ok: false; readonly text: string };

/** The gateway's own tools. */
export interface CoreTools {
  /** The tools for the catalog, in a stable order. @spec §1.3 */
  readonly entries: readonly CoreToolEntry[];
  /** Returns why a principal may not call a tool that writes; `undefined` for a permitted one, and for any other name. */
  readonly writeRefusal: (name: string, principal: Principal) => string | undefined;
  /** Calls a tool by name with unchecked arguments. Rejects only when a port rejects. */
  call(name: string, args: unknown, context?: CoreCallContext): Promise<CoreCallOutcome>;
}

const listCoreTools = ({ configurationSchema }: CoreToolPorts): readonly CoreTool[] => [
  ...serviceTools,
  ...createConfigTools(configurationSchema),
  ...authTools,
  ...mcpServerTools,
  ...serverWriteTools,
  acceptTool,
  detectTool,
  ...workflowReadTools,
  ...workflowWriteTools,
  ...executionTools,
  eventTool,
  usageTool,
];

/** Returns the gateway's own tools over their ports. @spec §1.3 */
export const createCoreTools = (ports: CoreToolPorts): CoreTools => {
  const tools = listCoreTools(ports);
  const toolByName: ReadonlyMap<string, CoreTool> = new Map(
    tools.map((tool) => [tool.entry.name, tool]),
  );
  const writeRefusal = (name: string, principal: Principal): string | undefined => {
    const effect = toolByName.get(name)?.effect;
    return effect === undefined || ports.mayWrite(principal, effect)
      ? undefined
      : writeRefusalText(name, effect, principal);
  };
  return {
    entries: tools.map(({ entry }) => entry),
    writeRefusal,
    call: async (name, args, context = {}) => {
      const tool = toolByName.get(name);
      if (tool === undefined) return { ok: false, text: `tool not found: ${name}` };
      const refusal = writeRefusal(name, context.principal ?? ANONYMOUS);
      if (refusal !== undefined)
        return { ok: true, result: createErrorResult(refusal), refused: 'writes' };
      return { ok: true, result: await tool.call(args, ports, context) };
    },
  };
};
