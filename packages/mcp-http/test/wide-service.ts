import { storeSourceText } from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import type { McpService, ServiceAnswer } from '../src/index.ts';
import type { ServiceCall } from '../src/protocol/mcp-service.ts';

const tools = [{ name: 'text', inputSchema: { type: 'object' }, 'x-own': 1 }];
const resources = [{ uri: 'file:///a', name: 'a' }];
const resourceTemplates = [{ uriTemplate: 'file:///{name}', name: 'any' }];
const prompts = [{ name: 'greet', arguments: [{ name: 'who', required: true }] }];

const LISTS: Readonly<Record<Parameters<McpService['list']>[0], readonly JsonObject[]>> = {
  'tools/list': tools,
  'resources/list': resources,
  'resources/templates/list': resourceTemplates,
  'prompts/list': prompts,
};

/** A text that another program wrote: with breaks between its tokens, and odd members. */
export const FOREIGN_JSON = '{\r\n "content": [{"type":"text","text":"a\\nb"}],\n "n": 1.0\r}';

const answer = (result: JsonObject): ServiceAnswer => ({ ok: true, result });

const refusal = (code: number, message: string, data?: unknown): ServiceAnswer => ({
  ok: false,
  error: { code, message, ...(data !== undefined && { data }) },
});

const CALLS: Readonly<Record<ServiceCall['method'], (params: JsonObject) => ServiceAnswer>> = {
  'tools/call': ({ name }) => {
    const result = JSON.parse(FOREIGN_JSON) as JsonObject;
    if (name === 'text') return answer(storeSourceText(result, FOREIGN_JSON));
    return name === 'marked'
      ? answer({ ...result, _meta: { 'example.org/by': 'é' } })
      : refusal(-32602, `Unknown tool: ${JSON.stringify(name)}`);
  },
  'resources/read': ({ uri }) => {
    const contents = [{ uri, text: 'x' }];
    if (uri === 'file:///a') return answer({ contents });
    if (uri === 'file:///kept') return answer({ contents, ttlMs: 5_000, cacheScope: 'public' });
    return refusal(-32002, 'Resource not found', { uri });
  },
  'prompts/get': ({ name, arguments: args }) =>
    name === 'greet'
      ? answer({
          messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(args) } }],
        })
      : refusal(-32602, 'Unknown prompt'),
  'completion/complete': ({ argument }) =>
    answer({
      completion: { values: [(argument as { value: string }).value + '!'], hasMore: false },
    }),
};

/** A service that has every capability; with `later`, its calls are answered a moment later. */
export const wideService = (options: { readonly later?: boolean } = {}): McpService => ({
  info: { name: 'wide', version: '1.0.0' },
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  list: (method) => ({ ok: true, items: LISTS[method] }),
  call: ({ method, params }) => {
    const given = CALLS[method](params);
    return options.later === true ? Promise.resolve(given) : given;
  },
});
