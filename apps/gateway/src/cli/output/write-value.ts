import type { CliIo } from '../cli-io.ts';
import type { OutputFormat } from '../commands/client-arguments.ts';

/** Writes a value as JSON, or the text that people get in its place. */
export function writeValue(
  { stdout }: CliIo,
  output: OutputFormat,
  value: unknown,
  text: () => string,
): void {
  stdout.write(output === 'json' ? `${JSON.stringify(value, null, 2)}\n` : text());
}
