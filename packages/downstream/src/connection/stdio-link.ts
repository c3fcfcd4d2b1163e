import type { McpServer, StdioServerSpec } from '@gateway/crd-schemas';
import { childDirectory, childEnvironment } from '../wire/stdio/process-group.ts';
import type { ConnectionDependencies, LinkObserver, ServerLink } from './server-link.ts';
import type { FailureCode } from './connection-failure.ts';
import { isMissing, toFailureCode } from './connection-failure.ts';
import { argumentsOf, environmentOf, secretsOf } from '../wire/referenced-values.ts';
import { progressLine, drainStderr } from '../wire/stdio/stderr-log.ts';
import { StdioTransport } from '../wire/stdio/stdio-transport.ts';
import { StdioInterceptingTransport } from '../requests/intercepting-transport.ts';

/** Exit status of a shell whose command does not exist. POSIX.1-2024, Shell Command Language §2.8.2 */
const COMMAND_NOT_FOUND_STATUS = 127;

/** Returns the link to a child process. @spec §2.6 command, args, env, cwd */
export const stdioLink = (
  server: McpServer,
  spec: StdioServerSpec,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const { log, now, timeouts, bounds, watchdog, baseDirectory } = dependencies;
  const secrets = secretsOf(server);
  /** The server, with its process where it has several. */
  const source = (): { readonly server: string; readonly pid?: number } => ({
    server: server.metadata.name,
    ...(spec.instances === 'perSession' && transport.pid !== undefined && { pid: transport.pid }),
  });
  let exitReason: () => string | undefined = () => undefined;
  const transport: StdioTransport = new StdioTransport({
    process: {
      command: spec.command,
      args: argumentsOf(spec, server),
      environment: childEnvironment(process.env, environmentOf(spec, server)),
      directory: childDirectory(spec, baseDirectory),
      closeGraceMs: timeouts.closeGraceMs,
      startGraceMs: timeouts.startGraceMs,
    },
    watchdog,
    maxMessageBytes: bounds.maxMessageBytes,
    onStderr: (stderr, budget) => {
      // Later output may repeat arguments of callers.
      const onLine = (raw: string): void => {
        if (!transport.hasReceivedArguments) observer.onProgress(progressLine(raw, secrets));
      };
      exitReason = drainStderr(stderr, budget, { ...source(), log, now, secrets, onLine });
    },
    onStrayLine: (count) => {
      if (count > 1) return;
      const reason = 'a line on stdout is not an MCP message';
      log({ level: 'warn', ...source(), event: 'server.output-ignored', reason });
    },
  });
  // A server that does not start reports the reason as its last output; later output may repeat arguments of callers.
  const reason = (): string | undefined => {
    const { endReason, hasReceivedArguments } = transport;
    const words = hasReceivedArguments ? undefined : exitReason();
    return endReason === undefined || words === undefined ? endReason : `${endReason}: ${words}`;
  };
  const failureCode = (): FailureCode => {
    const { startError, exit } = transport;
    if (startError !== undefined) return toFailureCode(startError);
    return exit?.code === COMMAND_NOT_FOUND_STATUS ? 'command-not-found' : 'other';
  };
  const isExecutableMissing = (): boolean => isMissing(transport.startError);
  const interceptor = new StdioInterceptingTransport(transport, {
    ...observer,
    closeReason: () => reason() ?? 'the connection was closed',
  });
  return {
    interceptor,
    reason: () => interceptor.endReason ?? reason(),
    failureCode,
    unreachable: isExecutableMissing,
    missing: isExecutableMissing,
    close: () => interceptor.close(),
  };
};
