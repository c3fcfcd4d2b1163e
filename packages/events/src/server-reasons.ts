import { because, listed, type ReasonsOf } from './reason-description.ts';

/** What is reported of servers. @spec §6 */
export const SERVER_REASONS: ReasonsOf<'MCPServer'> = {
  MCPServerCreated: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition appeared.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully created in namespace ${namespace}`,
  },
  MCPServerUpdated: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition is not what it was.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully updated in namespace ${namespace}`,
  },
  MCPServerDeleted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition is gone.',
    message: ({ name, namespace }) =>
      `MCPServer ${name} successfully deleted from namespace ${namespace}`,
  },
  MCPServerValidationFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A definition cannot be used, or cannot be used for another reason than before.',
    message: ({ name, error }) => `MCPServer ${name} validation failed${because(error)}`,
  },
  MCPServerValidationSucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A definition that could not be used can be used again.',
    message: ({ name }) => `MCPServer ${name} validation completed successfully`,
  },
  MCPServerStarting: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The gateway begins to start a server or to connect to it.',
    message: ({ name }) => `MCPServer ${name} service is starting up`,
  },
  MCPServerStarted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server answered the handshake and can be used.',
    message: ({ name }) => `MCPServer ${name} service started successfully`,
  },
  MCPServerStopped: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server was stopped because somebody asked for it or its definition is gone.',
    message: ({ name }) => `MCPServer ${name} service stopped successfully`,
  },
  MCPServerRestarting: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server is stopped to be started again: on request, or because its definition changed.',
    message: ({ name }) => `MCPServer ${name} service is restarting`,
  },
  MCPServerFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A server could not be started or reached, or was lost.',
    message: ({ name, error }) => `MCPServer ${name} operation failed${because(error)}`,
  },
  MCPServerToolsDiscovered: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The tools of a server were listed and are in the catalog.',
    message: ({ name }) => `MCPServer ${name} tools discovered and registered successfully`,
  },
  MCPServerToolsUnavailable: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'The tools of a server left the catalog, or cannot be listed.',
    message: ({ name, error }) => `MCPServer ${name} tools became unavailable${because(error)}`,
  },
  MCPServerHealthCheckFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A server that was healthy is not: several pings in a row failed or were too slow.',
    message: ({ name, error }) => `MCPServer ${name} health check failed${because(error)}`,
  },
  MCPServerHealthCheckSucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server that was not healthy is healthy again.',
    message: ({ name }) => `MCPServer ${name} health check succeeded`,
  },
  MCPServerRecoveryStarted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'The gateway begins to bring a lost server back by itself.',
    message: ({ name }) => `MCPServer ${name} automatic recovery process started`,
  },
  MCPServerRecoverySucceeded: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A lost server is back.',
    message: ({ name }) => `MCPServer ${name} automatic recovery completed successfully`,
  },
  MCPServerRecoveryFailed: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'An attempt to bring a lost server back failed.',
    message: ({ name, error }) => `MCPServer ${name} automatic recovery failed${because(error)}`,
  },
  MCPServerAuthRequired: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'A server wants a sign-in before it can be used.',
    message: ({ name }) => `MCPServer ${name} requires OAuth authentication to connect`,
  },
  MCPServerToolChanged: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'What a server declares of a tool is not what it declared before.',
    message: ({ name, tool, fields }) =>
      `MCPServer ${name} tool ${tool} changed${fields.length === 0 ? '' : ` (${listed(fields)})`}`,
  },
  MCPServerToolHintWidened: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A tool that did not say so now says that it only reads.',
    message: ({ name, tool, held }) =>
      `MCPServer ${name} tool ${tool} now declares itself read-only` +
      (held ? ', which does not count until it is accepted' : ''),
  },
  MCPServerToolsAccepted: {
    kind: 'MCPServer',
    type: 'Normal',
    when: 'Somebody accepted what a server declares of its tools.',
    message: ({ name, tools }) =>
      `MCPServer ${name} declared tools accepted${because(listed(tools))}`,
  },
  MCPServerToolNameRefused: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'A tool is left out of the catalog because of its name.',
    message: ({ name, tool, error }) =>
      `MCPServer ${name} tool name ${tool} was refused${because(error)}`,
  },
  MCPServerToolNameConflict: {
    kind: 'MCPServer',
    type: 'Warning',
    when: 'Two tools have one exposed name: one of them is left out of the catalog.',
    message: ({ name, tool, keptBy }) =>
      `MCPServer ${name} tool ${tool} is left out: ${keptBy} has a tool of this name`,
  },
};
