import { resolve } from 'node:path';
import { RotatingLines } from '@gateway/files';
import type { GatewayConfig } from '@gateway/gateway-config';
import { LINE_QUEUE_LIMITS, QueuedLines, type LineQueueOptions } from './queued-lines.ts';
import { StandardOutput } from './standard-output.ts';

/** The value of `audit.file` that means standard output. */
const STANDARD_OUTPUT = '-';

/** Options of {@link openAuditLog}. */
export interface AuditLogOptions extends LineQueueOptions {
  readonly config: Pick<GatewayConfig, 'audit'>;
  /** The configuration directory, to which relative paths refer. */
  readonly directory?: string;
}

/** Opens the audit log; `undefined` without `audit.file`. Logs a warning when its file cannot be written. */
export function openAuditLog(options: AuditLogOptions): QueuedLines | undefined {
  const { config, directory = '.' } = options;
  const { file, maxBytes, maxFiles } = config.audit;
  if (file === undefined) return undefined;
  const writer =
    file === STANDARD_OUTPUT
      ? new StandardOutput()
      : new RotatingLines(resolve(directory, file), { maxBytes, maxFiles });
  const batch = Math.min(LINE_QUEUE_LIMITS.batch, maxBytes);
  const lines = new QueuedLines(writer, options, { ...LINE_QUEUE_LIMITS, batch });
  lines.open();
  return lines;
}

/** Returns why the audit log cannot be on standard output of `gateway stdio`; `undefined` when it is elsewhere. */
export const auditOutputProblem = ({ audit }: Pick<GatewayConfig, 'audit'>): string | undefined =>
  audit.file === STANDARD_OUTPUT
    ? 'audit.file is "-": over stdio, standard output carries the protocol; set the path of a file'
    : undefined;
