import { NO_SESSION, type JsonObject, type NotificationChannel } from '@gateway/call-contract';
import type { McpService, ServiceAnswer } from '../src/index.ts';
import type { ServiceCallContext } from '../src/protocol/mcp-service.ts';

type WatchedList = 'tools' | 'resources' | 'prompts';
type Question = Parameters<ServiceCallContext['caller']['ask']>[0];

/** State and controls of a served service that sends questions to its clients. */
export interface InteractiveService {
  readonly service: McpService;
  /** Contexts of the calls that wait in `wait`, in order. */
  readonly waiting: ServiceCallContext[];
  /** Lets the calls of `wait` answer. */
  readonly release: () => void;
  /** Reasons of aborted calls. */
  readonly aborted: string[];
  /** Retries that reached the service: state and responses. */
  readonly retries: unknown[];
  /** Sets the names of the tools that callers with a value of `x-group` see; `''` are those without. */
  readonly setTools: (group: string, names: readonly string[]) => void;
  readonly changed: (kind: WatchedList) => void;
  /** The URIs that are followed at the moment. */
  readonly followed: () => string[];
  readonly update: (uri: string, params?: JsonObject) => void;
  /** The channels that calls of `channel` opened and that have not ended. */
  readonly channels: Set<NotificationChannel>;
}

const text = (value: unknown): ServiceAnswer => ({
  ok: true,
  result: { content: [{ type: 'text', text: JSON.stringify(value) }] },
});

type Tool = (
  args: JsonObject,
  context: ServiceCallContext,
) => Promise<ServiceAnswer> | ServiceAnswer;

const questionsOf = (args: JsonObject): readonly Question[] =>
  args['questions'] as readonly Question[];

/** Tools by name; the questions of `ask` are asked at once, those of `ask-in-turn` one after the other, those of `ask-apart` some turns apart. */
const TALKING_TOOLS: ReadonlyMap<unknown, Tool> = new Map<unknown, Tool>([
  [
    'ask',
    async (args, { caller, onProgress }) => {
      const asked = questionsOf(args).map((question) => caller.ask(question));
      const answers = await Promise.all(asked);
      onProgress?.({ progress: 1 });
      return text(answers);
    },
  ],
  [
    'ask-in-turn',
    async (args, { caller }) => {
      const answers: unknown[] = [];
      for (const question of questionsOf(args)) answers.push(await caller.ask(question));
      return text(answers);
    },
  ],
  [
    'ask-apart',
    async (args, { caller }) => {
      const asked: unknown[] = [];
      for (const [at, question] of questionsOf(args).entries()) {
        const more = (args['more'] as readonly boolean[])[at] === true;
        asked.push(caller.ask(question, { more }));
        for (let turn = 0; turn < 10; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
      }
      return text(await Promise.all(asked));
    },
  ],
  [
    'ask-and-leave',
    async (args, { caller }) => {
      for (const question of questionsOf(args)) void caller.ask(question);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return text('left');
    },
  ],
  [
    'log',
    (args, { caller }) => {
      for (const level of args['levels'] as readonly string[]) {
        caller.notify({ method: 'notifications/message', params: { level, data: level } });
      }
      return text(caller.logLevel ?? null);
    },
  ],
  ['capabilities', (_args, { caller }) => text(caller.capabilities)],
]);

const runTool: Tool = (args, context) => {
  const run = TALKING_TOOLS.get(args['tool']);
  return run?.(args, context) ?? UNKNOWN_TOOL;
};

const UNKNOWN_TOOL: ServiceAnswer = {
  ok: false,
  error: { code: -32602, message: 'Unknown tool' },
};

const TOOLS = [...TALKING_TOOLS.keys(), 'ask-and-wait', 'wait'].map(String);

export const interactiveService = (): InteractiveService => {
  const waiting: ServiceCallContext[] = [];
  const answers = new Set<() => void>();
  const channels = new Set<NotificationChannel>();
  const openNotificationChannel = async (
    { caller }: ServiceCallContext,
    args: JsonObject,
  ): Promise<ServiceAnswer> => {
    const opened =
      (await caller.openNotificationChannel?.((args['name'] ?? 'news') as string)) ?? NO_SESSION;
    if (!opened.ok) return text(opened.code);
    channels.add(opened.channel);
    opened.channel.onEnd(() => channels.delete(opened.channel));
    return text('opened');
  };
  const aborted: string[] = [];
  const retries: unknown[] = [];
  const lists = new Map<string, readonly JsonObject[]>();
  const listeners = new Set<(kind: WatchedList) => void>();
  const followers = new Map<string, Set<(params: JsonObject) => void>>();
  const itemsOf = (names: readonly string[]): readonly JsonObject[] =>
    names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  lists.set('', itemsOf(TOOLS));
  const wait = (context: ServiceCallContext): Promise<ServiceAnswer> =>
    new Promise((resolve) => {
      waiting.push(context);
      const answer = (): void => {
        answers.delete(answer);
        resolve(text('released'));
      };
      answers.add(answer);
      context.signal.addEventListener('abort', () => {
        answers.delete(answer);
        aborted.push((context.signal.reason as Error).message);
      });
    });
  return {
    waiting,
    aborted,
    retries,
    channels,
    release: () => {
      for (const answer of [...answers]) answer();
    },
    setTools: (group, names) => lists.set(group, itemsOf(names)),
    changed: (kind) => {
      for (const listener of listeners) listener(kind);
    },
    followed: () => [...followers].flatMap(([uri, all]) => [...all].map(() => uri)),
    update: (uri, params = {}) => {
      for (const tell of followers.get(uri) ?? []) tell(params);
    },
    service: {
      info: { name: 'interactive', version: '1' },
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: {},
        logging: {},
      },
      list: (method, { header }) => {
        if (method !== 'tools/list') return { ok: true, items: [] };
        const [group = ''] = header('x-group') ?? [];
        return { ok: true, items: lists.get(group) ?? [] };
      },
      call: ({ method, params }, context) => {
        if (context.requestState !== undefined) {
          retries.push([context.requestState, context.inputResponses]);
          return text('passed on');
        }
        if (method === 'completion/complete') return { ok: true, result: { completion: {} } };
        const args = (params['arguments'] ?? {}) as JsonObject;
        if (params['name'] === 'channel') return openNotificationChannel(context, args);
        if (params['name'] === 'ask-and-wait') {
          const [question] = args['questions'] as readonly [Question];
          return context.caller.ask(question).then(() => wait(context));
        }
        return params['name'] === 'wait'
          ? wait(context)
          : runTool({ ...args, tool: params['name'] }, context);
      },
      onListChanged: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      subscribe: (uri, onUpdated) => {
        if (uri === 'file:///none') {
          const error = { code: -32002, message: 'Resource not found' };
          return Promise.resolve({ ok: false, error });
        }
        const all = followers.get(uri) ?? new Set();
        followers.set(uri, all.add(onUpdated));
        return Promise.resolve({ ok: true, end: () => void all.delete(onUpdated) });
      },
    },
  };
};
