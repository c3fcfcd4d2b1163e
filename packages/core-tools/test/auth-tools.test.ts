import { describe, expect, it } from 'vitest';
import type { ServerView } from '../src/tool/ports.ts';
import { failure, portsOver, resultOf, sentence } from './ports.ts';
import { files, wiki } from './servers.ts';

const call = (verb: 'login' | 'logout', args: unknown, servers: readonly ServerView[] = [files]) =>
  resultOf(`core_auth_${verb}`, args, portsOver(servers));

const NOT_CONFIGURED = failure(
  "OAuth is not configured. Server 'wiki' requires authentication but OAuth proxy is not enabled. Credentials that everybody shares can stand in spec.headers of the MCPServer.",
);

/** A remote server without sign-in. */
const plain = (state: ServerView['state']): ServerView => ({
  ...wiki,
  name: 'plain',
  state,
  definition: {
    ...wiki.definition,
    spec: {
      ...{ type: 'sse', url: 'http://a.example/', headers: {}, env: {} },
      ...{ autoStart: true, timeout: 30 },
      auth: { type: 'none', forwardToken: false, requiredAudiences: [] },
    },
  },
});

const ARGUMENT = failure("Error: 'server' argument is required and must be a string");

describe('core_auth_login', () => {
  it.each([undefined, {}, { server: '' }, { server: null }, { server: 1 }])(
    'requires a server: %j',
    async (args) => {
      expect(await call('login', args)).toEqual(ARGUMENT);
      expect(await call('logout', args)).toEqual(ARGUMENT);
    },
  );

  it('reports an unknown server', async () => {
    expect(await call('login', { server: 'x' })).toEqual(
      failure("Server 'x' not found. Use list_tools to see available servers."),
    );
  });

  it('answers that a server without sign-in needs none', async () => {
    expect(await call('login', { server: 'files' })).toEqual(
      sentence("Server 'files' is already authenticated and connected."),
    );
    expect(await call('login', { server: 'files' }, [{ ...files, state: 'Stopped' }])).toEqual(
      sentence("Server 'files' does not require authentication."),
    );
    expect(await call('login', { server: 'plain' }, [plain('Connected')])).toEqual(
      sentence("Server 'plain' is already authenticated and connected."),
    );
    expect(await call('login', { server: 'plain' }, [plain('Failed')])).toEqual(
      sentence("Server 'plain' does not require authentication."),
    );
  });

  it('reports that sign-in is required and not available', async () => {
    expect(await call('login', { server: 'wiki' }, [wiki])).toEqual(NOT_CONFIGURED);
    expect(await call('login', { server: 'wiki' }, [{ ...wiki, state: 'Disconnected' }])).toEqual(
      NOT_CONFIGURED,
    );
    const surprising = { ...plain('Auth Required'), name: 'wiki' };
    expect(await call('login', { server: 'wiki' }, [surprising])).toEqual(NOT_CONFIGURED);
  });

  it('answers that a server is connected whose shared credentials suffice', async () => {
    expect(await call('login', { server: 'wiki' }, [{ ...wiki, state: 'Connected' }])).toEqual(
      sentence("Server 'wiki' is already authenticated and connected."),
    );
  });
});

describe('core_auth_logout', () => {
  it('reports that no user is signed in', async () => {
    expect(await call('logout', { server: 'x' })).toEqual(failure("Server 'x' not found."));
    expect(await call('logout', { server: 'files' })).toEqual(
      sentence("Server 'files' does not require authentication."),
    );
    expect(await call('logout', { server: 'wiki' }, [wiki])).toEqual(
      sentence("You are not signed in to server 'wiki'."),
    );
  });
});
