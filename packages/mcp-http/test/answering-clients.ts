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

/** A client that answers questions: by its name, `Paris` and one root; a message `fail` makes it throw. */
export interface AnsweringClient {
  readonly callTool: (name: string, args: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const INFO = { name: 'answering', version: '1' };
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };

const ELICITED = { action: 'accept' as const, content: { name: 'Ada' } };
const SAMPLED = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Paris' },
  model: 'm',
};
const ROOTS = { roots: [{ uri: 'file:///home' }] };

const elicit = (message: string): typeof ELICITED => {
  if (message === 'fail') throw Object.assign(new Error('No, thanks'), { code: -32042 });
  return ELICITED;
};

const connectGeneration1 = async (url: string): Promise<AnsweringClient> => {
  const client = new ClientOfGeneration1(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params.message));
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED);
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  // The types of the SDK are not written for `exactOptionalPropertyTypes`.
  await client.connect(new HttpOfGeneration1(new URL(url)));
  return {
    callTool: (name, args) => client.callTool({ name, arguments: args as Record<string, unknown> }),
    close: () => client.close(),
  };
};

const connectGeneration2 =
  (mode: 'legacy' | { readonly pin: string }) =>
  async (url: string): Promise<AnsweringClient> => {
    const client = new ClientOfGeneration2(INFO, {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => elicit(params.message));
    client.setRequestHandler('sampling/createMessage', () => SAMPLED);
    client.setRequestHandler('roots/list', () => ROOTS);
    await client.connect(new HttpOfGeneration2(new URL(url)));
    return {
      callTool: (name, args) =>
        client.callTool({ name, arguments: args as Record<string, unknown> }),
      close: () => client.close(),
    };
  };

export const ANSWERING_CLIENTS: readonly {
  readonly title: string;
  readonly connect: (url: string) => Promise<AnsweringClient>;
}[] = [
  { title: 'generation 1', connect: connectGeneration1 },
  { title: 'generation 2, 2025 era', connect: connectGeneration2('legacy') },
  { title: 'generation 2, 2026-07-28', connect: connectGeneration2({ pin: '2026-07-28' }) },
];
