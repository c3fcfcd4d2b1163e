import {
  toInputSchema,
  INSTRUCTIONS,
  OPERATIONS,
  parseArguments,
  formatError,
  type OperationName,
} from '@gateway/agent-manager-client';
import { ANONYMOUS, RPC_CODE, type JsonObject, type Principal } from '@gateway/call-contract';
import type { McpService, RequestContext, ServiceAnswer } from '@gateway/mcp-http';
import { storeSourceText } from '@gateway/mcp-wire';
import {
  toOperationCaller,
  type OperationCall,
  readRequestId,
  type RunOperation,
} from '../operations/run-operation.ts';
import { formatQuotedAnswer } from '../operations/answer-text.ts';

/** Creates the MCP service whose tools are the operations. */
export function createAgentManagerMcp(run: RunOperation, version: string): McpService {
  const items = (Object.keys(OPERATIONS) as OperationName[]).map(toTool);
  return {
    info: { name: 'agent-manager', title: 'agent-manager', version },
    instructions: INSTRUCTIONS,
    capabilities: { tools: {} },
    list: () => ({ ok: true, items }),
    call: ({ params }, { header, principal }) => {
      const name = String(params['name']);
      if (!isOperation(name)) return refuseUnknownTool(name);
      const draft = parseArguments(name, params['arguments'] ?? {});
      const request = readRequestId(header('x-request-id')?.[0]);
      const caller = resolveCaller(principal, header);
      return run({ name, transport: 'mcp', request, draft, ...caller }).then((answer) =>
        answer.ok ? createAnswer(name, answer.value) : createFailure(formatError(answer.error)),
      );
    },
  };
}

/** The endpoint has verified the bearer of the request. */
const resolveCaller = (
  principal: Principal,
  header: RequestContext['header'],
): Pick<OperationCall, 'caller'> =>
  principal === ANONYMOUS
    ? {}
    : { caller: toOperationCaller(principal, header('authorization')?.[0] ?? '') };

const isOperation = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name);

function toTool(name: OperationName): JsonObject {
  const { title, description, hints } = OPERATIONS[name];
  return {
    name,
    title,
    description,
    inputSchema: toInputSchema(name),
    annotations: { title, ...hints },
  };
}

/** Returns the answer of REST as one text item. It has no `structuredContent`, which would repeat it. */
function createAnswer(name: OperationName, value: object): ServiceAnswer {
  const json = `{"content":[{"type":"text","text":${formatQuotedAnswer(name, value)}}]}`;
  // The transport writes the text, and reads only `_meta` and `resultType` of the result; there are none.
  return { ok: true, result: storeSourceText({ content: [] }, json) };
}

const createFailure = (text: string): ServiceAnswer => ({
  ok: true,
  result: { content: [{ type: 'text', text }], isError: true },
});

/** Longest part of a caller's value in a message, in characters. */
const MAX_QUOTED = 200;

function refuseUnknownTool(name: string): ServiceAnswer {
  const quoted = name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name;
  const message = `Unknown tool: ${JSON.stringify(quoted)}`;
  return { ok: false, error: { code: RPC_CODE.invalidParams, message } };
}
