import { because, listed, type ReasonsOf } from './reason-description.ts';
import { SIGN_IN_REASONS } from './sign-in-reasons.ts';

/** Reasons of events about servers. @spec §6 */
export const SERVER_REASONS: ReasonsOf<'MCPServer'> = {
  MCPServerCreated: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition was added.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully created in namespace ${namespace}`,
  },
  MCPServerUpdated: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition changed.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully updated in namespace ${namespace}`,
  },
  MCPServerDeleted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition was deleted.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully deleted from namespace ${namespace}`,
  },
  MCPServerValidationFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A definition is invalid, or invalid for another reason.',
    message: ({ name, error }) => `MCPServer ${name} validation failed${because(error)}`,
  },
  MCPServerValidationSucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'An invalid definition became valid.',
    message: ({ name }) => `MCPServer ${name} validation completed successfully`,
  },
  MCPServerStarting: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The gateway starts a server or connects to it.',
    message: ({ name }) => `MCPServer ${name} service is starting up`,
  },
  MCPServerStarted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server completed the handshake.',
    message: ({ name }) => `MCPServer ${name} service started successfully`,
  },
  MCPServerStopped: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server was stopped on request, or because its definition was deleted.',
    message: ({ name }) => `MCPServer ${name} service stopped successfully`,
  },
  MCPServerRestarting: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server restarts on request, or because its definition changed.',
    message: ({ name }) => `MCPServer ${name} service is restarting`,
  },
  MCPServerFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The start of a server failed, or the connection was lost.',
    message: ({ name, error }) => `MCPServer ${name} operation failed${because(error)}`,
  },
  MCPServerToolsDiscovered: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The tools of a server were listed and are in the catalog.',
    message: ({ name, omitted }) =>
      `MCPServer ${name} tools discovered and registered successfully${omitted === undefined ? '' : `; ${omitted}`}`,
  },
  MCPServerToolsUnavailable: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The tools of a server were removed from the catalog, or cannot be listed.',
    message: ({ name, error }) => `MCPServer ${name} tools became unavailable${because(error)}`,
  },
  MCPServerHealthCheckFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A healthy server became unhealthy: consecutive health checks failed or were too slow.',
    message: ({ name, error }) => `MCPServer ${name} health check failed${because(error)}`,
  },
  MCPServerHealthCheckSucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'An unhealthy server became healthy.',
    message: ({ name }) => `MCPServer ${name} health check succeeded`,
  },
  MCPServerRecoveryStarted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The gateway reconnects to a lost server automatically.',
    message: ({ name }) => `MCPServer ${name} automatic recovery process started`,
  },
  MCPServerRecoverySucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A lost server is connected again.',
    message: ({ name }) => `MCPServer ${name} automatic recovery completed successfully`,
  },
  MCPServerRecoveryFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'An attempt to reconnect to a lost server failed.',
    message: ({ name, error }) => `MCPServer ${name} automatic recovery failed${because(error)}`,
  },
  MCPServerAuthRequired: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server requires authentication.',
    message: ({ name }) => `MCPServer ${name} requires OAuth authentication to connect`,
  },
  ...SIGN_IN_REASONS,
  MCPServerToolChanged: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The declaration of a tool changed.',
    message: ({ name, tool, fields }) =>
      `MCPServer ${name} tool ${tool} changed${fields.length === 0 ? '' : ` (${listed(fields)})`}`,
  },
  MCPServerToolHintWidened: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A tool newly declares that it is read-only.',
    message: ({ name, tool, held }) =>
      `MCPServer ${name} tool ${tool} now declares itself read-only` +
      (held ? ', which does not count until it is accepted' : ''),
  },
  MCPServerToolsAccepted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The declared tools of a server were accepted.',
    message: ({ name, tools }) =>
      `MCPServer ${name} declared tools accepted${because(listed(tools))}`,
  },
  MCPServerToolNameRefused: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A tool is omitted from the catalog because of its name.',
    message: ({ name, tool, error }) =>
      `MCPServer ${name} tool name ${tool} was refused${because(error)}`,
  },
  MCPServerToolNameConflict: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'Two tools have one exposed name: one of them is omitted from the catalog.',
    message: ({ name, tool, keptBy }) =>
      `MCPServer ${name} tool ${tool} is left out: ${keptBy} has a tool of this name`,
  },
};
