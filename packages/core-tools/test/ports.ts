import type { ServerEntry } from '../src/ports.ts';
import {
  type CoreToolPorts,
  type ServiceOutcome,
  type SignInPort,
  createCoreTools,
} from '../src/index.ts';
import { broken, files, wiki } from './servers.ts';

/** Ports over fixed data that remember the orders they got. */
export interface RecordingPorts extends CoreToolPorts {
  readonly orders: string[];
}

/** Sign-in where no server has sign-ins of users. */
export const noSignIn: SignInPort = {
  findState: () => undefined,
  login: () => Promise.resolve({ kind: 'no-metadata' }),
  logout: () => Promise.resolve({ kind: 'not-signed-in' }),
  waitForCompletion: () => Promise.resolve(false),
};

const CLOSED = { type: 'object', additionalProperties: false } as const;

/** Ports over the given servers; every order ends as `outcome`. */
export const portsOver = (
  servers: readonly ServerEntry[] = [wiki, files, broken],
  outcome: ServiceOutcome = { kind: 'done' },
): RecordingPorts => {
  const orders: string[] = [];
  const order = (verb: string) => (name: string) => {
    orders.push(`${verb} ${name}`);
    return Promise.resolve(outcome);
  };
  const write = (text: string): Promise<{ readonly kind: 'done' }> => {
    orders.push(text);
    return Promise.resolve({ kind: 'done' });
  };
  return {
    orders,
    mayWrite: () => true,
    seesAllRuns: () => true,
    permitsSecretReferences: () => false,
    servers: () => servers,
    refusedServers: () => [],
    serverLog: () => [],
    start: order('start'),
    stop: order('stop'),
    restart: order('restart'),
    config: () => ({ apiGroup: 'gateway.internal' }),
    workflows: () => [],
    workflowAvailability: () => ({ available: true, missing: [] }),
    writeWorkflow: {
      create: ({ metadata }) => write(`create ${metadata.name}`),
      replace: ({ metadata }) => write(`replace ${metadata.name}`),
      remove: (name) => write(`remove ${name}`),
    },
    executions: {
      list: () => Promise.resolve({ executions: [], total: 0 }),
      get: () => Promise.resolve(undefined),
    },
    writeServer: {
      create: (document) => write(`create server ${JSON.stringify(document)}`),
      patch: (name, patch) => write(`patch server ${name} ${JSON.stringify(patch)}`),
      remove: (name) => write(`remove server ${name}`),
    },
    configuration: {
      aggregator: () => ({ host: '127.0.0.1', port: 8090 }),
      update: (patch) => write(`update configuration ${JSON.stringify(patch)}`),
      save: () => write('save configuration'),
      reload: () => write('reload configuration'),
    },
    configurationSchema: {
      ...CLOSED,
      properties: {
        host: { type: 'string', default: '127.0.0.1' },
        oauth: {
          ...CLOSED,
          properties: { clientSecret: { type: 'string' } },
          required: ['clientSecret'],
        },
      },
    },
    detect: ({ url }) => {
      orders.push(`detect ${url}`);
      return Promise.resolve({ kind: 'none', detail: 'connection refused' });
    },
    requestLoad: () => undefined,
    acceptTools: (name, tools) => {
      orders.push(`accept ${name} ${String(tools)}`);
      return Promise.resolve({ kind: 'done', tools: tools ?? [] });
    },
    events: { query: () => Promise.resolve([]), now: () => 0, subscribe: () => () => undefined },
    usage: {
      query: () =>
        Promise.resolve({
          since: 0,
          until: 0,
          total: { calls: 0, errors: 0, resultBytes: 0 },
          rows: [],
        }),
    },
    signIn: noSignIn,
    warn: (text) => orders.push(`warn ${text}`),
    mode: 'filesystem',
  };
};

/** The result of one call. */
export const callTool = async (
  name: string,
  args: unknown,
  ports: CoreToolPorts = portsOver(),
): Promise<Readonly<Record<string, unknown>>> => {
  const outcome = await createCoreTools(ports).call(name, args);
  if (!outcome.ok) throw new Error(outcome.text);
  return outcome.result;
};

/** Returns the object in the result of a read. */
export const objectOf = async (
  name: string,
  args: unknown,
  ports: CoreToolPorts = portsOver(),
): Promise<unknown> => (await callTool(name, args, ports))['structuredContent'];

/** A result with a sentence, and with fields that are only in the structured content. */
export const sentence = (text: string, facts: object = {}): unknown => ({
  content: [{ type: 'text', text }],
  structuredContent: { message: text, ...facts },
});

/** A failed result with a sentence, and with fields that are only in the structured content. */
export const failure = (text: string, facts: object = {}): unknown => ({
  content: [{ type: 'text', text }],
  structuredContent: { error: text, ...facts },
  isError: true,
});
