import type { McpServer, StdioServerSpec } from '@gateway/crd-schemas';
import { childDirectory, childEnvironment } from '../wire/stdio/child-environment.ts';
import type { ConnectionDependencies, LinkObserver, ServerLink } from './server-link.ts';
import type { FailureCode } from './connection-failure.ts';
import { toFailureCode } from './connection-failure.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import { argumentsOf, environmentOf, secretsOf } from '../wire/referenced-values.ts';
import type { ProcessSpec } from '../wire/stdio/process-group.ts';
import { progressLine, drainStderr } from '../wire/stdio/stderr-log.ts';
import { StdioTransport } from '../wire/stdio/stdio-transport.ts';
import { StdioInterceptingTransport } from '../requests/intercepting-transport.ts';

const strayLineLog =
  (source: () => { readonly server: string; readonly pid?: number }, log: DownstreamLog) =>
  (count: number): void => {
    if (count === 1)
      log({
        level: 'warn',
        ...source(),
        event: 'server.output-ignored',
        reason: 'a line on stdout is not an MCP message',
      });
  };

const processOf = (
  server: McpServer,
  spec: StdioServerSpec,
  dependencies: ConnectionDependencies,
): ProcessSpec => ({
  command: spec.command,
  args: argumentsOf(spec, server),
  environment: childEnvironment(process.env, environmentOf(spec, server)),
  directory: childDirectory(spec, dependencies.baseDirectory),
  closeGraceMs: dependencies.timeouts.closeGraceMs,
  startGraceMs: dependencies.timeouts.startGraceMs,
});

/** Exit status of a shell whose command does not exist. POSIX.1-2024, Shell Command Language §2.8.2 */
const COMMAND_NOT_FOUND_STATUS = 127;

const failureCodeOfTransport = ({ startError, exit }: StdioTransport): FailureCode => {
  if (startError !== undefined) return toFailureCode(startError);
  return exit?.code === COMMAND_NOT_FOUND_STATUS ? 'command-not-found' : 'other';
};

/** The server, with its process where it has several. */
const sourceOf = (
  { metadata }: McpServer,
  { instances }: StdioServerSpec,
  { pid }: StdioTransport,
): { readonly server: string; readonly pid?: number } => ({
  server: metadata.name,
  ...(instances === 'perSession' && pid !== undefined && { pid }),
});

/** Returns the link to a child process. @spec §2.6 command, args, env, cwd */
export const stdioLink = (
  server: McpServer,
  spec: StdioServerSpec,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const { log, now } = dependencies;
  const sink = { log, now, secrets: secretsOf(server) };
  const source = (): ReturnType<typeof sourceOf> => sourceOf(server, spec, transport);
  let exitReason: () => string | undefined = () => undefined;
  const transport: StdioTransport = new StdioTransport({
    process: processOf(server, spec, dependencies),
    watchdog: dependencies.watchdog,
    maxMessageBytes: dependencies.bounds.maxMessageBytes,
    onStderr: (stderr, budget) => {
      // Later output may repeat arguments of callers.
      const onLine = (raw: string): void => {
        if (!transport.hasReceivedArguments) observer.onProgress(progressLine(raw, sink.secrets));
      };
      exitReason = drainStderr(stderr, budget, { ...sink, ...source(), onLine });
    },
    onStrayLine: strayLineLog(source, log),
  });
  // A server that does not start reports the reason as its last output; later output may repeat arguments of callers.
  const reason = (): string | undefined => {
    const { endReason, hasReceivedArguments } = transport;
    const words = hasReceivedArguments ? undefined : exitReason();
    return endReason === undefined || words === undefined ? endReason : `${endReason}: ${words}`;
  };
  const interceptor = new StdioInterceptingTransport(transport, {
    ...observer,
    closeReason: () => reason() ?? 'the connection was closed',
  });
  return {
    interceptor,
    reason: () => interceptor.endReason ?? reason(),
    failureCode: () => failureCodeOfTransport(transport),
    unreachable: () => transport.isMissing,
    missing: () => transport.isMissing,
    close: () => interceptor.close(),
  };
};
