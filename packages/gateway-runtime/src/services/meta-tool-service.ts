import { RPC_CODE } from '@gateway/call-contract';
import type { McpService, RequestContext, ServiceAnswer } from '@gateway/mcp-http';
import type { MetaToolAnswer, MetaTools, ToolsetRequest } from '@gateway/meta-tools';
import type { ServerFeatures } from './server-features.ts';
import { SERVICE_INFO, TOOLSET_HEADER_KEY } from './service-identity.ts';

/** Options of {@link createMetaToolService}. */
export interface MetaToolServiceOptions {
  readonly metaTools: MetaTools;
  /** Returns the optional features that at least one connected server has. */
  readonly features: () => ServerFeatures;
}

/** Creates the service that exposes the meta-tools over HTTP and stdio. */
export function createMetaToolService({ metaTools, features }: MetaToolServiceOptions): McpService {
  const items = metaTools.definitions.map((definition) => ({
    ...definition,
    annotations: { ...definition.annotations },
  }));
  const names = new Set<string>(items.map(({ name }) => name));
  return {
    info: SERVICE_INFO,
    instructions:
      'Find a tool with filter_tools (query), read it with describe_tool, run it with call_tool.',
    // The list of meta-tools never changes. The servers behind call_tool may support logging.
    get capabilities() {
      return features().logging ? { tools: {}, logging: {} } : { tools: {} };
    },
    list: () => ({ ok: true, items }),
    scopeHeaders: [TOOLSET_HEADER_KEY],
    refuseHeaders: (context) => metaTools.refuseToolset(toolsetOf(context)),
    refuseCall: ({ params }, context) => {
      const call = { name: String(params['name']), arguments: params['arguments'] };
      const refused = metaTools.refuseCall(call, toolsetOf(context));
      return refused && toServiceAnswer(refused);
    },
    call: ({ params }, context) => {
      const name = String(params['name']);
      if (!names.has(name)) return unknownTool(name);
      const answer = metaTools.call({
        name,
        arguments: params['arguments'],
        toolsetHeader: context.header(TOOLSET_HEADER_KEY),
        context,
      });
      // Most answers are synchronous, and stay so.
      return answer instanceof Promise ? answer.then(toServiceAnswer) : toServiceAnswer(answer);
    },
  };
}

const toolsetOf = ({ header, principal, sessionId }: RequestContext): ToolsetRequest => ({
  toolsetHeader: header(TOOLSET_HEADER_KEY),
  principal,
  sessionId,
});

const toServiceAnswer = ({ result }: MetaToolAnswer): ServiceAnswer => ({ ok: true, result });

/** Maximum characters of a caller's value that a text quotes. */
const MAX_QUOTED_CHARS = 200;

function unknownTool(name: string): ServiceAnswer {
  const quoted = name.length > MAX_QUOTED_CHARS ? `${name.slice(0, MAX_QUOTED_CHARS)}…` : name;
  const message = `Unknown tool: ${JSON.stringify(quoted)}`;
  return { ok: false, error: { code: RPC_CODE.invalidParams, message } };
}
