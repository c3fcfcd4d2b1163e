import type { JsonObject } from '@gateway/catalog';
import type { ServerView } from '../ports.ts';
import { timeText } from '../time-text.ts';

/** The first cause that a failure's reason shows decides what the status says of it. */
const FAILURES: readonly { readonly sign: RegExp; readonly message: string }[] = [
  {
    sign: /certificate|self.signed|x509|\btls\b/i,
    message: 'Certificate error - verify TLS configuration',
  },
  {
    sign: /\bENOENT\b|no such file|command not found/i,
    message: 'Command not found - check the executable path',
  },
  {
    sign: /\b403\b|forbidden/i,
    message: 'Access forbidden - check server permissions and credentials',
  },
];

const failureMessage = (reason: string): string =>
  FAILURES.find(({ sign }) => sign.test(reason))?.message ?? 'Server failed to start';

/** What a reader can do about a server's state; `undefined` when there is nothing to say. */
export const statusMessageOf = ({ name, state, reason }: ServerView): string | undefined => {
  switch (state) {
    case 'Failed':
      return failureMessage(reason ?? '');
    case 'Auth Required':
      return `Authentication required - sign in with core_auth_login(server=${JSON.stringify(name)})`;
    case 'Starting':
    case 'Connecting':
      return 'Starting...';
    case 'Running':
    case 'Connected':
    case 'Stopped':
    case 'Disconnected':
      return undefined;
  }
};

/** What is told of attempts, as far as it is known. */
const attemptsOf = ({ status }: ServerView): JsonObject => ({
  ...(status !== undefined &&
    status.consecutiveFailures > 0 && { consecutiveFailures: status.consecutiveFailures }),
  ...(status?.lastAttempt !== undefined && { lastAttempt: status.lastAttempt }),
});

/** What only a server that was tried can tell. */
export const runtimeOf = (view: ServerView): JsonObject => ({
  toolsCount: view.toolsCount,
  restartCount: view.status?.restartCount ?? view.restartCount,
  ...attemptsOf(view),
  ...(view.connectedAt !== undefined && { connectedAt: timeText(view.connectedAt) }),
  ...(view.nextRetryAt !== undefined && { nextRetryAfter: timeText(view.nextRetryAt) }),
  ...(view.serverInfo !== undefined && { serverInfo: view.serverInfo }),
  ...(view.protocolVersion !== undefined && { protocolVersion: view.protocolVersion }),
});
