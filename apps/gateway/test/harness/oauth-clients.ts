import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { atEnd } from './lifetime.ts';

/** The state of a client that signs in: the SDKs store everything here. */
export class ClientState {
  readonly redirectUrl: string;
  /** The link that the client would open in a browser. */
  link: URL | undefined;
  #information: unknown;
  #tokens: unknown;
  #verifier = '';

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return {
      client_name: 'A test client',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation(): never {
    return this.#information as never;
  }

  saveClientInformation(information: unknown): void {
    this.#information = information;
  }

  tokens(): never {
    return this.#tokens as never;
  }

  saveTokens(tokens: unknown): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(link: URL): void {
    this.link = link;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

/** One SDK: how it connects with a state, and how it takes the parameters of the callback. */
export interface OAuthClient {
  /** Tries to connect. @returns false when the user must open `state.link` */
  readonly connect: (endpoint: URL, state: ClientState) => Promise<boolean>;
  readonly finish: (endpoint: URL, state: ClientState, callback: URL) => Promise<void>;
  /** Connects and returns the names of the tools. */
  readonly toolNames: (endpoint: URL, state: ClientState) => Promise<readonly string[]>;
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error &&
  /unauthorized/iu.test(`${error.name} ${error.constructor.name} ${error.message}`);

const attempt = async (connect: () => Promise<unknown>): Promise<boolean> => {
  try {
    await connect();
    return true;
  } catch (error) {
    if (isUnauthorized(error)) return false;
    throw error;
  }
};

type Transport = Pick<FirstHttp, 'finishAuth'>;

/** The differences between the SDKs are the types, and what `finishAuth` takes. */
const createOAuthClient = (
  create: () => FirstClient,
  createTransport: (endpoint: URL, state: ClientState) => FirstHttp,
  finish: (transport: Transport, callback: URLSearchParams) => Promise<void>,
): OAuthClient => {
  const connect = async (endpoint: URL, state: ClientState): Promise<FirstClient> => {
    const client = create();
    await client.connect(createTransport(endpoint, state));
    return client;
  };
  return {
    connect: (endpoint, state) =>
      attempt(async () => {
        await (await connect(endpoint, state)).close();
      }),
    finish: (endpoint, state, callback) =>
      finish(createTransport(endpoint, state), callback.searchParams),
    toolNames: async (endpoint, state) => {
      const client = await connect(endpoint, state);
      atEnd(() => client.close());
      return (await client.listTools()).tools.map(({ name }) => name);
    },
  };
};

const INFO = { name: 'test', version: '1.0.0' };

/** The OAuth clients of the official SDKs. */
export const OAUTH_CLIENTS = {
  'generation 1': createOAuthClient(
    () => new FirstClient(INFO),
    (endpoint, authProvider) => new FirstHttp(endpoint, { authProvider }),
    (transport, callback) => transport.finishAuth(callback.get('code') ?? ''),
  ),
  'generation 2': createOAuthClient(
    () => new SecondClient(INFO) as unknown as FirstClient,
    (endpoint, authProvider) => new SecondHttp(endpoint, { authProvider }) as unknown as FirstHttp,
    (transport, callback) => (transport as unknown as SecondHttp).finishAuth(callback),
  ),
};
