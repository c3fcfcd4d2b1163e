import {
  ANONYMOUS,
  type JsonObject,
  type FailureCode,
  type ServerHealth,
} from '@gateway/call-contract';
import { DEFAULT_API_GROUP, type McpServerState } from '@gateway/crd-schemas';
import { formatUtcTime } from './core-tool.ts';
import type { CoreCallContext, CoreToolPorts, ServerEntry } from './ports.ts';

interface StateFacts {
  /** The state of the service: lower case, one word. */
  readonly service: string;
  /** The health of a server whose health checks have no result. */
  readonly health: ServerHealth;
  readonly isConnected: boolean;
  readonly isStarting: boolean;
}

const AT_REST = { isConnected: false, isStarting: false } as const;
const STARTING = { health: 'checking', isConnected: false, isStarting: true } as const;
const CONNECTED = { health: 'healthy', isConnected: true, isStarting: false } as const;

/** The facts about each state of a server that the tools report. @spec §2.6 */
export const STATES: { readonly [S in McpServerState]: StateFacts } = {
  Running: { service: 'running', ...CONNECTED },
  Starting: { service: 'starting', ...STARTING },
  Stopped: { service: 'stopped', health: 'unknown', ...AT_REST },
  Failed: { service: 'failed', health: 'unhealthy', ...AT_REST },
  Connected: { service: 'connected', ...CONNECTED },
  'Auth Required': { service: 'auth_required', health: 'unknown', ...AT_REST },
  Connecting: { service: 'connecting', ...STARTING },
  Disconnected: { service: 'disconnected', health: 'unknown', ...AT_REST },
};

/** A longer subject is not recorded: a part of it would name another user. */
const MAX_SUBJECT_CHARS = 1024;

type ApiGroup = Pick<CoreToolPorts, 'apiGroup'>;

/** Returns the annotation that records who created a server. No argument of a tool sets it, and updates preserve it. */
const formatAnnotation = ({ apiGroup = DEFAULT_API_GROUP }: ApiGroup): string =>
  `${apiGroup}/registered-by`;

/** Returns the annotations of a server that a caller creates: none where callers do not sign in. */
export const createRegistration = (ports: ApiGroup, { principal }: CoreCallContext): JsonObject => {
  if (principal?.issuer === undefined || principal.subject.length > MAX_SUBJECT_CHARS) return {};
  return { annotations: { [formatAnnotation(ports)]: principal.subject } };
};

/** Returns the subject who created a server, as far as it is recorded. */
export const readRegistrant = (
  ports: ApiGroup,
  { definition: { metadata } }: ServerEntry,
): JsonObject => {
  const { annotations = {} } = metadata;
  const name = formatAnnotation(ports);
  return Object.hasOwn(annotations, name) ? { registeredBy: annotations[name] } : {};
};

const FAILED = 'Server failed to start';

const FAILURE_MESSAGES: Readonly<Record<FailureCode, string>> = {
  certificate: 'Certificate error - verify TLS configuration',
  'command-not-found': 'Command not found - check the executable path',
  forbidden: 'Access forbidden - check server permissions and credentials',
  'auth-required': FAILED,
  'missing-value': 'Value missing - check the Secrets and ConfigMaps of envFrom and headersFrom',
  unreachable: FAILED,
  other: FAILED,
};

/** The beginnings of reasons that are about a placeholder, and not about a reference. */
const OF_PLACEHOLDER = /^spec\.(?!envFrom|headersFrom)|^the definition has \d+ placeholders/u;

const formatFailure = ({ failureCode = 'other', reason = '' }: ServerEntry): string =>
  failureCode === 'missing-value' && OF_PLACEHOLDER.test(reason)
    ? 'Value missing - check the variables of the gateway and the files that placeholders name'
    : FAILURE_MESSAGES[failureCode];

/** Returns a sentence about the state of a server for people; `undefined` when the state needs none. */
export const formatStatusMessage = (view: ServerEntry): string | undefined => {
  const { name, state } = view;
  if (state === 'Failed') return formatFailure(view);
  if (state === 'Auth Required')
    return `Authentication required - sign in with core_auth_login(server=${JSON.stringify(name)})`;
  if (view.stopRequested === true)
    return `Stopped on request - start with core_service_start(name=${JSON.stringify(name)})`;
  return STATES[state].isStarting ? 'Starting...' : undefined;
};

/** Returns a sentence for each tool and prompt that is not served because another server holds its name. */
export const listNameWarnings = ({ nameConflicts }: ServerEntry): readonly string[] => {
  if (nameConflicts === undefined) return [];
  const { first, total } = nameConflicts;
  const lines = first.map(
    ({ kind, name, heldBy }) => `${kind} ${name} is not served: ${heldBy} holds the name`,
  );
  return total > first.length
    ? [...lines, `${total - first.length} more are not served: other servers hold their names`]
    : lines;
};

/** Returns the facts about attempts, as far as they are known. */
const toAttemptFacts = ({ status }: ServerEntry): JsonObject => ({
  ...(status !== undefined &&
    status.consecutiveFailures > 0 && { consecutiveFailures: status.consecutiveFailures }),
  ...(status?.lastAttempt !== undefined && { lastAttempt: status.lastAttempt }),
});

/** Returns the facts about a server that was started. */
export const toRuntimeFacts = (view: ServerEntry): JsonObject => ({
  toolsCount: view.toolsCount,
  ...(view.stopRequested !== undefined && { stopRequested: true }),
  ...(view.resourcesCount !== undefined && { resourcesCount: view.resourcesCount }),
  ...(view.promptsCount !== undefined && { promptsCount: view.promptsCount }),
  ...(view.instances !== undefined && { instanceCount: view.instances }),
  restartCount: view.status?.restartCount ?? view.restartCount,
  ...toAttemptFacts(view),
  ...(view.connectedAt !== undefined && { connectedAt: formatUtcTime(view.connectedAt) }),
  ...(view.nextRetryAt !== undefined && { nextRetryAfter: formatUtcTime(view.nextRetryAt) }),
  ...(view.serverInfo !== undefined && { serverInfo: view.serverInfo }),
  ...(view.protocolVersion !== undefined && { protocolVersion: view.protocolVersion }),
});

/** Returns a server as the caller sees it: connected with the caller's own sign-in, which is no part of the state of the server. */
export const toCallerView = (
  view: ServerEntry,
  { signIn }: CoreToolPorts,
  { principal = ANONYMOUS }: CoreCallContext,
): ServerEntry => {
  const own = signIn.findState(view.name, principal);
  if (own?.status !== 'connected') return view;
  const { health: _health, reason: _reason, ...facts } = view;
  return { ...facts, state: 'Connected', toolsCount: own.toolsCount };
};

/** Returns the caller's own sign-in to a server that users sign in to. It is not part of the state of the server. @spec §2.6 */
export const toSignInState = (
  name: string,
  { signIn }: CoreToolPorts,
  { principal = ANONYMOUS }: CoreCallContext,
): JsonObject => {
  const state = signIn.findState(name, principal);
  if (state === undefined) return {};
  const { status, reason, toolsCount, listWarnings } = state;
  return {
    signIn: {
      status,
      ...(status === 'connected' && { toolsCount }),
      ...(reason !== undefined && { error: reason }),
      ...(listWarnings !== undefined && { warnings: listWarnings }),
    },
  };
};
