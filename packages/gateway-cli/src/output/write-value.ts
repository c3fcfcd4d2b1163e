import type { CliIo } from '../cli-io.ts';
import type { OutputFormat } from '../arguments/client-arguments.ts';
import { escapeToJson } from '@gateway/service-host';

/** Writes a value as JSON or as text, depending on the output format. */
export function writeValue(
  { stdout }: CliIo,
  output: OutputFormat,
  value: unknown,
  text: () => string,
): void {
  stdout.write(output === 'json' ? `${escapeToJson(value, 2)}\n` : text());
}
