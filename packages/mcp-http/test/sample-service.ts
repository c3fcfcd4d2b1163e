import type { JsonObject } from '@gateway/call-contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { McpService, ServiceAnswer } from '../src/index.ts';
import type { ServiceCallContext } from '../src/protocol/mcp-service.ts';

interface Call {
  readonly arguments?: unknown;
}
type Tool = (call: Call, context: ServiceCallContext) => Promise<JsonObject> | JsonObject;

/** State and controls of a served service. */
export interface SampleService {
  readonly service: McpService & { readonly tools: readonly JsonObject[] };
  /** Reasons of the calls of `hang` that were aborted, in order. */
  readonly aborted: string[];
  /** Number of calls of `hang` that wait. */
  readonly waiting: () => number;
  /** Lets all calls of `hang` answer. */
  readonly release: () => void;
}

/** More than the buffers of a loopback connection take. */
export const BIG_BYTES = 32 * 1024 * 1024;

const bytesOf = (args: unknown): number => {
  const bytes = (args as { readonly bytes?: unknown } | undefined)?.bytes;
  return typeof bytes === 'number' ? bytes : BIG_BYTES;
};

/** What a report may carry beside its known keys; the token is not the caller's. */
const ODD_PROGRESS = {
  'x-unit': ['files'],
  _meta: { 'example.org/step': 2 },
  progressToken: 'own',
};

export const ODD_RESULT = {
  content: [
    { type: 'text', text: 'odd', 'x-extra': [1, null, { deep: true }] },
    { type: 'hologram', data: '=', nested: { __proto: 1 } },
  ],
  structuredContent: { 'a b': null, constructor: 'x' },
  isError: false,
  _meta: { 'example.org/trace': ['é', '\u2028', '😀'] },
  'x-unknown': { kept: 'yes' },
} as const;

const text = (value: unknown): JsonObject => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

const tool = (name: string): JsonObject => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object', properties: { value: { type: 'string' } }, 'x-own': true },
  annotations: { readOnlyHint: true, 'x-hint': 1 },
});

export const sampleService = (): SampleService => {
  const aborted: string[] = [];
  const waiting = new Set<() => void>();
  const hang: Tool = (_call, { signal }) =>
    new Promise((resolve, reject) => {
      const answer = (): void => {
        waiting.delete(answer);
        resolve(text('released'));
      };
      waiting.add(answer);
      signal.addEventListener('abort', () => {
        waiting.delete(answer);
        aborted.push((signal.reason as Error).message);
        reject(signal.reason as Error);
      });
    });
  const tools = new Map<string, Tool>([
    ['echo', ({ arguments: args }, { meta, sessionId }) => text({ args, meta, sessionId })],
    ['headers', (_call, { header }) => text([header('x-gateway-toolset') ?? null])],
    ['later-headers', laterHeaders],
    ['odd', () => ODD_RESULT],
    ['progress', reportProgress],
    ['hang', hang],
    ['throw', () => Promise.reject(new Error('secret: /etc/passwd'))],
    ['throw-now', throwNow],
    ['no-object', () => null as unknown as JsonObject],
    ['no-json', () => ({ content: [], value: 1n })],
    ['big', ({ arguments: args }) => text('x'.repeat(bytesOf(args)))],
    ['kilobyte', () => text('x'.repeat(1_000))],
    ['__proto__', () => text('proto')],
  ]);
  const listed = [...tools.keys()].map(tool);
  return {
    aborted,
    waiting: () => waiting.size,
    release: () => {
      for (const answer of waiting) answer();
    },
    service: {
      info: { name: 'sample', version: '1.2.3', title: 'Sample' },
      instructions: 'Use echo.',
      capabilities: { tools: {} },
      tools: listed,
      list: () => ({ ok: true, items: listed }),
      call: ({ params }, context) => {
        const run = tools.get(String(params['name']));
        return run === undefined ? unknownTool(params['name']) : answered(run(params, context));
      },
    },
  };
};

const unknownTool = (name: unknown): ServiceAnswer => ({
  ok: false,
  error: { code: -32602, message: `Unknown tool: ${JSON.stringify(name)}` },
});

/** At once where the tool answers at once. */
const answered = (
  result: JsonObject | Promise<JsonObject>,
): ServiceAnswer | Promise<ServiceAnswer> =>
  result instanceof Promise
    ? result.then((value) => ({ ok: true, result: value }))
    : { ok: true, result };

const throwNow: Tool = () => {
  throw new Error('secret: at once');
};

const laterHeaders: Tool = async (_call, { header }) => {
  const before = header('x-gateway-toolset');
  await delay(20);
  return text([before, header('x-gateway-toolset')]);
};

const reportProgress: Tool = async (_call, { onProgress }) => {
  onProgress?.({ progress: 1, total: 2, message: 'half' });
  await delay(5);
  onProgress?.({ progress: 2, total: 2, ...ODD_PROGRESS });
  await delay(5);
  return text(onProgress === undefined ? 'unasked' : 'asked');
};
