import {
  Client as ClientOfGeneration2,
  StreamableHTTPClientTransport as HttpOfGeneration2,
} from '@modelcontextprotocol/client';
import { Client as ClientOfGeneration1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfGeneration1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { Headers } from './wire-client.ts';

interface CallOptions {
  readonly onProgress?: (progress: unknown) => void;
  readonly signal?: AbortSignal;
  readonly meta?: Readonly<Record<string, unknown>>;
}

const INFO = { name: 'test', version: '1' };
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };

/** What the clients answer to questions: their name, `Paris` and one root. */
const ELICITED = { action: 'accept' as const, content: { name: 'Ada' } };
const SAMPLED = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Paris' },
  model: 'm',
};
const ROOTS = { roots: [{ uri: 'file:///home' }] };

const toParams = (name: string, args: object, { meta }: CallOptions) => ({
  name,
  arguments: args as Record<string, unknown>,
  ...(meta !== undefined && { _meta: meta }),
});

const toOptions = ({ onProgress, signal }: CallOptions) => ({
  ...(onProgress !== undefined && { onprogress: onProgress }),
  ...(signal !== undefined && { signal }),
});

const connectGeneration1 = async (url: string, headers: Headers = {}) => {
  const client = new ClientOfGeneration1(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ELICITED);
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED);
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  const requestInit = { headers: headers as Record<string, string> };
  const transport = new HttpOfGeneration1(new URL(url), { requestInit });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const callTool = (name: string, args: object = {}, options: CallOptions = {}) =>
    client.callTool(toParams(name, args, options), undefined, toOptions(options));
  return { client, transport, callTool };
};

const connectGeneration2 =
  (mode: 'legacy' | 'auto' | { readonly pin: string }) =>
  async (url: string, headers: Headers = {}) => {
    const options = { capabilities: CAPABILITIES, versionNegotiation: { mode } };
    const client = new ClientOfGeneration2(INFO, options);
    client.setRequestHandler('elicitation/create', () => ELICITED);
    client.setRequestHandler('sampling/createMessage', () => SAMPLED);
    client.setRequestHandler('roots/list', () => ROOTS);
    const requestInit = { headers: headers as Record<string, string> };
    const transport = new HttpOfGeneration2(new URL(url), { requestInit });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const callTool = (name: string, args: object = {}, called: CallOptions = {}) =>
      client.callTool(toParams(name, args, called), toOptions(called));
    return { client, transport, callTool };
  };

/** The two generations of SDK clients, until the test is over. */
export const CLIENTS = [
  { title: 'generation 1', connect: connectGeneration1, hasSession: true },
  { title: 'generation 2, 2025 era', connect: connectGeneration2('legacy'), hasSession: true },
  { title: 'generation 2, automatic', connect: connectGeneration2('auto'), hasSession: false },
  {
    title: 'generation 2, 2026-07-28',
    connect: connectGeneration2({ pin: '2026-07-28' }),
    hasSession: false,
  },
] as const;
